public import RoadGraph

/// The edges of the active route in driving order, and the speeds that live traffic allows on them.
public struct RouteCourse: Codable, Hashable, Sendable {
  private let edges: [UInt32]
  private let speeds: [Double]
  private let occurrences: [UInt32: [Int]]

  /// `edges` in their order, nil where this map has none; `trafficMps` of the same count, nil where no
  /// traffic is known.
  public init(edges: [EdgeID?], trafficMps: [Double?]) {
    self.init(
      edges: edges.map { $0?.rawValue ?? .max },
      speeds: edges.indices.map { index in
        let speed = index < trafficMps.count ? trafficMps[index] ?? .infinity : .infinity
        return speed > 0 ? speed : .infinity
      })
  }

  private init(edges: [UInt32], speeds: [Double]) {
    self.edges = edges
    self.speeds = speeds
    var occurrences: [UInt32: [Int]] = [:]
    for (index, edge) in edges.enumerated() where edge != .max {
      occurrences[edge, default: []].append(index)
    }
    self.occurrences = occurrences
  }

  private enum CodingKeys: CodingKey { case edges, speeds }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let edges = try container.decode([UInt32].self, forKey: .edges)
    let speeds = try container.decode([Double].self, forKey: .speeds)
    guard edges.count == speeds.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .speeds, in: container, debugDescription: "as many speeds as edges are needed")
    }
    self.init(edges: edges, speeds: speeds)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(edges, forKey: .edges)
    try container.encode(speeds, forKey: .speeds)
  }

  /// All edges of the route that this map has.
  public var roads: [EdgeID] { edges.filter { $0 != .max }.map { EdgeID(rawValue: $0) } }

  /// Whether every edge is one of a map with so many.
  public func fits(edgeCount: Int) -> Bool {
    edges.allSatisfy { $0 == .max || Int($0) < edgeCount }
  }

  /// Number of the place at which the route drives along `edge`, at or behind `earliest` where it
  /// does so there, else its first one; nil where it does not.
  func number(of edge: EdgeID, from earliest: Int) -> Int? {
    guard let numbers = occurrences[edge.rawValue] else { return nil }
    return numbers.first { $0 >= earliest } ?? numbers.first
  }

  /// The edge of a number; nil behind the end, and where the map has none.
  func edge(_ number: Int) -> EdgeID? {
    guard edges.indices.contains(number), edges[number] != .max else { return nil }
    return EdgeID(rawValue: edges[number])
  }

  func isEnd(_ number: Int) -> Bool { number >= edges.count - 1 }

  /// Metres a second that live traffic allows; infinite where none is known.
  func trafficMps(_ number: Int) -> Double { speeds[number] }
}

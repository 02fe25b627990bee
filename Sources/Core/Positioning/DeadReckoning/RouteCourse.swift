public import RoadGraph

/// The edges of the active route in driving order, and the speeds that live traffic allows on them.
public struct RouteCourse: Codable, Hashable, Sendable {
  private let edges: [UInt32]
  private let speeds: [Double]
  private let occurrences: [UInt32: [Int]]

  /// A course of `edges` in their order, nil for edges that this map does not have.
  ///
  /// `trafficMps` has the same count, and is nil for edges without known traffic.
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
        forKey: .speeds, in: container, debugDescription: "the numbers of speeds and edges differ")
    }
    self.init(edges: edges, speeds: speeds)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(edges, forKey: .edges)
    try container.encode(speeds, forKey: .speeds)
  }

  /// All edges of the route that are in this map.
  public var roads: [EdgeID] { edges.filter { $0 != .max }.map { EdgeID(rawValue: $0) } }

  /// Whether every edge is in a map with this number of edges.
  public func fits(edgeCount: Int) -> Bool {
    edges.allSatisfy { $0 == .max || Int($0) < edgeCount }
  }

  /// Index at which the route drives along `edge`: the first at or after `earliest`, otherwise its
  /// first one.
  ///
  /// The result is nil if the route does not use the edge.
  func number(of edge: EdgeID, from earliest: Int) -> Int? {
    guard let numbers = occurrences[edge.rawValue] else { return nil }
    return numbers.first { $0 >= earliest } ?? numbers.first
  }

  /// The edge with an index; nil after the end, and if the map does not have it.
  func edge(_ number: Int) -> EdgeID? {
    guard edges.indices.contains(number), edges[number] != .max else { return nil }
    return EdgeID(rawValue: edges[number])
  }

  func isEnd(_ number: Int) -> Bool { number >= edges.count - 1 }

  /// Speed that live traffic allows, in m/s; infinite if none is known.
  func trafficMps(_ number: Int) -> Double { speeds[number] }
}

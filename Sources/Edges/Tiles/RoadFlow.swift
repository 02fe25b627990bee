public import RoadGraph
public import Traffic

/// The traffic on the directed edges of one graph, as a map shows it.
///
/// Only edges with a known state are stored, eight bytes each.
public struct RoadFlow: Hashable, Sendable {
  /// The traffic on an edge.
  public struct Value: Hashable, Sendable {
    /// Jam factor in tenths, from 0 (free) to 100 (closed).
    public var jamTenths: UInt8
    /// Speed of a car in percent of free flow, at most 255.
    public var speedPercent: UInt8

    public init(jamTenths: UInt8, speedPercent: UInt8) {
      self.jamTenths = jamTenths
      self.speedPercent = speedPercent
    }

    /// The level whose colour shows the jam factor.
    var level: FlowLevel { FlowLevel(jamTenths: jamTenths) }
  }

  /// In ascending order.
  private var edges: [EdgeID] = []
  private var values: [Value] = []

  /// No traffic on any edge.
  public init() {}

  /// The traffic of a view, by the jam factors that routes have on the same edges; n log n in its
  /// states.
  public init(_ view: TrafficView, graph: RoadGraph) {
    var known: [(edge: EdgeID, value: Value)] = []
    view.withStates { edges, states in
      known.reserveCapacity(edges.count)
      for (edge, state) in zip(edges, states) {
        known.append((edge, Value(state, freeFlowMps: graph.attributes(edge).freeFlowMps(.car))))
      }
    }
    known.sort { $0.edge.rawValue < $1.edge.rawValue }
    edges = known.map(\.edge)
    values = known.map(\.value)
  }

  /// Number of edges with traffic.
  public var count: Int { edges.count }
  public var isEmpty: Bool { edges.isEmpty }

  /// The traffic on an edge; nil if none is known.
  ///
  /// log n in the edges with traffic.
  public func value(of edge: EdgeID) -> Value? {
    var (lower, upper) = (0, edges.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if edges[middle].rawValue < edge.rawValue { lower = middle + 1 } else { upper = middle }
    }
    return lower < edges.count && edges[lower] == edge ? values[lower] : nil
  }

  /// Number of edges of each level, by its name in the tiles.
  public var countOfLevel: [String: Int] {
    values.reduce(into: [:]) { $0[$1.level.word, default: 0] += 1 }
  }
}

extension RoadFlow.Value {
  fileprivate init(_ state: TrafficState, freeFlowMps: Double) {
    let jam = Double.minimum(10, Double.maximum(0, state.jamFactor(freeFlowMps: freeFlowMps)))
    let speedMps = state.isClosed ? 0 : state.speedMps(freeFlowMps: freeFlowMps, mode: .car)
    // Without a free-flow speed of cars, such as on a bus road, only the jam factor is known.
    let ratio = freeFlowMps > 0 ? speedMps / freeFlowMps : 1 - jam / 10
    jamTenths = UInt8((jam * 10).rounded())
    speedPercent = UInt8(Double.minimum(255, Double.maximum(0, (ratio * 100).rounded())))
  }
}

/// The levels of traffic that have a colour, as on the route.
enum FlowLevel: Int, Hashable, Comparable {
  case free
  case slow
  case jam
  case closed

  init(jamTenths: UInt8) {
    self =
      switch jamTenths {
      case ..<40: .free
      case ..<80: .slow
      case ..<100: .jam
      default: .closed
      }
  }

  var word: String {
    switch self {
    case .free: "free"
    case .slow: "slow"
    case .jam: "jam"
    case .closed: "closed"
    }
  }

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

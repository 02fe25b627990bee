public import Foundations
public import RoadGraph

/// The traffic of one moment on the edges of one graph.
///
/// A value type: a copy stays valid while newer ones are made.
public struct TrafficView: Sendable {
  /// The moment for which it was made.
  public let asOf: Instant
  /// When the newest report in it was observed; nil if there is none.
  public private(set) var observed: Instant?
  /// Index into `states` plus one for each edge; 0 if nothing is known.
  @usableFromInline var slot: [UInt32]
  @usableFromInline var states: [TrafficState] = []
  /// The edge of each state.
  @usableFromInline var edges: [EdgeID] = []
  private var incidentsOfEdge: [EdgeID: [Int]] = [:]
  /// All incidents that apply, in the order of their feeds.
  public private(set) var incidents: [Incident] = []

  public init(edgeCount: Int, asOf: Instant, observed: Instant?) {
    self.asOf = asOf
    self.observed = observed
    slot = [UInt32](repeating: 0, count: edgeCount)
  }

  /// Seconds from the newest observation to the moment of this view; nil if there is none.
  public var ageS: Double? { ageS(at: asOf) }

  /// Seconds from the newest observation to a moment at which the view is still valid; nil if there
  /// is none.
  public func ageS(at now: Instant) -> Double? {
    observed.map { Double.maximum(0, now.seconds(since: $0)) }
  }

  /// The known state of an edge; nil if there is none.
  public func state(of edge: EdgeID) -> TrafficState? {
    guard edge.index < slot.count, slot[edge.index] > 0 else { return nil }
    return states[Int(slot[edge.index]) - 1]
  }

  /// Whether anything is known of an edge.
  @inlinable public func knows(_ edge: EdgeID) -> Bool {
    edge.index < slot.count && slot[edge.index] > 0
  }

  /// Whether a live value without an end is known of an edge.
  @inlinable public func isOpenEnded(_ edge: EdgeID) -> Bool {
    knows(edge) && states[Int(slot[edge.index]) - 1].isOpenEnded
  }

  /// All known states with their edges, in parallel buffers; each edge once.
  @inlinable public func withStates(
    _ body: (UnsafeBufferPointer<EdgeID>, UnsafeBufferPointer<TrafficState>) -> Void
  ) {
    edges.withUnsafeBufferPointer { edges in
      states.withUnsafeBufferPointer { body(edges, $0) }
    }
  }

  /// Reserves memory for this many more edges with known states.
  mutating func reserve(_ count: Int) {
    let whole = min(slot.count, states.count + count)
    states.reserveCapacity(whole)
    edges.reserveCapacity(whole)
  }

  /// Incidents that lie on an edge, as indices into `incidents`.
  public func incidents(on edge: EdgeID) -> [Int] { incidentsOfEdge[edge] ?? [] }

  public mutating func set(_ state: TrafficState, on edge: EdgeID) {
    guard edge.index < slot.count else { return }
    if slot[edge.index] > 0 {
      states[Int(slot[edge.index]) - 1] = state
    } else {
      states.append(state)
      edges.append(edge)
      slot[edge.index] = UInt32(states.count)
    }
  }

  /// Records that something in it was observed at a moment.
  mutating func hold(observed moment: Instant) { observed = max(observed ?? moment, moment) }

  /// Marks an edge as lying under the incident that the next `count` adds.
  mutating func add(on edge: EdgeID) {
    guard incidentsOfEdge[edge]?.last != incidents.count else { return }
    incidentsOfEdge[edge, default: []].append(incidents.count)
  }

  mutating func count(_ incident: Incident) { incidents.append(incident) }
}

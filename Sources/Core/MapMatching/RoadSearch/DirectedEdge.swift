import RoadGraph

/// One direction of travel along an edge, with the attributes that matching reads most often.
struct DirectedEdge: Hashable, Sendable, BitwiseCopyable {
  var state: TravelState
  /// The opposite direction of the same road; `TravelState.nowhere` if the vehicle cannot drive
  /// back.
  var back: TravelState
  /// Start and end node of travel.
  var start: NodeID
  var end: NodeID
  var lengthM: Double
  /// Index of the road's attributes.
  var attributes: UInt32
}

extension TravelState {
  /// A state that no map contains.
  static let nowhere = TravelState(EdgeID(rawValue: .max), isAgainst: true)
}

extension MatchingNetwork {
  func directed(_ state: TravelState) -> DirectedEdge {
    DirectedEdge(
      state: state, back: reversed(state) ?? .nowhere, start: start(state), end: end(state),
      lengthM: lengthM(state), attributes: graph.columns.attributeIndex[state.edge.index])
  }
}

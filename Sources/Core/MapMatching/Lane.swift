import RoadGraph

/// One direction of travel along a piece of road, with what matching asks of it again and again.
struct Lane: Hashable, Sendable, BitwiseCopyable {
  var state: TravelState
  /// The same road the other way; `TravelState.nowhere` where one cannot drive back.
  var back: TravelState
  /// Where travel begins, and where it ends.
  var start: NodeID
  var end: NodeID
  var lengthM: Double
  /// The number of its attributes.
  var attributes: UInt32
}

extension TravelState {
  /// No state of any map.
  static let nowhere = TravelState(EdgeID(rawValue: .max), isAgainst: true)
}

extension MatchingNetwork {
  func lane(_ state: TravelState) -> Lane {
    Lane(
      state: state, back: reversed(state) ?? .nowhere, start: start(state), end: end(state),
      lengthM: lengthM(state), attributes: graph.columns.attributeIndex[state.edge.index])
  }
}

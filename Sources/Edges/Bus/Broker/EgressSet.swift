/// A set of the broker's egress sockets.
///
/// Bit 0 is the egress of all nodes, bit n that of lane n, and the last bit that of plain SUB
/// sockets.
///
/// A lane is a separate egress for one replica or for one process that is about to take over. Nodes
/// receive messages in one part, plain sockets in three.
struct EgressSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The greatest lane number.
  static let last = 62
  /// The egress of plain SUB sockets.
  static let plainNumber = 63
  static let plain = EgressSet.lane(plainNumber)
  /// The sockets that every reader without a lane of its own listens to.
  static let shared: EgressSet = [.lane(0), .plain]

  /// One lane, 0 to `last`, or the plain one.
  static func lane(_ number: Int) -> EgressSet { EgressSet(rawValue: 1 << UInt64(number)) }
}

/// A set of the broker's egress sockets.
///
/// Bit 0 is the egress of all nodes, bit n that of lane n, and the last bit that of plain SUB
/// sockets.
///
/// A lane is a separate egress for one replica or for one process that is about to take over. Nodes
/// receive messages in one part, plain sockets in three.
package struct EgressSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The greatest lane number.
  @inlinable package static var last: Int { 62 }
  /// The egress of plain SUB sockets.
  @inlinable package static var plainNumber: Int { 63 }
  @inlinable package static var plain: EgressSet { .lane(plainNumber) }
  /// The sockets that every reader without a lane of its own listens to.
  @inlinable package static var shared: EgressSet { [.lane(0), .plain] }

  /// One lane, 0 to `last`, or the plain one.
  @inlinable package static func lane(_ number: Int) -> EgressSet {
    EgressSet(rawValue: 1 << UInt64(number))
  }
}

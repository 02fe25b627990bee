/// Which of the broker's egress sockets: bit 0 is that of all nodes, bit n that of lane n, the last
/// one that of plain SUB sockets.
///
/// A lane is an egress of its own for one replica or one process that is about to take over. Nodes
/// hear messages in one part, plain sockets in three.
struct Lanes: OptionSet, Hashable, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Greatest number of a lane.
  static let last = 62
  /// Where plain SUB sockets listen.
  static let plainNumber = 63
  static let plain = Lanes.lane(plainNumber)
  /// The sockets that everybody hears who was not told otherwise.
  static let shared: Lanes = [.lane(0), .plain]

  /// One lane, 0 to `last`, or the plain one.
  static func lane(_ number: Int) -> Lanes { Lanes(rawValue: 1 << UInt64(number)) }
}

/// Which of the broker's egress sockets: bit 0 is the shared one, bit n that of lane n.
///
/// A lane is an egress of its own for one replica or one process that is about to take over.
struct Lanes: OptionSet, Hashable, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Greatest number of a lane.
  static let last = 63
  /// The socket that everybody hears who was not told otherwise.
  static let shared = Lanes(rawValue: 1)

  /// One lane, 0 to `last`.
  static func lane(_ number: Int) -> Lanes { Lanes(rawValue: 1 << UInt64(number)) }
}

/// The subscriptions of plain SUB sockets; a message is only split if one of them may want it.
struct PlainSubscriptions {
  /// Maximum number of prefixes to compare; above it, libzmq's own lookup is cheaper.
  private static let comparable = 8

  private var prefixes: Set<[UInt8]> = []

  /// Records that a subscription starts, or that no reader has it any more.
  mutating func record(_ prefix: [UInt8], begins: Bool) {
    if begins {
      prefixes.insert(prefix)
    } else {
      prefixes.remove(prefix)
    }
  }

  /// Whether a reader may want a topic; true if a precise answer would be expensive.
  func mayWant(_ topic: UnsafeRawBufferPointer) -> Bool {
    guard !prefixes.isEmpty else { return false }
    return prefixes.count > Self.comparable || prefixes.contains { topic.starts(with: $0) }
  }
}

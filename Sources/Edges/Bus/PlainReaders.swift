/// What readers with a plain SUB socket ask for: a message is only taken apart where one may want it.
struct PlainReaders {
  /// With more prefixes than this libzmq's own look-up is the cheaper one.
  private static let comparable = 8

  private var prefixes: Set<[UInt8]> = []

  /// Notes a subscription, or that nobody has it any more.
  mutating func note(_ prefix: [UInt8], begins: Bool) {
    if begins {
      prefixes.insert(prefix)
    } else {
      prefixes.remove(prefix)
    }
  }

  /// Whether somebody may want a topic; true rather than long in doubt.
  func mayWant(_ topic: UnsafeRawBufferPointer) -> Bool {
    guard !prefixes.isEmpty else { return false }
    return prefixes.count > Self.comparable || prefixes.contains { topic.starts(with: $0) }
  }
}

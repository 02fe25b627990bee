/// Which topics a reader wants, by the bytes of their names.
///
/// The bus filters by how a name begins; who reads one topic of every vehicle is sent all of each,
/// and drops the rest here, before anything is made of it.
struct TopicFilter {
  private var exact: Set<String> = []
  private var subtrees: [String] = []
  /// Topics without the vehicle that are wanted of every vehicle, each with the `/` before it.
  private var leaves: [[UInt8]] = []

  /// What is asked of the bus for a pattern: how the names begin.
  static func prefix(of pattern: String) -> String {
    pattern.hasPrefix(TopicName.everyVehicle) ? "" : pattern
  }

  /// Adds a pattern; false where it was there already.
  mutating func insert(_ pattern: String) -> Bool {
    if pattern.isEmpty || pattern.hasSuffix("/") {
      guard !subtrees.contains(pattern) else { return false }
      subtrees.append(pattern)
    } else if pattern.hasPrefix(TopicName.everyVehicle) {
      let leaf = Array(pattern.utf8.dropFirst())
      guard !leaves.contains(leaf) else { return false }
      leaves.append(leaf)
    } else {
      return exact.insert(pattern).inserted
    }
    return true
  }

  mutating func remove(_ pattern: String) {
    exact.remove(pattern)
    subtrees.removeAll { $0 == pattern }
    leaves.removeAll { $0.elementsEqual(pattern.utf8.dropFirst()) }
  }

  /// Whether the bus sends more than is wanted.
  var isSentMore: Bool { !leaves.isEmpty && !subtrees.contains("") }

  var patterns: [String] {
    exact.sorted() + subtrees + leaves.map { "*" + String(decoding: $0, as: UTF8.self) }
  }

  func takes(_ topic: String) -> Bool {
    var topic = topic
    return topic.withUTF8 { takes(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a topic is wanted, by its name's bytes; no cost that grows with the vehicles.
  func takes(_ topic: UnsafeRawBufferPointer) -> Bool {
    for subtree in subtrees where topic.starts(with: subtree.utf8) { return true }
    if !leaves.isEmpty, topic.first != UInt8(ascii: "_"),
      let slash = topic.firstIndex(of: UInt8(ascii: "/"))
    {
      let leaf = UnsafeRawBufferPointer(rebasing: topic[slash...])
      for wanted in leaves where wanted.count == leaf.count && leaf.elementsEqual(wanted) {
        return true
      }
    }
    guard !exact.isEmpty else { return false }
    // A few names are compared faster than one is made of the bytes.
    if exact.count <= 4 { return exact.contains { topic.elementsEqual($0.utf8) } }
    return exact.contains(String(decoding: topic, as: UTF8.self))
  }
}

import BusProtocol

/// The topics that a reader wants, by the bytes of their names.
///
/// The bus filters by the first bytes of a message (`TopicHash`), which sends some readers more
/// than they want. The excess is dropped here, before it is decoded.
struct TopicFilter {
  private var exact: Set<String> = []
  private var subtrees: [String] = []
  /// Topics without the vehicle that are wanted for every vehicle, each with a leading `/`.
  private var leaves: [[UInt8]] = []

  /// Adds a pattern; false if it was present already.
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

  /// Removes a pattern; false if it was not present.
  mutating func remove(_ pattern: String) -> Bool {
    let before = exact.count + subtrees.count + leaves.count
    exact.remove(pattern)
    subtrees.removeAll { $0 == pattern }
    if pattern.hasPrefix(TopicName.everyVehicle) {
      leaves.removeAll { $0.elementsEqual(pattern.utf8.dropFirst()) }
    }
    return exact.count + subtrees.count + leaves.count < before
  }

  /// Whether the bus may send more than is wanted.
  ///
  /// It sends other topics with the same mark, or, to a reader of a vehicle's subtree, all topics.
  var isSentMore: Bool {
    !subtrees.contains("") && (!leaves.isEmpty || subtrees.contains { !$0.hasPrefix("_") })
  }

  var patterns: [String] {
    exact.sorted() + subtrees + leaves.map { "*" + String(decoding: $0, as: UTF8.self) }
  }

  func accepts(_ topic: String) -> Bool {
    var topic = topic
    return topic.withUTF8 { accepts(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a topic is wanted, by its name's bytes; the cost does not grow with the number of
  /// vehicles.
  func accepts(_ topic: UnsafeRawBufferPointer) -> Bool {
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
    // Comparing a few names is faster than building a string from the bytes.
    if exact.count <= 4 { return exact.contains { topic.elementsEqual($0.utf8) } }
    return exact.contains(String(decoding: topic, as: UTF8.self))
  }
}

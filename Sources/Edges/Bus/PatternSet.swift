/// Subscriptions as one question: whole names, and subtrees that end in `/`, or "" for all.
///
/// Each name is asked once, however many patterns overlap: building costs n log n of the patterns,
/// a name log n.
struct PatternSet {
  let names: Set<String>
  /// In order, none the beginning of another.
  private let subtrees: [[UInt8]]

  init(_ patterns: [String]) {
    names = Set(patterns.filter { !$0.isEmpty && !$0.hasSuffix("/") })
    let sorted = Set(patterns.filter { $0.isEmpty || $0.hasSuffix("/") })
      .map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    var apart: [[UInt8]] = []
    for subtree in sorted {
      if let last = apart.last, subtree.starts(with: last) { continue }
      apart.append(subtree)
    }
    subtrees = apart
  }

  var hasSubtrees: Bool { !subtrees.isEmpty }

  func matches(_ name: String) -> Bool {
    if names.contains(name) { return true }
    guard hasSubtrees else { return false }
    let bytes = Array(name.utf8)
    // Since none begins another, only the last one that does not follow the name can begin it.
    var low = 0
    var high = subtrees.count
    while low < high {
      let middle = (low + high) / 2
      if bytes.lexicographicallyPrecedes(subtrees[middle]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low > 0 && bytes.starts(with: subtrees[low - 1])
  }
}

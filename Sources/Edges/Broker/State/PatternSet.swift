import BusProtocol

/// A set of subscription patterns.
///
/// A pattern is a whole name, a subtree that ends in `/`, or "" for all. `*/` and a topic mean that
/// topic of every vehicle.
///
/// Each name is checked once, however many patterns overlap. Building costs n log n in the number
/// of patterns, checking a name log n.
struct PatternSet {
  let names: Set<String>
  /// Sorted; none is a prefix of another.
  private let subtrees: [[UInt8]]
  /// Topics without the vehicle that are wanted for every vehicle.
  private let leaves: Set<String>

  init(_ patterns: [String]) {
    leaves = Set(patterns.compactMap(TopicName.leafOfEveryVehicle))
    names = Set(
      patterns.filter {
        !$0.isEmpty && !$0.hasSuffix("/") && TopicName.leafOfEveryVehicle($0) == nil
      })
    let sorted = Set(patterns.filter { $0.isEmpty || $0.hasSuffix("/") })
      .map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    var apart: [[UInt8]] = []
    for subtree in sorted {
      if let last = apart.last, subtree.starts(with: last) { continue }
      apart.append(subtree)
    }
    subtrees = apart
  }

  /// Whether it accepts more names than it lists.
  var isOpen: Bool { !subtrees.isEmpty || !leaves.isEmpty }

  func matches(_ name: String) -> Bool {
    if names.contains(name) || isOfEveryVehicle(name) { return true }
    guard !subtrees.isEmpty else { return false }
    let bytes = Array(name.utf8)
    // Since none is a prefix of another, only the last one that does not follow the name can be its
    // prefix.
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

  private func isOfEveryVehicle(_ name: String) -> Bool {
    guard !leaves.isEmpty, !name.hasPrefix("_"), let slash = name.firstIndex(of: "/") else {
      return false
    }
    return leaves.contains(String(name[name.index(after: slash)...]))
  }
}

/// Names that are searched by prefix: n log n to build, log n plus the size of the result to
/// search.
struct SortedNames {
  private static let maximumRecent = 2_048

  private var settled: [String] = []
  /// Names added since, also sorted; few, so that insertion stays cheap.
  private var recent: [String] = []

  /// Adds a name that is not present yet.
  mutating func insert(_ name: String) {
    recent.insert(name, at: Self.place(of: name, in: recent))
    guard recent.count > Self.maximumRecent else { return }
    settled = Self.merged(settled[...], recent[...])
    recent = []
  }

  /// The matching names, sorted.
  func names(withPrefix prefix: String) -> [String] {
    Self.merged(Self.part(of: settled, prefix), Self.part(of: recent, prefix))
  }

  private static func part(of names: [String], _ prefix: String) -> ArraySlice<String> {
    let start = place(of: prefix, in: names)
    return names[start...].prefix { $0.hasPrefix(prefix) }
  }

  /// Index of the first name that is not less than `name`.
  private static func place(of name: String, in names: [String]) -> Int {
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func merged(_ a: ArraySlice<String>, _ b: ArraySlice<String>) -> [String] {
    guard !a.isEmpty, !b.isEmpty else { return Array(a.isEmpty ? b : a) }
    var all: [String] = []
    all.reserveCapacity(a.count + b.count)
    var (a, b) = (a, b)
    while let first = a.first, let second = b.first {
      all.append(first < second ? a.removeFirst() : b.removeFirst())
    }
    return all + a + b
  }
}

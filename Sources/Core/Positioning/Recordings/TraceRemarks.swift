/// Remarks about what was left out of a recording or looks wrong in it.
///
/// Each kind of remark has a count and a description of the first occurrence.
public struct TraceRemarks: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var kind: String
    var count: Int
    var first: String
  }

  private var entries: [Entry] = []
  private var indexByKind: [String: Int] = [:]

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// Counts one occurrence of a kind.
  ///
  /// `first` describes the position, and is called for the first occurrence only.
  public mutating func count(_ kind: String, first: () -> String) {
    if let index = indexByKind[kind] {
      entries[index].count += 1
      return
    }
    indexByKind[kind] = entries.count
    entries.append(Entry(kind: kind, count: 1, first: first()))
  }

  /// Adds a complete sentence.
  public mutating func add(_ sentence: String) {
    guard indexByKind[sentence] == nil else { return }
    indexByKind[sentence] = entries.count
    entries.append(Entry(kind: sentence, count: 0, first: ""))
  }

  /// One sentence for each kind, in the order of first occurrence.
  public var sentences: [String] {
    entries.map { $0.count == 0 ? $0.kind : "\($0.kind): \($0.count); the first: \($0.first)" }
  }
}

/// Finds the known word that an unknown word probably misspells.
public enum Suggestion {
  /// The word nearest to `word`; nil if none is near enough.
  public static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    let allowed = max(1, word.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in words.sorted() where candidate != word {
      let isPart =
        min(word.count, candidate.count) >= 3
        && (candidate.hasPrefix(word) || word.hasPrefix(candidate))
      // An abbreviation counts, however short it is, but a misspelling is nearer.
      let distance = isPart ? min(allowed, distance(word, candidate)) : distance(word, candidate)
      guard distance <= allowed, distance < best?.distance ?? .max else { continue }
      best = (candidate, distance)
    }
    return best?.word
  }

  /// Number of insertions, deletions, substitutions and swaps of neighbours from one to the other.
  ///
  /// The restricted distance of F. J. Damerau, "A technique for computer detection and correction
  /// of spelling errors", *Communications of the ACM* 7(3), 1964. Cost: the product of the lengths.
  public static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.lowercased().unicodeScalars)
    let b = Array(b.lowercased().unicodeScalars)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost = min(last[j] + 1, row[j - 1] + 1, change)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, before[j - 2] + 1)
        }
        row.append(cost)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}

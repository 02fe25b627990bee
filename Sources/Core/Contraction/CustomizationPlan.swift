/// The vertices that may be customized concurrently: subtrees of the elimination tree, then those
/// above them.
///
/// A vertex depends only on its descendants. Rounds run one after another; the parts of a round are
/// independent.
struct CustomizationPlan: Sendable {
  /// Ranges of ranks, each to be processed in ascending order.
  private(set) var rounds: [[Range<Int>]] = []

  /// Subtrees with less than this fraction of the work are not divided further.
  private static let share = 24

  init(firstUp: FlatArray<UInt32>, head: FlatArray<UInt32>) {
    let n = firstUp.count - 1
    guard n > 0 else { return }
    let work = FlatArray<UInt64>(repeating: 0, count: n)
    let size = FlatArray<UInt32>(repeating: 1, count: n)
    var total: UInt64 = 0
    for r in 0..<n {
      let degree = UInt64(firstUp[r + 1] - firstUp[r])
      work[r] += 8 + degree * degree
      guard degree > 0 else {
        total += work[r]
        continue
      }
      work[Int(head[Int(firstUp[r])])] += work[r]
      size[Int(head[Int(firstUp[r])])] += size[r]
    }
    // From the roots down: subtrees that are too large are divided, and their children are examined
    // in turn.
    var isAbove = [Bool](repeating: false, count: n)
    var wholes: [Range<Int>] = []
    for r in (0..<n).reversed() {
      let isRoot = firstUp[r + 1] == firstUp[r]
      let parent = isRoot ? r : Int(head[Int(firstUp[r])])
      guard isRoot || isAbove[parent] else { continue }
      if work[r] > total / UInt64(Self.share), size[r] > 1 {
        isAbove[r] = true
      } else if !isRoot || size[r] > 1 {
        // A vertex without any arc needs no work.
        wholes.append(r + 1 - Int(size[r])..<r + 1)
      }
    }
    rounds = [wholes.sorted { $0.count > $1.count }]
    rounds += Self.chains(isAbove, firstUp, head)
  }

  private static func chains(
    _ isAbove: [Bool], _ firstUp: FlatArray<UInt32>, _ head: FlatArray<UInt32>
  ) -> [[Range<Int>]] {
    var rounds: [[Range<Int>]] = []
    var level = [Int](repeating: 0, count: isAbove.count)
    var children = [UInt8](repeating: 0, count: isAbove.count)
    for r in isAbove.indices where isAbove[r] {
      if level[r] == rounds.count { rounds.append([]) }
      if let last = rounds[level[r]].last, last.upperBound == r {
        rounds[level[r]][rounds[level[r]].count - 1] = last.lowerBound..<r + 1
      } else {
        rounds[level[r]].append(r..<r + 1)
      }
      guard firstUp[r + 1] > firstUp[r] else { continue }
      let parent = Int(head[Int(firstUp[r])])
      children[parent] += 1
      level[parent] = max(
        level[parent], children[parent] > 1 || parent != r + 1 ? level[r] + 1 : level[r])
    }
    return rounds
  }
}

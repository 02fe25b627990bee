import Synchronization

/// The workbenches of a network, by how ways are weighed: of two who take turns at one, each would find forgotten what it knows.
///
/// Answers at once, those that wait, and whole traces are such.
final class WorkbenchPools: Sendable {
  private struct Kind {
    var tuning: MatcherTuning
    var pool = WorkbenchPool()
  }

  /// Kinds that are kept: what one knows of a city takes some megabytes.
  private static let greatestCount = 4

  /// Those asked for last come last.
  private let kinds = Mutex<[Kind]>([])
  private let modelCount = Mutex<UInt64>(0)

  /// The workbenches of all who weigh ways by these numbers; who has them keeps them when they are forgotten here.
  func pool(for tuning: MatcherTuning) -> WorkbenchPool {
    kinds.withLock { kinds in
      let kind: Kind
      if let index = kinds.firstIndex(where: { tuning.hasWays(of: $0.tuning) }) {
        kind = kinds.remove(at: index)
      } else {
        if kinds.count == Self.greatestCount { kinds.removeFirst() }
        kind = Kind(tuning: tuning)
      }
      kinds.append(kind)
      return kind.pool
    }
  }

  /// A number, from 1, that no other model of the network gets.
  func modelNumber() -> UInt64 {
    modelCount.withLock { count in
      count += 1
      return count
    }
  }
}

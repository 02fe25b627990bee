import Synchronization

/// The scratch pools of a network, one for each set of path parameters, since models sharing one
/// would evict each other's entries.
///
/// Such sets are those of online answers, of delayed answers and of whole traces.
final class ScratchPools: Sendable {
  private struct Kind {
    var tuning: MatcherTuning
    var pool = ScratchPool()
  }

  /// Number of pools kept: the cached data of a city takes some megabytes.
  private static let greatestCount = 4

  /// The least recently used comes first.
  private let kinds = Mutex<[Kind]>([])
  private let modelCount = Mutex<UInt64>(0)

  /// Returns the pool for all models with these path parameters; a caller keeps it even after it is
  /// dropped here.
  func pool(for tuning: MatcherTuning) -> ScratchPool {
    kinds.withLock { kinds in
      let kind: Kind
      if let index = kinds.firstIndex(where: { tuning.hasPathParameters(of: $0.tuning) }) {
        kind = kinds.remove(at: index)
      } else {
        if kinds.count == Self.greatestCount { kinds.removeFirst() }
        kind = Kind(tuning: tuning)
      }
      kinds.append(kind)
      return kind.pool
    }
  }

  /// Returns a number from 1 that no other model of the network gets.
  func modelNumber() -> UInt64 {
    modelCount.withLock { count in
      count += 1
      return count
    }
  }
}

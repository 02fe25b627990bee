import Synchronization

/// Searches that nobody uses at the moment: their memory is shared by all vehicles of a network.
final class SearchPool: Sendable {
  private let free = Mutex<[NetworkSearch]>([])

  /// A search of one's own, until it is given back.
  func take() -> NetworkSearch { free.withLock { $0.popLast() } ?? NetworkSearch() }

  func give(_ search: consuming sending NetworkSearch) {
    let search = search
    free.withLock { $0.append(search) }
  }
}

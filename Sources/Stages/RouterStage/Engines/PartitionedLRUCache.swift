/// The origin of a request whose result is cached.
enum RequestOrigin: Sendable {
  /// A vehicle on a trip.
  case driver
  /// A client over HTTP.
  case visitor
}

/// A cache of one kind of value, which evicts the least recently used.
///
/// Visitors have entries of their own: their requests never evict entries of drivers.
struct PartitionedLRUCache<Key, Value> {
  struct Entry {
    var key: Key
    var value: Value
    var requester: RequestOrigin
  }

  let driverLimit: Int
  let visitorLimit: Int
  /// The entries, the newest last.
  private(set) var entries: [Entry] = []

  init(drivers: Int, visitors: Int) {
    driverLimit = drivers
    visitorLimit = visitors
  }

  /// Returns the newest matching entry and makes it the most recent one; an entry of a driver stays
  /// one of a driver.
  mutating func use(_ requester: RequestOrigin, where fits: (Entry) -> Bool) -> Value? {
    entries.lastIndex(where: fits).map { use(requester, at: $0) }
  }

  /// Returns the entry with the lowest `rank`, which is nil for entries that do not match;
  /// otherwise like `use(_:where:)`.
  mutating func use(_ requester: RequestOrigin, leastBy rank: (Entry) -> Double?) -> Value? {
    let ranked = entries.indices.compactMap { place in rank(entries[place]).map { (place, $0) } }
    return ranked.min { $0.1 < $1.1 }.map { use(requester, at: $0.0) }
  }

  private mutating func use(_ requester: RequestOrigin, at place: Int) -> Value {
    var entry = entries.remove(at: place)
    if requester == .driver { entry.requester = .driver }
    entries.append(entry)
    trim()
    return entry.value
  }

  /// Returns the newest matching entry without changing the order.
  func newest(where fits: (Entry) -> Bool) -> Value? { entries.last(where: fits)?.value }

  mutating func put(_ key: Key, _ value: Value, _ requester: RequestOrigin) {
    entries.append(Entry(key: key, value: value, requester: requester))
    trim()
  }

  mutating func drop(where isUseless: (Entry) -> Bool) { entries.removeAll(where: isUseless) }

  private mutating func trim() {
    for (requester, limit) in [(RequestOrigin.driver, driverLimit), (.visitor, visitorLimit)] {
      while entries.count(where: { $0.requester == requester }) > limit,
        let oldest = entries.firstIndex(where: { $0.requester == requester })
      {
        entries.remove(at: oldest)
      }
    }
  }
}

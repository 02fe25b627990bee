/// Who asked for something that is kept for the next who asks.
enum Asker: Sendable {
  /// A vehicle under way.
  case driver
  /// Anybody who asks over HTTP.
  case visitor
}

/// What is kept of one kind, the longest unused given up first.
///
/// Visitors have places of their own: whatever they ask for, nothing of the drivers' is given up for it.
struct Shelf<Key, Value> {
  struct Entry {
    var key: Key
    var value: Value
    var asker: Asker
  }

  let driverLimit: Int
  let visitorLimit: Int
  /// The newest last.
  private(set) var entries: [Entry] = []

  init(drivers: Int, visitors: Int) {
    driverLimit = drivers
    visitorLimit = visitors
  }

  /// The newest entry that fits, which becomes the newest of all; whoever of the two asks, a driver's stays a driver's.
  mutating func take(_ asker: Asker, where fits: (Entry) -> Bool) -> Value? {
    entries.lastIndex(where: fits).map { take(asker, at: $0) }
  }

  /// The entry with the least of what `rank` says, nil for one that does not fit, as `take(_:where:)` gives it.
  mutating func take(_ asker: Asker, leastBy rank: (Entry) -> Double?) -> Value? {
    let ranked = entries.indices.compactMap { place in rank(entries[place]).map { (place, $0) } }
    return ranked.min { $0.1 < $1.1 }.map { take(asker, at: $0.0) }
  }

  private mutating func take(_ asker: Asker, at place: Int) -> Value {
    var entry = entries.remove(at: place)
    if asker == .driver { entry.asker = .driver }
    entries.append(entry)
    trim()
    return entry.value
  }

  /// The newest entry that fits, as it lies.
  func newest(where fits: (Entry) -> Bool) -> Value? { entries.last(where: fits)?.value }

  mutating func put(_ key: Key, _ value: Value, _ asker: Asker) {
    entries.append(Entry(key: key, value: value, asker: asker))
    trim()
  }

  mutating func drop(where isUseless: (Entry) -> Bool) { entries.removeAll(where: isUseless) }

  private mutating func trim() {
    for (asker, limit) in [(Asker.driver, driverLimit), (.visitor, visitorLimit)] {
      while entries.count(where: { $0.asker == asker }) > limit,
        let oldest = entries.firstIndex(where: { $0.asker == asker })
      {
        entries.remove(at: oldest)
      }
    }
  }
}

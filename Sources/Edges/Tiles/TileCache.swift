import Synchronization

/// Keeps the most recently used tiles, up to a number of bytes; safe to use from any thread.
public final class TileCache: Sendable {
  private let maker: TileMaker
  private let byteLimit: Int
  private let state = Mutex(State())

  private struct Entry {
    var bytes: [UInt8]
    var use: UInt64
  }

  private struct State {
    var entries: [TileAddress: Entry] = [:]
    var byteCount = 0
    var use: UInt64 = 0
    var hits = 0
    var misses = 0
  }

  /// A cache for `maker`, of at most `byteLimit` bytes; every entry counts as 64 more.
  public init(_ maker: TileMaker, byteLimit: Int = 64 * 1024 * 1024) {
    self.maker = maker
    self.byteLimit = byteLimit
  }

  /// Number of answers from the cache, and number of tiles that were made.
  public var figures: (hits: Int, misses: Int) { state.withLock { ($0.hits, $0.misses) } }

  public func tile(_ address: TileAddress) -> [UInt8] {
    let known: [UInt8]? = state.withLock { state in
      guard var entry = state.entries[address] else { return nil }
      state.use += 1
      state.hits += 1
      entry.use = state.use
      state.entries[address] = entry
      return entry.bytes
    }
    if let known { return known }
    let bytes = maker.tile(address)
    state.withLock { keep(bytes, of: address, in: &$0) }
    return bytes
  }

  private func keep(_ bytes: [UInt8], of address: TileAddress, in state: inout State) {
    state.use += 1
    state.misses += 1
    if let old = state.entries.updateValue(Entry(bytes: bytes, use: state.use), forKey: address) {
      state.byteCount -= cost(old.bytes)
    }
    state.byteCount += cost(bytes)
    guard state.byteCount > byteLimit else { return }
    // A quarter is removed at once, so that sorting is rare.
    for (address, entry) in state.entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard state.byteCount > byteLimit * 3 / 4 else { break }
      state.entries[address] = nil
      state.byteCount -= cost(entry.bytes)
    }
  }

  private func cost(_ bytes: [UInt8]) -> Int { bytes.count + 64 }
}

import Bus

/// Which vehicles' states are to be saved, when, and what was saved last.
///
/// What somebody has heard of is saved at once. Everything else waits: a quarter of a second, and
/// longer where there are so many vehicles, or such large states, that saving would be a burden.
struct StateKeeper {
  /// A state that nobody has heard of yet is saved within this time, if its turn comes.
  static let delayMS: Int64 = 250
  /// So many states are saved in one go.
  static let perTurn = 128
  /// States that nobody has heard of take no more of the bus than so many bytes a second.
  static let bytesPerSecond = 4 << 20

  let topic: String
  let program: String
  private(set) var nextSave = MonotonicTime(nanoseconds: .max)
  private var dirty: Set<String> = []
  /// The vehicles in `dirty` in the order in which they came, and some that are no longer in it.
  private var turns: [String] = []
  private var head = 0
  /// Fingerprint of what was saved last; a copy of it all would double the memory.
  private var saved: [String: Int] = [:]
  private var bytes = 0

  init(node: String, program: String) {
    topic = "_state/\(node)"
    self.program = program
  }

  /// Vehicles whose change has not been saved yet.
  var waiting: Int { dirty.count }

  /// Notes that a state may have changed.
  mutating func changed(_ vehicle: String) {
    guard dirty.insert(vehicle).inserted else { return }
    turns.append(vehicle)
    if nextSave == MonotonicTime(nanoseconds: .max) {
      nextSave = MonotonicTime.now.advanced(byMS: Self.delayMS)
    }
  }

  /// Takes the vehicles whose turn it is, at most `limit`.
  mutating func takeDue(_ limit: Int) -> [String] {
    var due: [String] = []
    while due.count < limit, head < turns.count {
      let vehicle = turns[head]
      head += 1
      if dirty.remove(vehicle) != nil { due.append(vehicle) }
    }
    if head * 2 > turns.count {
      turns.removeFirst(head)
      head = 0
    }
    return due
  }

  /// Rests until the next turn, the longer the more was saved in this one.
  mutating func rest(from now: MonotonicTime) {
    let restMS = max(Self.delayMS, Int64(bytes) * 1_000 / Int64(Self.bytesPerSecond))
    bytes = 0
    nextSave = dirty.isEmpty ? MonotonicTime(nanoseconds: .max) : now.advanced(byMS: restMS)
  }

  /// Whether a state differs from what was saved of the vehicle last; it counts as saved then.
  mutating func isNews(_ state: [UInt8]?, of vehicle: String) -> Bool {
    dirty.remove(vehicle)
    guard let state else { return saved.removeValue(forKey: vehicle) != nil }
    bytes += state.count
    let mark = Self.mark(state)
    return saved.updateValue(mark, forKey: vehicle) != mark
  }

  mutating func restored(_ vehicle: String, _ state: [UInt8]) {
    saved[vehicle] = Self.mark(state)
  }

  private static func mark(_ state: [UInt8]) -> Int {
    var hasher = Hasher()
    state.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

import BusProtocol

/// Decides which vehicles' states are saved, and when; remembers what was saved last.
///
/// A state with outputs that others have received is saved immediately. Every other state waits a
/// quarter of a second. It waits longer if saving would be a burden because of many vehicles or
/// large states.
struct SnapshotScheduler {
  /// Delay for states without received outputs.
  static let delayMS: Int64 = 250
  /// Maximum number of states that are saved at once.
  static let perTurn = 128
  /// Maximum bandwidth for states without received outputs, in bytes per second.
  static let bytesPerSecond = 4 << 20

  let topic: String
  let program: String
  private(set) var nextSave = MonotonicTime(nanoseconds: .max)
  private var dirty: Set<String> = []
  /// The vehicles in `dirty` in order, and some that are no longer in it.
  private var turns: [String] = []
  private var head = 0
  /// Hash of the last saved state; a copy of all states would double the memory.
  private var saved: [String: Int] = [:]
  private var bytes = 0

  init(node: String, program: String) {
    topic = "_state/\(node)"
    self.program = program
  }

  /// Vehicles whose change has not been saved yet.
  var waiting: Int { dirty.count }

  /// Records that a state may have changed.
  mutating func changed(_ vehicle: String) {
    guard dirty.insert(vehicle).inserted else { return }
    turns.append(vehicle)
    if nextSave == MonotonicTime(nanoseconds: .max) {
      nextSave = MonotonicTime.now.advanced(byMS: Self.delayMS)
    }
  }

  /// Removes and returns the vehicles whose turn it is, at most `limit`.
  mutating func popDue(_ limit: Int) -> [String] {
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

  /// Sets the pause until the next turn, which is longer if more was saved in this one.
  mutating func rest(from now: MonotonicTime) {
    let restMS = max(Self.delayMS, Int64(bytes) * 1_000 / Int64(Self.bytesPerSecond))
    bytes = 0
    nextSave = dirty.isEmpty ? MonotonicTime(nanoseconds: .max) : now.advanced(byMS: restMS)
  }

  /// Whether a state differs from the last saved one of the vehicle; it then counts as saved.
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

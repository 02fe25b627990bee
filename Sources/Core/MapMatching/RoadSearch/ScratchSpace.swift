import Synchronization

/// Scratch space for matching a fix, in addition to the state of its vehicle: grid cells, known
/// paths, a search.
///
/// Its size is bounded by the numbers of cells and trees kept; its content never changes an answer.
struct ScratchSpace: ~Copyable {
  var cells = GridCellCache()
  var trees = ShortestPathTreeCache()
  var search = NetworkSearch()
  /// The paths between the steps that are being connected.
  var drives = Arena<Transitions.Drive>()
  var targets = CandidateLookup()
  var bounds = DominanceBounds(nats: 0, behindNats: [])
  /// The memory of the last whole trace, reused by the next.
  var trace = TraceBuffers()
}

/// Buffers for matching whole traces, kept since each trace would otherwise allocate a megabyte.
struct TraceBuffers: Sendable {
  var steps = StepWindow()
  var entries: [OnlineMatcher.Entry] = []
  /// Removed steps of a long trace that may stay in the columns.
  static let spareCount = 512
  /// Memory for more steps or fixes is not kept between traces.
  static let keptCount = 4096
  static let entryLimit = 8192
}

/// Pool of unused scratch spaces, shared by all vehicles of a network that evaluate paths alike.
final class ScratchPool: Sendable {
  /// A scratch space at a fixed address: moving two kilobytes for each fix is expensive.
  private final class Place: Sendable {
    let scratch = Mutex(ScratchSpace())
  }

  /// Used first, and always in a single-threaded program: it takes no list and counts no reference.
  private let first = Mutex(ScratchSpace())
  private let free = Mutex<[Place]>([])

  /// Lends a scratch space to the caller exclusively.
  func lend<Value: Sendable>(_ body: (inout ScratchSpace) -> Value) -> Value {
    if let value = first.withLockIfAvailable({ body(&$0) }) { return value }
    let place = free.withLock { $0.popLast() } ?? Place()
    defer { free.withLock { $0.append(place) } }
    return place.scratch.withLock { body(&$0) }
  }
}

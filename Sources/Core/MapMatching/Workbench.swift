import Synchronization

/// What matching a fix needs beside the state of its vehicle: squares of the map, ways known, a search.
///
/// Bounded by the numbers of squares and trees that are kept; nothing in it changes an answer.
struct Workbench: ~Copyable {
  var cells = RoadCells()
  var trees = ReachTrees()
  var search = NetworkSearch()
  /// The ways between the steps that are connected at the moment.
  var drives = Arena<Transitions.Drive>()
  var targets = TargetNumbers()
  var worth = WayWorth(nats: 0, behindNats: [])
  /// The memory of the last whole trace, for the next.
  var trace = TraceMemory()
}

/// Lists that whole traces need while they are matched: a megabyte that would be asked of the system for each.
struct TraceMemory: Sendable {
  var steps = StepWindow()
  var entries: [OnlineMatcher.Entry] = []
  /// Forgotten steps of a long trace that may stay in the columns.
  static let spareCount = 512
  /// Memory for more steps, or fixes, is not kept from trace to trace.
  static let keptCount = 4096
  static let entryLimit = 8192
}

/// Workbenches that nobody uses at the moment: all vehicles of a network that weigh ways alike share them.
final class WorkbenchPool: Sendable {
  /// A workbench that stays where it is: two kilobytes are dear to move for each fix.
  private final class Place: Sendable {
    let bench = Mutex(Workbench())
  }

  /// Whoever asks while nobody has it gets this one, as a program of one thread does always: that takes no list and counts no reference.
  private let first = Mutex(Workbench())
  private let free = Mutex<[Place]>([])

  /// Lends a workbench of one's own.
  func lend<Value: Sendable>(_ body: (inout Workbench) -> Value) -> Value {
    if let value = first.withLockIfAvailable({ body(&$0) }) { return value }
    let place = free.withLock { $0.popLast() } ?? Place()
    defer { free.withLock { $0.append(place) } }
    return place.bench.withLock { body(&$0) }
  }
}

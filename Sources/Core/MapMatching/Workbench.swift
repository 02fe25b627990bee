import Synchronization

/// What matching a fix needs beside the state of its vehicle: squares of the map, ways known, a search.
///
/// Bounded by the numbers of squares and trees that are kept; nothing in it changes an answer.
struct Workbench: Sendable {
  var cells = RoadCells()
  var trees = ReachTrees()
  var search = NetworkSearch()
  /// The candidates that ways are sought to.
  var targets: [PlacedState] = []
}

/// Workbenches that nobody uses at the moment: all vehicles of a network share them.
final class WorkbenchPool: Sendable {
  private let free = Mutex<[Workbench]>([])

  /// A workbench of one's own, until it is given back.
  func take() -> Workbench { free.withLock { $0.popLast() } ?? Workbench() }

  func give(_ bench: consuming Workbench) {
    var given = Optional(bench)
    free.withLock { free in
      if let bench = given.take() { free.append(bench) }
    }
  }
}

public import Geodesy

/// Computes a small set of boxes that covers many places.
public enum RegionCover {
  /// Most boxes of a cover.
  public static let mostBoxes = 256
  /// Side of the smallest grid cells in degrees.
  private static let finestDeg = 1.0 / 256

  /// Boxes that cover all places, each at most one grid cell too large; empty for no places.
  ///
  /// Runs of occupied cells in a row become boxes; equal runs in adjacent rows are merged. The cell size doubles
  /// until at most `mostBoxes` remain. Cost: n log n in the places.
  public static func boxes(around places: some Sequence<Coordinate>) -> [BoundingBox] {
    var cells = Set(places.map { Cell($0) })
    var sideDeg = finestDeg
    while true {
      let boxes = joined(cells, sideDeg: sideDeg)
      if boxes.count <= mostBoxes { return boxes }
      cells = Set(cells.map(\.parent))
      sideDeg *= 2
    }
  }

  private struct Cell: Hashable {
    var row: Int
    var column: Int

    init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }

    init(_ place: Coordinate) {
      row = Int((place.latitudeDeg / finestDeg).rounded(.down))
      column = Int((place.longitudeDeg / finestDeg).rounded(.down))
    }

    /// The cell of twice the side that contains this one.
    var parent: Cell { Cell(row: row >> 1, column: column >> 1) }
  }

  private struct Run: Hashable {
    var first: Int
    var last: Int
  }

  private static func joined(_ cells: Set<Cell>, sideDeg: Double) -> [BoundingBox] {
    var boxes: [BoundingBox] = []
    // Runs of the row below, each with the first row of its box.
    var open: [Run: Int] = [:]
    func close(_ run: Run, from first: Int, to last: Int) {
      boxes.append(
        BoundingBox(
          southDeg: max(-90, Double(first) * sideDeg),
          westDeg: max(-180, Double(run.first) * sideDeg),
          northDeg: min(90, Double(last + 1) * sideDeg),
          eastDeg: min(180, Double(run.last + 1) * sideDeg)))
    }
    func closeAll(_ runs: [Run: Int], to last: Int) {
      for (run, first) in runs.sorted(by: { $0.key.first < $1.key.first }) {
        close(run, from: first, to: last)
      }
    }
    let rows = Dictionary(grouping: cells, by: \.row).mapValues { $0.map(\.column).sorted() }
    var lastRow: Int?
    for row in rows.keys.sorted() {
      if let lastRow, lastRow + 1 != row {
        closeAll(open, to: lastRow)
        open = [:]
      }
      let runs = self.runs(rows[row] ?? [])
      var next: [Run: Int] = [:]
      for run in runs { next[run] = open.removeValue(forKey: run) ?? row }
      closeAll(open, to: row - 1)
      open = next
      lastRow = row
    }
    if let lastRow { closeAll(open, to: lastRow) }
    return boxes
  }

  private static func runs(_ columns: [Int]) -> [Run] {
    var runs: [Run] = []
    for column in columns {
      if let last = runs.last, last.last + 1 == column {
        runs[runs.count - 1].last = column
      } else {
        runs.append(Run(first: column, last: column))
      }
    }
    return runs
  }
}

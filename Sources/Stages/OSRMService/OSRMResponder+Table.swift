import Geodesy
import OSRM
import RoadGraph
import Route
import RouterStage
import Routing

extension OSRMResponder {
  func table(_ options: OSRMTableOptions) throws(OSRMFault) -> [UInt8] {
    let engine = engine(request)
    let usual = try stops(engine.metric)
    let sources = options.sources ?? Array(usual.indices)
    let destinations = options.destinations ?? Array(usual.indices)
    var cells = try TableCells(
      sources, destinations, usual, matrix(sources, destinations, usual, engine))
    if cells.lacksAny {
      // As for a route whose usual places lead nowhere.
      let more = try stops(engine.metric, beyondCorners: true)
      if more != usual {
        let (rows, columns) = cells.lacking
        let found = try matrix(
          rows.map { sources[$0] }, columns.map { destinations[$0] }, more, engine)
        cells.fill(more, rows, columns, found)
      }
    }
    var table = OSRMTable(
      sources: cells.starts.map(\.waypoint), destinations: cells.ends.map(\.waypoint),
      durationsS: [], distancesM: [])
    for cell in cells.cells {
      table.durationsS.append(cell.isSame ? 0 : cell.found?.durationS)
      table.distancesM.append(cell.isSame ? 0 : cell.found?.lengthM)
    }
    if !query.exclude.isEmpty { try dropExcluded(&table, cells, engine) }
    return query.response(table: table, options: options, on: routing.graph)
  }

  private func matrix(
    _ sources: [Int], _ destinations: [Int], _ stops: [[SnapCandidate]], _ engine: RoutingEngine
  ) throws(OSRMFault) -> RouteMatrix {
    do throws(RouteFailure) {
      return try routing.withSpace { (space) throws(RouteFailure) in
        try engine.matrix(
          from: sources.map { stops[$0] }, to: destinations.map { stops[$0] },
          leavesOut: { sources[$0] == destinations[$1] }, in: &space, isCancelled: isCancelled)
      }
    } catch {
      throw OSRMFault(.noTable, "No table found")
    }
  }

  /// Removes the cells whose paths use excluded roads.
  ///
  /// Excluded roads cost much more than their travel time: only cells with such costs are examined.
  private func dropExcluded(
    _ table: inout OSRMTable, _ cells: TableCells, _ engine: RoutingEngine
  ) throws(OSRMFault) {
    for (index, cell) in cells.cells.enumerated() where !cell.isSame {
      guard let found = cell.found, Double(found.costMS) / 1000 > found.durationS + 1 else {
        continue
      }
      if isCancelled() { throw OSRMFault(.noTable, "The calculation was given up.") }
      var request = request
      request.waypoints = [cell.start, cell.end].compactMap(\.first).map {
        Waypoint(place: $0.coordinate)
      }
      let path = routing.withSpace { space in
        try? engine.paths(request, through: [cell.start, cell.end], in: &space).first
      }
      if let path, keepsExclusions(path.legs.flatMap(\.edges)) { continue }
      table.durationsS[index] = nil
      table.distancesM[index] = nil
    }
  }
}

/// The results for each pair of a table, row by row.
private struct TableCells {
  struct Cell {
    /// Whether the cell leads from a place to itself.
    var isSame: Bool
    var found: RouteMatrix.Cell?
    /// The candidates between which it was found.
    var start: [SnapCandidate]
    var end: [SnapCandidate]
  }

  private(set) var cells: [Cell] = []
  /// The positions of the places on the roads.
  private(set) var starts: [SnapCandidate]
  private(set) var ends: [SnapCandidate]
  private let sources: [Int]
  private let destinations: [Int]

  init(
    _ sources: [Int], _ destinations: [Int], _ stops: [[SnapCandidate]], _ matrix: RouteMatrix
  ) {
    (self.sources, self.destinations) = (sources, destinations)
    (starts, ends) = (matrix.sources, matrix.targets)
    for (row, source) in sources.enumerated() {
      for (column, destination) in destinations.enumerated() {
        let isSame = source == destination
        cells.append(
          Cell(
            isSame: isSame, found: isSame ? nil : matrix[row, column], start: stops[source],
            end: stops[destination]))
      }
    }
  }

  var lacksAny: Bool { cells.contains { !$0.isSame && $0.found == nil } }

  /// The rows and the columns with a missing cell, in ascending order.
  var lacking: (rows: [Int], columns: [Int]) {
    let lacking = cells.indices.filter { !cells[$0].isSame && cells[$0].found == nil }
    return (
      Set(lacking.map { $0 / destinations.count }).sorted(),
      Set(lacking.map { $0 % destinations.count }).sorted()
    )
  }

  /// Fills missing cells from a matrix between more candidates, for some rows and columns.
  ///
  /// A place without any earlier result then gets the position from which or to which a path was
  /// found.
  mutating func fill(
    _ stops: [[SnapCandidate]], _ someRows: [Int], _ someColumns: [Int], _ matrix: RouteMatrix
  ) {
    let (rows, columns) = (sources.indices, destinations.indices)
    let lacking = cells.map { !$0.isSame && $0.found == nil }
    var more = [RouteMatrix.Cell?](repeating: nil, count: cells.count)
    for (number, row) in someRows.enumerated() {
      for (other, column) in someColumns.enumerated() {
        more[row * columns.count + column] = matrix[number, other]
      }
    }
    func isBare(_ places: [Int]) -> Bool {
      places.allSatisfy { cells[$0].isSame || lacking[$0] }
        && places.contains { lacking[$0] && more[$0] != nil }
    }
    for row in rows where isBare(columns.map { row * columns.count + $0 }) {
      starts[row] = stops[sources[row]].last ?? starts[row]
    }
    for column in columns where isBare(rows.map { $0 * columns.count + column }) {
      ends[column] = stops[destinations[column]].last ?? ends[column]
    }
    for place in cells.indices where lacking[place] {
      guard let found = more[place] else { continue }
      cells[place].found = found
      cells[place].start = stops[sources[place / columns.count]]
      cells[place].end = stops[destinations[place % columns.count]]
    }
  }
}

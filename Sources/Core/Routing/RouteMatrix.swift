import Contraction
import Geodesy
import RoadGraph
public import Route

/// Costs, times and lengths of the paths from each of several places to each of several others.
public struct RouteMatrix: Hashable, Sendable {
  /// The cheapest path of one pair.
  public struct Cell: Hashable, Sendable {
    /// The cost of a route between the two places by the metric: equal to the millisecond.
    public var costMS: UInt64
    /// Seconds with the metric's traffic; 0 if measures were not requested.
    public var durationS: Double
    /// Metres of the whole path, of which a route omits less than half a metre at either end; 0 if
    /// not requested.
    public var lengthM: Double
  }

  public var rowCount: Int
  public var columnCount: Int
  /// Row by row; nil if no path leads from the roads nearest to one place to those nearest to the
  /// other.
  public var cells: [Cell?]
  /// The positions of the places on the roads: the nearest candidate of each.
  public var sources: [SnapCandidate]
  public var targets: [SnapCandidate]

  public subscript(row: Int, column: Int) -> Cell? { cells[row * columnCount + column] }
}

extension RoutingEngine {
  /// The matrix from `sources` to `targets`, each with any number of places.
  ///
  /// Each cell is what `path` finds between its two places in a first attempt: without violated
  /// restrictions, from the nearest roads. With `measures`, it includes time and length. With a
  /// hierarchy, the cost is a search for each place and 2 to 3 µs for each pair; without one, a
  /// search for each pair.
  ///
  /// - Throws: `RouteFailure` for a place off the map (`index` counts sources, then targets) or
  ///   cancellation.
  public func matrix(
    from sources: [Waypoint], to targets: [Waypoint], measures: Bool = true,
    in space: inout SearchSpace, isCancelled: () -> Bool = { false }
  ) throws(RouteFailure) -> RouteMatrix {
    let starts = try candidates(sources, firstIndex: 0, isOrigin: true)
    let ends = try candidates(targets, firstIndex: sources.count, isOrigin: false)
    return try matrix(
      from: starts, to: ends, measures: measures, in: &space, isCancelled: isCancelled)
  }

  /// The matrix between places with known candidates on the roads: one or more for each.
  ///
  /// Pairs for which `leavesOut` is true need no cell, such as a place and itself.
  ///
  /// - Throws: `cancelled`.
  public func matrix(
    from starts: [[SnapCandidate]], to ends: [[SnapCandidate]], measures: Bool = true,
    leavesOut: (_ row: Int, _ column: Int) -> Bool = { _, _ in false },
    in space: inout SearchSpace, isCancelled: () -> Bool = { false }
  ) throws(RouteFailure) -> RouteMatrix {
    var matrix = RouteMatrix(
      rowCount: starts.count, columnCount: ends.count,
      cells: [RouteMatrix.Cell?](repeating: nil, count: starts.count * ends.count),
      sources: starts.compactMap(\.first), targets: ends.compactMap(\.first))
    let search = EdgeSearch(metric: metric, customized: customized)
    let table = MatrixEndpoints(search: search, starts: starts, ends: ends)
    if let customized {
      table.fill(customized, measures: measures, in: &space, &matrix)
      if isCancelled() { throw .cancelled }
    }
    // Costs that exceed the hierarchy's range are left to plain searches, if that is possible.
    let mayOverflow =
      !metric.key.excludes && (!metric.key.avoid.isEmpty || metric.adjustments != nil)
    for row in starts.indices {
      for column in ends.indices {
        let isMissing = mayOverflow && matrix.cells[row * ends.count + column] == nil
        guard customized == nil || isMissing || table.needsSearch(row, column),
          !leavesOut(row, column)
        else { continue }
        if isCancelled() { throw .cancelled }
        matrix.cells[row * ends.count + column] = table.cell(row, column, in: &space)
      }
    }
    return matrix
  }

  private func candidates(
    _ places: [Waypoint], firstIndex: Int, isOrigin: Bool
  ) throws(RouteFailure) -> [[SnapCandidate]] {
    let tuning = metric.tuning
    let snapper = Snapper(metric: metric)
    var all: [[SnapCandidate]] = []
    for (index, waypoint) in places.enumerated() {
      guard waypoint.place.isValid else { throw .invalidWaypoint(index: firstIndex + index) }
      let radiusM = isOrigin ? tuning.originRadiusM : tuning.destinationRadiusM
      let found = snapper.candidates(for: waypoint, radiusM: radiusM)
      guard !found.isEmpty else {
        throw .couldNotMatchDestination(
          index: firstIndex + index,
          nearestM: snapper.nearestM(to: waypoint.place, withinM: 20_000))
      }
      all.append(found)
    }
    return all
  }
}

/// The two sides of a matrix in the form that a search needs.
private struct MatrixEndpoints {
  let search: EdgeSearch
  let sources: [[SearchSource]]
  let targets: [[SearchTarget]]

  private var metric: RoadMetric { search.metric }

  init(search: EdgeSearch, starts: [[SnapCandidate]], ends: [[SnapCandidate]]) {
    self.search = search
    let restrictions = search.metric.network.restrictions
    sources = starts.map { candidates in
      candidates.map {
        SearchSource(
          state: $0.position.edge.index, offsetM: $0.position.offsetM, costMS: $0.penaltyMS)
      }
    }
    targets = ends.map { candidates in
      candidates.flatMap { candidate in
        restrictions.states(on: candidate.position.edge.index).map {
          SearchTarget(
            state: $0, offsetM: candidate.position.offsetM, costMS: candidate.penaltyMS)
        }
      }
    }
  }

  /// The path of a pair with a common edge may lead along it, or around and back to it.
  func needsSearch(_ row: Int, _ column: Int) -> Bool {
    sources[row].contains { source in
      targets[column].contains { $0.state == source.state }
    }
  }

  func fill(
    _ customized: CustomizedMetric, measures: Bool, in space: inout SearchSpace,
    _ matrix: inout RouteMatrix
  ) {
    let restrictions = metric.network.restrictions
    let lengthMM = metric.network.graph.columns.lengthMM
    let sums = { (tail: Int, head: Int) -> HierarchySums in
      let (edge, next) = (restrictions.edge(of: tail), restrictions.edge(of: head))
      return HierarchySums(
        first: Int64(metric.latestMS[edge]) + Int64(metric.turnMS(from: edge, onto: next)),
        second: Int64(lengthMM[edge]))
    }
    let starts = sources.map { $0.map { search.seed($0) } }
    let ends = targets.map { $0.map { search.seed($0) } }
    space.table.fill(
      customized.weights, from: starts, to: ends, sums: measures ? sums : nil
    ) { row, column, cell in
      let source = sources[row][cell.source]
      let target = targets[column][cell.target]
      var durationS = 0.0
      var lengthM = 0.0
      if measures {
        durationS =
          Double(cell.sums.first) / 1000 - partS(source.state, source.offsetM)
          + partS(target.state, target.offsetM)
        lengthM = Double(cell.sums.second) / 1000 - source.offsetM + target.offsetM
      }
      matrix.cells[row * matrix.columnCount + column] = RouteMatrix.Cell(
        costMS: UInt64(max(0, cell.cost)), durationS: Double.maximum(0, durationS),
        lengthM: Double.maximum(0, lengthM))
    }
  }

  private func partS(_ state: Int, _ offsetM: Double) -> Double {
    let edge = metric.network.restrictions.edge(of: state)
    let lengthM = metric.network.graph.lengthM(EdgeID(edge))
    return lengthM > 0 ? Double(metric.latestMS[edge]) / 1000 * offsetM / lengthM : 0
  }

  /// One cell by a separate search.
  func cell(_ row: Int, _ column: Int, in space: inout SearchSpace) -> RouteMatrix.Cell? {
    let restrictions = metric.network.restrictions
    guard let found = search.run(from: sources[row], to: targets[column], in: &space) else {
      return nil
    }
    let source = sources[row][found.source]
    let states = (found.isDirect ? [] : [source.state]) + found.states
    let path = RoadPath(
      edges: states.map { EdgeID(restrictions.edge(of: $0)) }, startOffsetM: source.offsetM,
      endOffsetM: targets[column][found.target].offsetM)
    let graph = metric.network.graph
    let lengthM = path.edges.indices.reduce(0) {
      let part = path.part($1, graph)
      return $0 + part.toM - part.fromM
    }
    return RouteMatrix.Cell(
      costMS: found.costMS,
      durationS: metric.times(along: path).reduce(0) { $0 + $1.durations.latestS },
      lengthM: lengthM)
  }
}

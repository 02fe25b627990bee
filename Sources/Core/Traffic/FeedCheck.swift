public import RoadGraph

/// The values of a feed that cannot be used on a map, or only after a correction.
public struct FeedCheck: Hashable, Sendable {
  /// Rows or incidents that lie on no road of the map.
  public private(set) var unplaced = 0
  /// Names of the first of them, for people.
  public private(set) var unplacedNames: [String] = []
  /// Speeds above the plausible one of their road, which are clipped to it.
  public private(set) var clipped = 0
  public private(set) var clippedNames: [String] = []
  /// Incidents whose OpenLR line is malformed or fits no path, wherever they were placed instead.
  public private(set) var badOpenLR = 0
  public private(set) var badOpenLRNames: [String] = []

  private static let nameLimit = 3

  /// Checks flow; linear in the reports.
  public init(_ flow: FlowSnapshot, index: SegmentIndex, graph: RoadGraph) {
    var finder = EdgePartFinder(index, in: graph)
    for report in flow.reports {
      let parts = finder.parts(report.segment)
      if parts.isEmpty { add(unplaced: Self.name(report.segment)) }
      guard let mps = report.state.measuredSpeedMps,
        let bound = parts.map({ SpeedBound.mps(graph.attributes($0.edge)) }).min(), mps > bound
      else { continue }
      clipped += 1
      if clippedNames.count < Self.nameLimit {
        clippedNames.append(
          "\(Self.name(report.segment)): \(Int(mps.rounded())) m/s to \(Int(bound.rounded()))")
      }
    }
  }

  /// Checks incidents; an incident counts as placed if any of its segments is.
  public init(_ list: IncidentList, index: SegmentIndex, graph: RoadGraph) {
    var finder = EdgePartFinder(index, in: graph)
    for incident in list.incidents {
      guard let problem = incident.openLRProblem else { continue }
      badOpenLR += 1
      if badOpenLRNames.count < Self.nameLimit {
        badOpenLRNames.append("\(incident.id): OpenLR \(problem)")
      }
    }
    for incident in list.incidents
    where !incident.places.contains(where: { !finder.parts($0).isEmpty }) {
      let isNamed = !incident.segments.isEmpty
      let place = incident.latitudeDeg.flatMap { latitude in
        incident.longitudeDeg.map { "\(latitude), \($0)" }
      }
      add(
        unplaced: "\(incident.id): "
          + (isNamed
            ? "none of its \(incident.segments.count) segments is in the map"
            : place.map { "no road within 50 m of \($0)" }
              ?? incident.openLRProblem.map { "OpenLR \($0)" }
              ?? "it has neither segments nor a place")
      )
    }
  }

  private static func name(_ segment: SegmentReference) -> String {
    "way \(segment.way) from \(segment.from) to \(segment.to)"
  }

  private mutating func add(unplaced name: String) {
    unplaced += 1
    if unplacedNames.count < Self.nameLimit { unplacedNames.append(name) }
  }
}

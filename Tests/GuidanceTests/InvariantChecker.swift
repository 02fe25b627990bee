import Guidance
import Route

/// Keeps account of what a navigator says, and notes what must not be.
struct InvariantChecker {
  private(set) var faults: [String] = []
  private var active: Route?
  private var remainingM = Double.infinity
  // Only what was estimated may be taken back.
  private var isEstimated = false
  private var doneManeuvers: Set<Int> = []
  private var nextManeuvers: Set<Int> = []
  private var milestones: Set<MilestoneTracker.Milestone.Stop> = []
  /// It came after another one: what was boarded there is not boarded again.
  private var isChanged = false
  /// Of stops at one place only the first is told of.
  var skipsCoincident = false
  private var hasArrived = false
  private var tokens: Set<UInt64> = []
  private var asked: Set<String> = []
  private var answered: Set<String> = []
  private var reroutes: [RerouteReport.Reason: Bool] = [:]

  mutating func asked(_ call: String) { asked.insert(call) }

  /// What was under way at a crash has no end.
  mutating func crashed() { reroutes = [:] }

  mutating func check(_ outputs: [NavigatorOutput]) {
    for output in outputs { check(output) }
  }

  private mutating func check(_ holds: Bool, _ words: @autoclosure () -> String) {
    if !holds { faults.append(words()) }
  }

  private mutating func check(_ output: NavigatorOutput) {
    switch output {
    case .activate(let route, _, let replaces, _): activate(route, replaces)
    case .progress(let progress): check(progress)
    case .maneuverDone(let index, let route):
      check(route.id == active?.id, "a maneuver of another route is done")
      check(doneManeuvers.insert(index).inserted, "maneuver \(index) is done twice")
      check(index == 0 || doneManeuvers.contains(index - 1), "maneuver \(index - 1) is left out")
    case .nextManeuver(let index, let remainingM, _):
      if isEstimated { nextManeuvers = nextManeuvers.filter { $0 < index } }
      check(nextManeuvers.insert(index).inserted, "maneuver \(index) is the next twice")
      check(
        doneManeuvers.contains(index - 1), "maneuver \(index) is next before \(index - 1) is done")
      check(remainingM >= 0, "the next maneuver lies behind")
    case .milestone(let milestone, let route):
      check(route.id == active?.id, "a milestone of another route")
      check(milestone, on: route)
    case .arrived(_, let route):
      check(!hasArrived, "arrived twice")
      let added = milestones.count { if case .added = $0 { true } else { false } }
      check(
        added == route.addedStops.count || isChanged || skipsCoincident,
        "\(added) of \(route.addedStops.count) added stops are told of")
      hasArrived = true
    case .reroute(let report): check(report)
    case .requestRoute(let token, _, _, _, _), .requestTraffic(let token, _, _, _):
      check(tokens.insert(token).inserted, "token \(token) is used twice")
    case .answer(let call, _):
      guard call != "set" else { return }
      check(asked.contains(call), "an answer to \(call) that nobody asked")
      check(answered.insert(call).inserted, "two answers to \(call)")
    default: break
    }
  }

  private mutating func activate(_ route: Route?, _ replaces: String?) {
    let old = active?.id
    check(replaces == old, "replaces \(replaces ?? "nothing") where \(old ?? "nothing") is active")
    if route?.id != active?.id {
      remainingM = .infinity
      isEstimated = false
      doneManeuvers = []
      nextManeuvers = []
      milestones = []
      isChanged = active != nil
      hasArrived = false
    }
    active = route
  }

  private mutating func check(_ milestone: MilestoneTracker.Milestone, on route: Route) {
    check(milestones.insert(milestone.stop).inserted, "milestone \(milestone.stop) twice")
    switch milestone.stop {
    case .waypoint(let index):
      check(index > 0, "the first waypoint is a milestone")
      check(index < route.waypoints.count, "no such waypoint")
    case .added(let index):
      check(route.addedStops.indices.contains(index), "no such added stop")
      check(
        !milestones.contains(.waypoint(route.waypoints.count - 1)),
        "an added stop is told of after the destination")
      let earlier = index == 0 || milestones.contains(.added(index - 1))
      check(earlier || isChanged || skipsCoincident, "added stop \(index - 1) is left out")
    }
  }

  private mutating func check(_ progress: Progress) {
    check(progress.routeID == active?.id, "progress on a route that is not active")
    guard let route = active else { return }
    check(!hasArrived, "progress after the arrival")
    let before = remainingM
    check(
      progress.remainingM <= before + 1e-6 || isEstimated && !progress.isEstimated,
      "left grows from \(before) to \(progress.remainingM)")
    isEstimated = progress.isEstimated
    remainingM = progress.remainingM
    check(
      abs(progress.travelledM + progress.remainingM - route.lengthM) < 1e-6,
      "travelled and remaining make \(progress.travelledM + progress.remainingM) of \(route.lengthM)"
    )
    let left = progress.sections.map(\.remainingM)
    check(left == left.sorted(), "sections are not cumulative")
    check(progress.maneuvers.allSatisfy { $0.remainingM >= 0 }, "a maneuver ahead lies behind")
    check(!progress.maneuvers.isEmpty, "no maneuver is left before the arrival")
    check(progress.remainingS >= 0, "negative seconds")
    check(route.segments.indices.contains(progress.segment), "no such segment")
  }

  private mutating func check(_ report: RerouteReport) {
    let isOpen = reroutes[report.reason] ?? false
    if report.state == .started {
      check(!isOpen, "two reroutes for one reason at once")
      reroutes[report.reason] = true
    } else if [.completed, .failed, .cancelled, .dropped, .rejected].contains(report.state) {
      reroutes[report.reason] = false
    }
  }
}

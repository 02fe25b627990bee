import Geodesy
import RoadGraph
import Route

/// A path by which a waypoint was reached.
struct Arrival {
  var candidate: Int
  var state: Int
  var costMS: UInt64
  /// Milliseconds since the departure of the trip.
  var timeMS: UInt64 = 0
  /// Index of the arrival at the previous waypoint, and the leg from there.
  var before: Int
  var leg: RoadPath?
}

/// A possible continuation from a waypoint.
struct Departure {
  var source: SearchSource
  /// Index of the arrival that it follows.
  var arrival: Int
  /// Edges already driven from the waypoint to the source, and the offset at which the first one is
  /// entered.
  var lead: [EdgeID] = []
  var startOffsetM: Double
}

/// The possible continuations from waypoints.
struct Departures {
  let search: EdgeSearch
  private var metric: RoadMetric { search.metric }
  private var graph: RoadGraph { metric.network.graph }

  /// All continuations from the arrivals at waypoint `number` of a request.
  ///
  /// After a stopover the vehicle may turn back at a cost; at a pass-through point it goes straight
  /// on.
  func all(
    _ arrivals: [Arrival], _ candidates: [SnapCandidate], _ request: RouteRequest, _ number: Int
  ) -> [Departure] {
    var all: [Departure] = []
    let restMS = number > 0 ? UInt64((request.waypoints[number].restS ?? 0) * 1000) : 0
    for (index, arrival) in arrivals.enumerated() {
      let position = candidates[arrival.candidate].position
      let ahead = Departure(
        source: SearchSource(
          state: arrival.state, offsetM: position.offsetM, costMS: arrival.costMS,
          timeMS: arrival.timeMS + restMS),
        arrival: index, startOffsetM: position.offsetM)
      if number == 0 {
        all += cleared(ahead, request)
        continue
      }
      all.append(ahead)
      guard request.waypoints[number].kind == .stopover, let back = graph.twin(position.edge),
        metric.network.isUsable(back)
      else { continue }
      let offsetM = Double.maximum(0, graph.lengthM(back) - position.offsetM)
      all.append(
        Departure(
          source: SearchSource(
            state: back.index, offsetM: offsetM,
            costMS: arrival.costMS + metric.tuning.uTurnMS,
            timeMS: arrival.timeMS + restMS + metric.tuning.uTurnMS),
          arrival: index, startOffsetM: offsetM))
    }
    return all
  }

  // If no turn is wanted at the start: the continuations from the end of the clearance, with a cost
  // for early turns.
  private func cleared(_ departure: Departure, _ request: RouteRequest) -> [Departure] {
    let clearanceM = request.firstManeuverClearanceM
    let straightM = request.waypoints[0].place.distanceM(to: request.waypoints[1].place)
    guard clearanceM > 0, straightM > 2 * clearanceM else { return [departure] }
    var done: [Departure] = []
    var open = [(departure, clearanceM)]
    while let (next, leftM) = open.popLast(), done.count < 64 {
      let edge = EdgeID(metric.network.restrictions.edge(of: next.source.state))
      let restM = graph.lengthM(edge) - next.source.offsetM
      if restM >= leftM {
        done.append(next)
        continue
      }
      let steps = search.steps(from: next.source)
      if steps.isEmpty { done.append(next) }
      for step in steps {
        var following = next
        following.lead.append(edge)
        following.source = step.source
        if step.isTurn { following.source.costMS += metric.tuning.earlyTurnMS }
        open.append((following, leftM - restM))
      }
    }
    return done.isEmpty ? [departure] : done
  }
}

extension EdgeSearch {
  /// The continuations from the end of a source's edge, each as a source at the start of the next
  /// edge.
  func steps(from source: SearchSource) -> [(source: SearchSource, isTurn: Bool)] {
    let network = metric.network
    let edge = network.restrictions.edge(of: source.state)
    let head = network.graph.head(EdgeID(edge))
    guard let end = rest(of: source) else { return [] }
    var steps: [(source: SearchSource, isTurn: Bool)] = []
    for next in network.graph.edges(leaving: head) where network.isUsable(next) {
      guard
        let step = transition(source.state, edge, next.index, head.index, atMS: end.timeMS)
      else { continue }
      let units = Int8(
        bitPattern: network.headings.atTail[next.index] &- network.headings.atHead[edge])
      let isTurn =
        abs(Int(units)) > 25 && network.nodes[head.index].contains(.junction)
        || network.graph.twin(EdgeID(edge)) == next
      steps.append(
        (
          SearchSource(
            state: step.state, offsetM: 0, costMS: source.costMS + end.costMS + step.costMS,
            timeMS: end.timeMS + step.timeMS, isEntered: true), isTurn
        ))
    }
    return steps
  }

  /// Returns the cost of the rest of a source's edge, and when its end is reached; nil if it must
  /// not be driven.
  private func rest(of source: SearchSource) -> (costMS: UInt64, timeMS: UInt64)? {
    let edge = metric.network.restrictions.edge(of: source.state)
    // Uses the costs of this search, since those of an alternative are not the metric's.
    guard isTimed else { return (restMS(edge, source.offsetM), 0) }
    let share = 1 - share(of: edge, source.offsetM)
    let driven = metric.traversal(
      of: edge, share: share, atMS: source.timeMS, mayWait: source.isEntered)
    return driven.map { ($0.costMS, source.timeMS + $0.timeMS) }
  }
}

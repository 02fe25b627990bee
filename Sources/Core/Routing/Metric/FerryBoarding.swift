import Foundations
import RoadGraph

/// The mean wait for a ferry, half of the interval between two departures, where a path boards it.
///
/// A path from one piece of a ferry onto the next does not wait again.
extension RoadMetric {
  /// Whether a path from one edge onto the next boards a ferry.
  func boards(from e: Int, onto f: Int) -> Bool {
    network.traits[f].contains(.ferry) && !network.traits[e].contains(.ferry)
  }

  /// Waiting time for the ferry of an edge in milliseconds, by the prices of one moment.
  func boardingMS(of f: Int) -> UInt64 {
    UInt64(network.graph.attributes(EdgeID(f)).boardingS * 1000)
  }

  /// Waiting time between one edge and the next in milliseconds, by the prices of one moment.
  func boardingMS(from e: Int, onto f: Int) -> UInt64 {
    guard network.traits[f].contains(.boarding), boards(from: e, onto: f) else { return 0 }
    return boardingMS(of: f)
  }

  /// Waiting time in milliseconds between one edge and the next, for a vehicle that arrives at a
  /// given time.
  ///
  /// The time is in milliseconds since the departure of the metric's trip. If the ferry stops
  /// operating before the mean wait is over, the vehicle takes the last one, so that a vehicle that
  /// arrives within the hours gets across. If another interval begins in the meantime, the vehicle
  /// waits no longer than one that arrives then. Before a ferry that opens within the longest wait
  /// for closed roads, both waits are added. Therefore no vehicle boards earlier by arriving later.
  /// Linear in the changes during the wait.
  func boardingMS(from e: Int, onto f: Int, atMS timeMS: UInt64) -> UInt64 {
    guard boards(from: e, onto: f) else { return 0 }
    guard let clock, clock.timeline.changes(f), clock.timeline.rules != nil else {
      return boardingMS(from: e, onto: f)
    }
    let arrival = clock.moment(atMS: timeMS)
    var moment = arrival
    var now = value(of: f, at: moment, clock)
    if isForbidden(f, now.road) {
      guard let opening = ruleOpening(f, after: now.until, clock) else { return 0 }
      let waitMS = (opening.seconds(since: arrival) * 1000).rounded(.up)
      guard waitMS <= Double(tuning.waitMS) else { return 0 }
      moment = opening
      now = value(of: f, at: moment, clock)
    }
    var boards = moment.advanced(bySeconds: boardingS(f, now))
    while let change = now.until, change <= boards {
      now = value(of: f, at: change, clock)
      if isForbidden(f, now.road) {
        // The vehicle boards the last ferry just before it closes.
        boards = max(moment, change.advanced(bySeconds: -0.001))
        break
      }
      boards = min(boards, change.advanced(bySeconds: boardingS(f, now)))
    }
    return UInt64(Double.maximum(0, (boards.seconds(since: arrival) * 1000).rounded()))
  }

  private func boardingS(_ edge: Int, _ value: TimedRoadState) -> Double {
    value.road?.boardingS ?? network.graph.attributes(EdgeID(edge)).boardingS
  }

  /// When the rules that close a road open it; nil if not within the timeline.
  private func ruleOpening(_ edge: Int, after end: Instant?, _ clock: TripClock) -> Instant? {
    var end = end
    while let moment = end {
      let value = value(of: edge, at: moment, clock)
      if !isForbidden(edge, value.road) { return moment }
      end = value.until
    }
    return nil
  }
}

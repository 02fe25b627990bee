import Foundations
import Geodesy
import Positioning

/// A stationary period of a whole trace: its fixes belong to one place, however the receiver drifts
/// (MM-11).
struct StationaryPeriod: Hashable, Sendable {
  /// Numbers of the first and the last fix.
  var fixes: ClosedRange<Int>
  /// The middle position (median): the best estimate if errors are random.
  var place: Coordinate
  /// Distance in metres from there within which fixes return again and again.
  var spreadM: Double

  /// Bound of a stationary period as a multiple of the median distance of its fixes: arrivals and
  /// departures are farther away.
  private static let spreads = 2.5
  /// Seconds after which a vehicle that does not return has left.
  private static let awayS = 40.0
  /// Distance in metres beyond which the vehicle has left at once if the next fix confirms it.
  private static let awayM = 2 * StationaryDetector.reachM

  /// Returns the stationary periods of a trace in order, from fixes without a reported speed; n log
  /// n at most.
  static func all(in trace: [Fix], slowestMps: Double) -> [StationaryPeriod] {
    var stands: [StationaryPeriod] = []
    for core in cores(of: trace, slowestMps: slowestMps) {
      guard let last = stands.last else {
        stands.append(core.extended(in: trace, after: -1))
        continue
      }
      guard core.fixes.upperBound > last.fixes.upperBound else { continue }
      let stand = core.extended(in: trace, after: last.fixes.upperBound)
      if let both = last.joined(stand, in: trace) {
        stands[stands.count - 1] = both
      } else {
        stands.append(stand)
      }
    }
    return stands
  }

  /// Returns runs of fixes that stay within a circle for longer than a moving vehicle could.
  private static func cores(of trace: [Fix], slowestMps: Double) -> [StationaryPeriod] {
    var cores: [StationaryPeriod] = []
    var watch = StationaryDetector()
    var first = 0
    func close(_ circle: StationaryDetector.Circle?, before end: Int) {
      guard let circle, circle.isStationary(slowestMps: slowestMps) else { return }
      if let core = StationaryPeriod(trace, first..<end, circle.plane, slowestMps) {
        cores.append(core)
      }
    }
    for number in trace.indices {
      guard let time = trace[number].time, trace[number].place.isValid else { continue }
      // Most fixes belong to a moving vehicle: only what identifies the previous circle is kept.
      let since = watch.circle?.since
      let left = watch.leaves(trace[number].place, speedMps: trace[number].speedMps, at: time)
      guard watch.circle?.since != since else { continue }
      close(left, before: number)
      first = number
    }
    close(watch.circle, before: trace.count)
    return cores
  }

  /// Creates the period within `range` without the fixes of arrival and departure; nil if none is
  /// left.
  private init?(
    _ trace: [Fix], _ range: Range<Int>, _ plane: LocalPlane, _ slowestMps: Double
  ) {
    let numbers = range.filter { trace[$0].time != nil && trace[$0].place.isValid }
    let points = numbers.map { plane.point(trace[$0].place) }
    func middle(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
    guard !points.isEmpty else { return nil }
    let centre = PlanePoint(
      eastM: middle(points.map(\.eastM)), northM: middle(points.map(\.northM)))
    let distancesM = points.map { $0.distanceM(to: centre) }
    let spreadM = Double.maximum(StationaryDetector.leastM, Self.spreads * middle(distancesM))
    guard let first = distancesM.firstIndex(where: { $0 <= spreadM }),
      let last = distancesM.lastIndex(where: { $0 <= spreadM }), first < last
    else { return nil }
    fixes = numbers[first]...numbers[last]
    place = plane.coordinate(centre)
    self.spreadM = spreadM
    let seconds = seconds(in: trace)
    guard seconds >= StationaryDetector.leastS, 2 * spreadM < slowestMps * seconds else {
      return nil
    }
  }

  private func seconds(in trace: [Fix]) -> Double {
    guard let since = trace[fixes.lowerBound].time, let until = trace[fixes.upperBound].time
    else { return 0 }
    return until.seconds(since: since)
  }

  /// Returns the period extended by the fixes after `end` that drifted away and returned.
  private func extended(in trace: [Fix], after end: Int) -> StationaryPeriod {
    var stand = self
    let first = max(fixes.lowerBound, end + 1)
    let from = reached(in: trace, from: first, by: -1, within: (end + 1)...first)
    let to = reached(
      in: trace, from: fixes.upperBound, by: 1, within: fixes.upperBound...(trace.count - 1))
    stand.fixes = from...to
    return stand
  }

  /// Returns the last fix of the period that is reachable from one of its own fixes.
  private func reached(
    in trace: [Fix], from own: Int, by step: Int, within range: ClosedRange<Int>
  ) -> Int {
    var last = own
    var number = own + step
    var before = trace[own].time
    while range.contains(number), trace[number].speedMps == nil, let time = trace[number].time,
      let known = trace[last].time, let earlier = before,
      step > 0 ? time >= earlier : time <= earlier, abs(time.seconds(since: known)) <= Self.awayS,
      !(isFar(trace[number]) && isFar(trace[number - step]))
    {
      if trace[number].place.isValid, trace[number].place.distanceM(to: place) <= spreadM {
        last = number
      }
      before = time
      number += step
    }
    return last
  }

  /// Returns both periods as one in which the receiver drifted farther; nil if the vehicle has
  /// moved on between them.
  private func joined(_ next: StationaryPeriod, in trace: [Fix]) -> StationaryPeriod? {
    guard place.distanceM(to: next.place) <= StationaryDetector.reachM,
      let left = trace[fixes.upperBound].time, let came = trace[next.fixes.lowerBound].time,
      (0...Self.awayS).contains(came.seconds(since: left)),
      !isLeft(in: trace, fixes.upperBound..<next.fixes.lowerBound)
    else { return nil }
    let (own, other) = (Double(fixes.count), Double(next.fixes.count))
    let plane = LocalPlane(origin: place)
    let far = plane.point(next.place)
    let share = other / (own + other)
    return StationaryPeriod(
      fixes: fixes.lowerBound...next.fixes.upperBound,
      place: plane.coordinate(PlanePoint(eastM: share * far.eastM, northM: share * far.northM)),
      spreadM: Double.maximum(spreadM, next.spreadM))
  }

  /// Whether two successive fixes are far away.
  private func isLeft(in trace: [Fix], _ numbers: Range<Int>) -> Bool {
    zip(numbers, numbers.dropFirst()).contains { isFar(trace[$0]) && isFar(trace[$1]) }
  }

  private func isFar(_ fix: Fix) -> Bool {
    fix.place.isValid && fix.place.distanceM(to: place) > Self.awayM
  }

  private init(fixes: ClosedRange<Int>, place: Coordinate, spreadM: Double) {
    self.fixes = fixes
    self.place = place
    self.spreadM = spreadM
  }
}

public import Geodesy
public import RoadGraph
public import Route

/// The progress of a vehicle along a route; it only moves forward, except back from an estimate.
///
/// Finding a place costs the logarithm of the route's points, and a table look-up for its segments.
public struct RouteTrack: Hashable, Sendable {
  /// The route with the latest known traffic.
  public private(set) var route: Route
  /// Metres from the start; nil as long as the vehicle has not been on the route.
  public private(set) var travelledM: Double?
  /// Index of the segment at that place.
  public private(set) var segment: Int = 0
  /// Metres at which the vehicle was last observed; less than `travelledM` while that is estimated.
  public private(set) var seenM: Double?

  private let occurrences: [SegmentReference: [Int]]
  // Seconds from the start to the beginning of each span, one entry more than spans.
  private var latestBeforeS: [Double]
  private let freeFlowBeforeS: [Double]
  // The same, with only the driving seconds that depend on the driver's pace: none for turns, jams
  // and ferries.
  private var pacedBeforeS: [Double]
  // Seconds from the start to the beginning of each segment as computed, one entry more than segments.
  private let segmentBeforeS: [Double]

  public init(_ route: Route) {
    self.route = route
    var occurrences: [SegmentReference: [Int]] = [:]
    for (index, segment) in route.segments.enumerated() {
      occurrences[segment.reference, default: []].append(index)
    }
    self.occurrences = occurrences
    freeFlowBeforeS = Self.sums(route.spans.map(\.durations.freeFlowS))
    latestBeforeS = Self.sums(route.spans.map(\.durations.latestS))
    pacedBeforeS = Self.sums(route.spans.map(\.pacedS))
    segmentBeforeS = Self.sums(route.segments.map { max(0, $0.durationS) })
  }

  private static func sums(_ parts: [Double]) -> [Double] {
    var total = 0.0
    return [0]
      + parts.map { part in
        total += part
        return total
      }
  }

  /// A track that continues at a known place, as after a restart.
  ///
  /// `seenM` is where the vehicle was last observed, if `travelledM` was estimated.
  public init(_ route: Route, travelledM: Double?, seenM: Double?) {
    self.init(route)
    guard let travelledM else { return }
    self.travelledM = travelledM
    self.seenM = seenM.map { min($0, travelledM) }
    segment = segmentIndex(atM: travelledM)
  }

  /// Whether the position was not observed but extrapolated from the last observation.
  public var isEstimated: Bool { travelledM != seenM }

  /// Applies the latest traffic to the rest of the route; lengths and geometry stay the same.
  ///
  /// For the span that the vehicle is on, only the delay counts. The router times the rest of that
  /// span exactly and the track by shares, and the difference between the two is not traffic. The
  /// delay of the rest is spread over the whole span.
  ///
  /// - Returns: whether a speed, a jam factor or the seconds of a span changed visibly.
  /// - Throws: `PricingFault` if the prices do not belong to this route; nothing changes then.
  public mutating func reprice(_ prices: SpanTraffic) throws(PricingFault) -> Bool {
    try prices.check(against: route)
    var hasChanged = false
    for (place, entry) in prices.entries.enumerated() {
      let index = prices.firstSpan + place
      let before = route.spans[index]
      route.spans[index].durations.latestS = wholeLatestS(of: before, entry)
      if let flow = entry.flow {
        route.spans[index].trafficSpeedMps = flow.speedMps
        route.spans[index].jamFactor = flow.jamFactor
        route.spans[index].trafficKind = flow.kind
        route.spans[index].until = flow.until
      }
      hasChanged = hasChanged || route.spans[index].differsVisibly(from: before)
    }
    for index in route.sections.indices {
      route.sections[index].durations.latestS = route.spans[route.sections[index].spans]
        .reduce(0) { $0 + $1.durations.latestS }
    }
    route.durations.latestS = route.sections.reduce(0) { $0 + $1.durations.latestS }
    latestBeforeS = Self.sums(route.spans.map(\.durations.latestS))
    pacedBeforeS = Self.sums(route.spans.map(\.pacedS))
    return hasChanged
  }

  /// Whether the route still leads over one of these ways; true for none, which stand for any.
  ///
  /// Linear in the segments of the rest of the route.
  func usesAhead(_ ways: Set<Int64>) -> Bool {
    let fromM = travelledM ?? 0
    return ways.isEmpty
      || route.segments.contains {
        $0.startM + $0.lengthM >= fromM && ways.contains($0.reference.way)
      }
  }

  private func wholeLatestS(of span: RouteSpan, _ entry: SpanTraffic.Entry) -> Double {
    guard entry.lengthM < span.lengthM else { return entry.latestS }
    let leftShare = 1 - timeShare(of: span, atM: span.startM + span.lengthM - entry.lengthM)
    // Too little is left to draw conclusions about the whole span.
    guard leftShare > 0.02 else { return span.durations.latestS }
    return max(0, span.durations.freeFlowS + entry.delayS / leftShare)
  }

  // MARK: Following

  /// Where a match lies with regard to the route.
  public enum Fit: Hashable, Sendable {
    /// On it: metres from the start, never less than where the vehicle was last observed.
    case on(travelledM: Double, segment: Int)
    /// On a segment that the route does not use from here on.
    case off
  }

  // Distance in metres by which a match may lie behind the last position and still count as noise.
  private static let backwardNoiseM = 40.0

  /// Where `match` lies, given the seconds since the vehicle was last observed on the route.
  ///
  /// Estimates in the meantime may have been too far ahead, so a position behind them counts. If
  /// the route uses the segment several times, the nearest one ahead counts. A road that is driven
  /// twice is therefore not taken for its second occurrence.
  public func fit(_ match: VehicleLocation.Match, secondsSinceLast: Double, speedMps: Double?)
    -> Fit
  {
    let forward = forwardFit(
      match.segment, offsetM: match.offsetM, secondsSinceLast: secondsSinceLast)
    // A stationary vehicle has no direction: on a two-way road its match may face the wrong way. At
    // the start of a route that comes back over its first road, it is not at its end.
    guard (speedMps ?? 0) < 1.5, forward == nil || travelledM == nil,
      let turned = turnedFit(match)
    else { return forward ?? .off }
    guard let forward, case .on(let aheadM, _) = forward, case .on(let metres, _) = turned,
      aheadM < metres
    else { return turned }
    return forward
  }

  /// Length of the route between two positions that a driven path may leave out, such as short
  /// links, in metres.
  private static let missingM = 50.0

  /// Whether the route from the last position to `metres` was driven, by the path of the match.
  ///
  /// Without a path, the metres must be plausible for the seconds. Linear in the segments between
  /// the positions.
  func isDriven(
    to metres: Double, by match: VehicleLocation.Match, secondsSinceLast: Double
  ) -> Bool {
    guard let seenM, metres > seenM else { return true }
    if match.isTeleport { return false }
    // The path of a match starts at the previous location, which may have been estimated.
    guard !isEstimated else { return true }
    let (first, last) = (segmentIndex(atM: seenM), segmentIndex(atM: metres))
    // After a restart, the time since the last position is unknown and passed as 0.
    let isInTime =
      secondsSinceLast == 0
      || metres - seenM <= Self.missingM + 60 * max(1, secondsSinceLast)
    guard last > first + 1, !match.path.isEmpty else { return isInTime }
    let driven = Set(match.path)
    let missingM = route.segments[(first + 1)..<last].reduce(0) { sum, segment in
      let isDriven =
        driven.contains(segment.reference) || driven.contains(segment.reference.reversed)
      return isDriven ? sum : sum + segment.lengthM
    }
    return missingM <= Self.missingM
  }

  /// Whether a match points back along a road that the route has already used.
  ///
  /// The route may come back over this road later. A vehicle that has only turned round has not
  /// reached that later part yet.
  func isTurnBack(_ match: VehicleLocation.Match) -> Bool {
    guard seenM != nil else { return false }
    return (occurrences[match.segment.reversed] ?? []).contains { $0 <= segment }
  }

  // If the route itself turns back within this distance, the vehicle has only turned round early.
  private static let earlyTurnM = 400.0

  /// Whether a vehicle turned round only a little earlier than its route does.
  ///
  /// This holds if the place at `metres` is at most 400 m ahead with no stop before it.
  func isEarlyTurn(toM metres: Double) -> Bool {
    guard let seenM, metres - seenM <= Self.earlyTurnM else { return false }
    return sectionIndex(atM: metres) == sectionIndex(atM: seenM)
  }

  /// Whether a match lies on a road already used, farther back from the last position than noise
  /// explains.
  func isBehind(_ match: VehicleLocation.Match) -> Bool {
    guard let seenM, let index = occurrences[match.segment]?.last(where: { $0 <= segment }) else {
      return false
    }
    let found = route.segments[index]
    let intoM = match.offsetM - found.entryOffsetM
    return intoM >= 0 && found.startM + intoM < seenM - Self.backwardNoiseM
  }

  // Length of the route ahead that is searched for a vehicle after a sharp turn, in metres.
  private static let turnM = 100.0

  /// Returns the place on the route ahead for a fix whose match points back along the previous
  /// road.
  ///
  /// After a sharp turn onto a slow road, the previous road stays equally near for a while, so the
  /// fix itself decides. It must be nearer to the route than `withinM`, and no farther from the
  /// route than from the match.
  func placeAhead(
    of raw: Coordinate, _ match: VehicleLocation.Match, withinM: Double
  ) -> (travelledM: Double, segment: Int)? {
    guard let seenM, isTurnBack(match) else { return nil }
    let line = shape(fromM: seenM, toM: min(route.lengthM, seenM + Self.turnM))
    guard let found = line.projection(of: raw), found.offsetM > 1, found.distanceM <= withinM,
      found.distanceM <= raw.distanceM(to: match.place) + 2
    else { return nil }
    let metres = seenM + found.offsetM
    return (metres, segmentIndex(atM: metres))
  }

  /// Whether the route uses a segment anywhere.
  func uses(_ segment: SegmentReference) -> Bool { occurrences[segment] != nil }

  /// Returns the first place of a match ahead on the route, even if the vehicle cannot be there
  /// yet.
  ///
  /// The result is nil if the route does not use the segment ahead. It is also nil if the path to
  /// the match left the roads of the route.
  func laterPlace(of match: VehicleLocation.Match) -> (travelledM: Double, segment: Int)? {
    guard let seenM, match.path.allSatisfy(uses) else { return nil }
    for index in occurrences[match.segment] ?? [] {
      let segment = route.segments[index]
      let alongM = match.offsetM - segment.entryOffsetM
      // A match before the route enters the road, or after the route leaves it, is not on the
      // route.
      guard (-Self.backwardNoiseM...segment.lengthM + Self.backwardNoiseM).contains(alongM) else {
        continue
      }
      let metres = segment.startM + min(max(0, alongM), segment.lengthM)
      if metres > seenM { return (metres, index) }
    }
    return nil
  }

  private static let sureProbability = 0.6
  // Within this distance from the start a vehicle may be about to begin; farther along the route it
  // is not.
  private static let startM = 50.0

  /// Whether an uncertain match lies implausibly far ahead.
  ///
  /// A route that passes a place twice has two positions there, and a position wrongly taken for
  /// the later one is never corrected. The vehicle cannot be there right at the start, nor sooner
  /// than it can drive.
  public func isDoubtful(
    _ match: VehicleLocation.Match, atM metres: Double, secondsSinceLast: Double, speedMps: Double?
  ) -> Bool {
    let isSure = match.probability >= Self.sureProbability
    guard let seenM else {
      // A round trip ends where it begins, and it must be driven before it is over.
      guard metres > Self.startM, let start = route.shape.first else { return false }
      return start.distanceM(to: match.place) <= Self.startM
    }
    return !isSure
      && Self.isTooFar(fromM: seenM, toM: metres, seconds: secondsSinceLast, speedMps: speedMps)
  }

  /// Whether a position lies farther ahead than a vehicle can have driven in a number of seconds.
  ///
  /// It may have driven 1.5 times its current speed, or 45 m/s if its speed is not known.
  static func isTooFar(
    fromM: Double, toM: Double, seconds: Double, speedMps: Double?
  ) -> Bool {
    toM > fromM + startM + 1.5 * (speedMps ?? 30) * max(1, seconds)
  }

  /// The position of a match whose piece faces against the route, near the last position or the
  /// start.
  private func turnedFit(_ match: VehicleLocation.Match) -> Fit? {
    for index in occurrences[match.segment.reversed] ?? [] {
      let metres = projectedM(match.place, onSegment: index)
      guard metres > (seenM ?? 0) - Self.backwardNoiseM,
        metres < (travelledM ?? 0) + Self.backwardNoiseM
      else { continue }
      return .on(travelledM: max(metres, seenM ?? 0), segment: index)
    }
    return nil
  }

  private func forwardFit(
    _ reference: SegmentReference, offsetM: Double, secondsSinceLast: Double
  ) -> Fit? {
    let last = seenM ?? -.infinity
    // 60 m/s is faster than any road vehicle drives between two fixes.
    let reachM = seenM.map { $0 + 300 + 60 * max(1, secondsSinceLast) } ?? .infinity
    for index in occurrences[reference] ?? [] {
      let segment = route.segments[index]
      let intoM = min(max(0, offsetM - segment.entryOffsetM), segment.lengthM)
      let metres = segment.startM + intoM
      guard metres >= last - Self.backwardNoiseM, metres <= reachM else { continue }
      // Beyond the covered part of the first or last segment is off the route.
      let besideM = max(
        segment.entryOffsetM - offsetM, offsetM - segment.entryOffsetM - segment.lengthM)
      guard besideM <= Self.backwardNoiseM || (travelledM == nil && index == 0) else { continue }
      return .on(
        travelledM: max(metres, seenM ?? 0),
        segment: isEstimated ? index : max(index, self.segment))
    }
    return nil
  }

  private func projectedM(_ place: Coordinate, onSegment index: Int) -> Double {
    let segment = route.segments[index]
    let line = shape(fromM: segment.startM, toM: segment.startM + segment.lengthM)
    return segment.startM + (line.projection(of: place)?.offsetM ?? 0)
  }

  /// Moves to a position returned by `fit`; backwards only from an estimated one.
  public mutating func move(toM metres: Double, segment index: Int, isEstimated: Bool = false) {
    if isEstimated || !self.isEstimated {
      travelledM = max(travelledM ?? 0, metres)
      segment = max(segment, index)
    } else {
      travelledM = metres
      segment = index
    }
    if !isEstimated { seenM = travelledM }
  }

  /// Distance in metres between `place` and the remaining part of the route, and a little behind
  /// it.
  public func distanceM(from place: Coordinate) -> Double {
    let here = travelledM ?? 0
    let near = shape(fromM: max(0, (seenM ?? here) - 100), toM: min(route.lengthM, here + 3000))
    return near.projection(of: place)?.distanceM ?? .infinity
  }

  // MARK: Places

  /// The shape of the route between two offsets.
  public func shape(fromM: Double, toM: Double) -> Polyline {
    let first = shapeIndex(atM: fromM)
    let last = shapeIndex(atM: toM)
    var points = [coordinate(atM: fromM)]
    if first < last { points += route.shape[(first + 1)...last] }
    points.append(coordinate(atM: toM))
    return Polyline(points)
  }

  /// Index of the last shape point at or before `metres`, but never the last point of the shape.
  public func shapeIndex(atM metres: Double) -> Int {
    let index = Self.lastIndex(route.shapeOffsetsM.count) { route.shapeOffsetsM[$0] <= metres }
    return max(0, min(index, route.shape.count - 2))
  }

  /// The fraction of the distance between that point and the next, 0 to 1.
  public func shapeFraction(atM metres: Double) -> Double {
    guard route.shape.count > 1 else { return 0 }
    let index = shapeIndex(atM: metres)
    let length = route.shapeOffsetsM[index + 1] - route.shapeOffsetsM[index]
    guard length > 0 else { return 0 }
    return min(1, max(0, (metres - route.shapeOffsetsM[index]) / length))
  }

  public func coordinate(atM metres: Double) -> Coordinate {
    guard route.shape.count > 1 else {
      return route.shape.first ?? Coordinate(latitudeDeg: 0, longitudeDeg: 0)
    }
    let index = shapeIndex(atM: metres)
    return route.shape[index].interpolated(
      to: route.shape[index + 1], fraction: shapeFraction(atM: metres))
  }

  public func bearingDeg(atM metres: Double) -> Double? {
    guard route.shape.count > 1 else { return nil }
    let index = shapeIndex(atM: metres)
    return route.shape[index].bearingDeg(to: route.shape[index + 1])
  }

  public func segmentIndex(atM metres: Double) -> Int {
    max(0, Self.lastIndex(route.segments.count) { route.segments[$0].startM <= metres })
  }

  /// The road of a piece that the route uses; nil for any other piece.
  ///
  /// Logarithmic in the spans.
  public func road(of reference: SegmentReference) -> RoadFacts? {
    guard let index = occurrences[reference]?.first, !route.spans.isEmpty else { return nil }
    let segment = route.segments[index]
    return route.spans[spanIndex(atM: segment.startM + segment.lengthM / 2)].road
  }

  public func sectionIndex(atM metres: Double) -> Int {
    max(0, Self.lastIndex(route.sections.count) { route.sections[$0].startM <= metres })
  }

  public func spanIndex(atM metres: Double) -> Int {
    max(0, Self.lastIndex(route.spans.count) { route.spans[$0].startM <= metres })
  }

  private static func lastIndex(_ count: Int, where holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  // MARK: Times

  /// Seconds from one offset to another with the latest known traffic.
  public func latestS(fromM: Double, toM: Double) -> Double {
    max(0, secondsFromStart(latestBeforeS, toM) - secondsFromStart(latestBeforeS, fromM))
  }

  /// The same for a driver with an individual pace.
  public func latestS(fromM: Double, toM: Double, pace: DrivingPace) -> Double {
    let pacedS = secondsFromStart(pacedBeforeS, toM) - secondsFromStart(pacedBeforeS, fromM)
    return max(0, latestS(fromM: fromM, toM: toM) + (pace.ratio - 1) * max(0, pacedS))
  }

  /// The usual speed at the vehicle's position, m/s; nil in a jam, on a ferry, and if it is not
  /// known.
  public var usualMps: Double? {
    guard let travelledM, !route.spans.isEmpty else { return nil }
    let span = route.spans[spanIndex(atM: travelledM)]
    return span.isPaced ? span.baseSpeedMps : nil
  }

  public func freeFlowS(fromM: Double, toM: Double) -> Double {
    max(0, secondsFromStart(freeFlowBeforeS, toM) - secondsFromStart(freeFlowBeforeS, fromM))
  }

  private func secondsFromStart(_ before: [Double], _ metres: Double) -> Double {
    guard !route.spans.isEmpty else { return 0 }
    let index = spanIndex(atM: metres)
    let share = timeShare(of: route.spans[index], atM: metres)
    return before[index] + share * (before[index + 1] - before[index])
  }

  /// The share of a span's seconds that pass before an offset on it.
  ///
  /// It is computed from the seconds of the span's segments, which include the turns. On a route
  /// whose segments have no seconds, it is computed from metres. Logarithmic in the segments.
  private func timeShare(of span: RouteSpan, atM metres: Double) -> Double {
    guard span.lengthM > 0 else { return 1 }
    let byLength = min(1, max(0, (metres - span.startM) / span.lengthM))
    guard route.segments.indices.contains(span.segments.lowerBound),
      route.segments.count >= span.segments.upperBound
    else { return byLength }
    let startS = segmentBeforeS[span.segments.lowerBound]
    let wholeS = segmentBeforeS[span.segments.upperBound] - startS
    guard wholeS > 0 else { return byLength }
    let index = min(
      max(segmentIndex(atM: metres), span.segments.lowerBound), span.segments.upperBound - 1)
    let segment = route.segments[index]
    let into =
      segment.lengthM > 0 ? min(1, max(0, (metres - segment.startM) / segment.lengthM)) : 1
    let hereS =
      segmentBeforeS[index] + into * (segmentBeforeS[index + 1] - segmentBeforeS[index])
    return min(1, max(0, (hereS - startS) / wholeS))
  }
}

extension RouteSpan {
  /// Whether drivers choose their speed on it.
  fileprivate var isPaced: Bool { jamFactor < 1 && !road.isFerry && baseSpeedMps > 0 }

  /// Its seconds of driving at the usual speed, which depend on the driver's pace.
  fileprivate var pacedS: Double {
    isPaced ? min(max(0, durations.latestS), lengthM / baseSpeedMps) : 0
  }

  /// Whether a screen would show another colour or time: half a jam factor, or a second.
  fileprivate func differsVisibly(from before: RouteSpan) -> Bool {
    abs(jamFactor - before.jamFactor) >= 0.5
      || abs(durations.latestS - before.durations.latestS) >= 1
      || trafficKind != before.trafficKind
  }
}

extension RouteTrack: Codable {
  private enum CodingKeys: CodingKey {
    case route, travelledM, seenM, segment
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(Route.self, forKey: .route))
    travelledM = try container.decodeIfPresent(Double.self, forKey: .travelledM)
    seenM = try container.decodeIfPresent(Double.self, forKey: .seenM)
    segment = try container.decode(Int.self, forKey: .segment)
    guard route.segments.indices.contains(segment) || segment == 0 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "segment \(segment) of a route of \(route.segments.count)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(route, forKey: .route)
    try container.encodeIfPresent(travelledM, forKey: .travelledM)
    try container.encodeIfPresent(seenM, forKey: .seenM)
    try container.encode(segment, forKey: .segment)
  }
}

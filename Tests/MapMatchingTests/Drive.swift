import DrawnMaps
import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph

/// Fixes along lines of a `TinyMap` at a steady speed, with random errors.
struct Drive {
  var fixes: [Fix] = []
  var random: SplitMix64
  var sigmaM: Double
  var hasSpeed: Bool
  var now = Instant(seconds: 1_790_000_000)

  init(seed: UInt64 = 1, sigmaM: Double = 0, hasSpeed: Bool = true) {
    random = SplitMix64(seed: seed)
    self.sigmaM = sigmaM
    self.hasSpeed = hasSpeed
  }

  /// Adds a drive along a line, in metres east and north, with one fix every `intervalS` seconds.
  mutating func along(
    _ line: [(Double, Double)], speedMps: Double, intervalS: Double = 1
  ) {
    let way = Polyline(line.map { TinyMap.coordinate($0.0, $0.1) })
    var offset = 0.0
    while offset <= way.lengthM {
      if let place = way.coordinate(atM: offset) {
        add(place, bearingDeg: way.bearingDeg(atM: offset), speedMps: speedMps, intervalS)
      }
      offset += speedMps * intervalS
    }
  }

  mutating func stand(_ eastM: Double, _ northM: Double, seconds: Int) {
    for _ in 0..<seconds {
      add(TinyMap.coordinate(eastM, northM), bearingDeg: nil, speedMps: 0, 1)
    }
  }

  mutating func add(
    _ place: Coordinate, bearingDeg: Double?, speedMps: Double?, _ intervalS: Double
  ) {
    let noisy = LocalPlane(origin: place).coordinate(
      PlanePoint(eastM: sigmaM * random.gaussian(), northM: sigmaM * random.gaussian()))
    fixes.append(
      Fix(
        place: noisy, time: now, bearingDeg: hasSpeed ? bearingDeg : nil,
        speedMps: hasSpeed ? speedMps : nil, accuracyM: Double.maximum(3, sigmaM * 1.5)))
    now = now.advanced(bySeconds: intervalS)
  }
}

extension [Fix] {
  /// These fixes with places that have errors of `sigmaM` to the east and to the north.
  ///
  /// `correlation` is that of the errors of successive fixes, 0 (white noise) to 1 (AR(1)).
  func withErrors(seed: UInt64, sigmaM: Double, correlation: Double = 0) -> [Fix] {
    var random = SplitMix64(seed: seed)
    var (eastM, northM) = (sigmaM * random.gaussian(), sigmaM * random.gaussian())
    let newM = sigmaM * (1 - correlation * correlation).squareRoot()
    return map { fix in
      defer {
        eastM = correlation * eastM + newM * random.gaussian()
        northM = correlation * northM + newM * random.gaussian()
      }
      var fix = fix
      fix.place = LocalPlane(origin: fix.place).coordinate(
        PlanePoint(eastM: eastM, northM: northM))
      return fix
    }
  }
}

extension OnlineMatcher {
  /// A matcher for one mode on a drawn map.
  init(_ map: DrawnMap, mode: TravelMode = .car, tuning: MatcherTuning = MatcherTuning()) {
    self.init(network: MatchingNetwork(map, mode: mode), tuning: tuning)
  }

  /// The immediate matches of `fixes`.
  mutating func match(all fixes: [Fix]) -> [Match] { fixes.map { match($0).match } }
}

extension MatchingNetwork {
  init(_ map: DrawnMap, mode: TravelMode = .car) { self.init(graph: map.graph, mode: mode) }
}

extension DrawnMap {
  /// The place `eastM` to the east and `northM` to the north of a letter or digit.
  func coordinate(_ letter: Character, eastM: Double, northM: Double = 0) throws -> Coordinate {
    LocalPlane(origin: try coordinate(letter)).coordinate(
      PlanePoint(eastM: eastM, northM: northM))
  }

  /// The letters of the way that a fix is matched to; nil if it is on no road.
  func way(_ match: Match) -> String? {
    match.place.flatMap { letters(ofWay: $0.segment.way) }
  }

  /// The letters of the nodes along a path, in the direction of travel.
  func letters(_ path: [TravelState]) -> String {
    let ends = path.map { state in
      let ends = letters([state.edge])
      return state.isAgainst ? String(ends.reversed()) : ends
    }
    return (ends.first ?? "") + ends.dropFirst().map { $0.suffix(1) }.joined()
  }

  /// The reference of the road segment from one letter to another, by the letters of its way.
  func segment(_ way: String, _ from: Character, _ to: Character) throws -> SegmentReference {
    SegmentReference(way: try self.way(way), from: try osmID(from), to: try osmID(to))
  }
}

extension Match {
  /// Number of the road of a `TinyMap`: way id less 100.
  var road: Int? { place.map { Int($0.segment.way) - 100 } }
}

import Foundations
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

extension Match {
  /// Number of the road of a `TinyMap`: way id less 100.
  var road: Int? { place.map { Int($0.segment.way) - 100 } }
}

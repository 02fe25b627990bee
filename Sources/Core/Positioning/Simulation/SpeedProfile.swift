import Geodesy

/// The consecutive points of a plan's legs, with long pieces cut.
struct PlanPoints {
  let pieceM: Double
  var points: [Coordinate] = []
  var legOfPoint: [Int] = []
  var offsetsM: [Double] = []
  var standsS: [Double] = []
  /// Points with a traffic signal, and the signal's OSM node.
  var signals: [(point: Int, node: Int64)] = []

  /// Braking distance of a slow driver, in metres.
  private static let brakingM = 0.25

  init(pieceM: Double) { self.pieceM = pieceM }

  /// Adds a leg; its first point is repeated even if the previous leg ended there.
  mutating func append(_ leg: DriveLeg, index: Int) {
    let beginsAtStand =
      (standsS.last ?? 0) > 0
      || signals.last.map { $0.point == points.count - 1 } ?? false
    for (position, point) in leg.points.enumerated() {
      // A slow driver does not brake over a whole piece.
      if leg.isSlow, position == leg.points.count - 1, position > 0, let from = points.last {
        let length = from.distanceM(to: point)
        if length > 2 * Self.brakingM {
          let before = from.interpolated(to: point, fraction: 1 - Self.brakingM / length)
          let parts = max(1, Int((length / pieceM).rounded(.up)))
          for part in 1...parts {
            add(from.interpolated(to: before, fraction: Double(part) / Double(parts)), index)
          }
          add(point, index)
          continue
        }
      }
      if position > 0, let from = points.last {
        let length = from.distanceM(to: point)
        // Between two stops, the vehicle gains speed in the middle.
        let isBetweenStands =
          beginsAtStand && leg.points.count == 2
          && (leg.stopS != nil || leg.signal != nil)
        let parts = max(isBetweenStands ? 2 : 1, Int((length / pieceM).rounded(.up)))
        for part in 1..<max(2, parts) where part < parts {
          add(
            from.interpolated(to: point, fraction: Double(part) / Double(parts)), index)
        }
      }
      add(point, index)
    }
    if let stop = leg.stopS, !standsS.isEmpty { standsS[standsS.count - 1] = stop }
    if let node = leg.signal, !points.isEmpty { signals.append((points.count - 1, node)) }
  }

  private mutating func add(_ point: Coordinate, _ leg: Int) {
    let stepM = points.last?.distanceM(to: point) ?? 0
    offsetsM.append((offsetsM.last ?? 0) + stepM)
    points.append(point)
    legOfPoint.append(leg)
    standsS.append(0)
  }
}

/// The speed at each point of an outline.
struct SpeedProfile {
  /// Speed from stop to stop within one piece of the outline, for which the formulas have no
  /// solution.
  static let crawlMps = 0.5

  private(set) var speedsMps: [Double]
  private let offsetsM: [Double]
  /// Shape `[points]`: the value of each point's leg, see `DriveLeg`.
  private let leastSumsMps: [Double]
  private let driving: DrivingStyle

  init(_ line: PlanPoints, legs: [DriveLeg], driving: DrivingStyle) {
    offsetsM = line.offsetsM
    leastSumsMps = line.legOfPoint.map { legs[$0].leastSumMps }
    self.driving = driving
    speedsMps = line.legOfPoint.map { legs[$0].cruiseMps }
    let count = line.points.count
    for i in 0..<count {
      // Where two legs meet, the slower one determines the speed at both of their points.
      if i + 1 < count, offsetsM[i + 1] == offsetsM[i] {
        let slower = Double.minimum(speedsMps[i], speedsMps[i + 1])
        speedsMps[i] = slower
        speedsMps[i + 1] = slower
      }
      if line.standsS[i] > 0 || i + 1 == count { speedsMps[i] = 0 }
    }
    slowForTurns(line)
  }

  private mutating func slowForTurns(_ line: PlanPoints) {
    var previous: (bearing: Double, end: Int)?
    for i in 1..<max(1, line.points.count) where line.points[i] != line.points[i - 1] {
      let bearing = line.points[i - 1].bearingDeg(to: line.points[i])
      if let previous {
        let limit = driving.turnSpeedMps(
          angleDeg: Angle.differenceDeg(previous.bearing, bearing))
        for point in previous.end...(i - 1) {
          speedsMps[point] = Double.minimum(speedsMps[point], limit)
        }
      }
      previous = (bearing, i)
    }
  }

  /// Makes the vehicle stand at all points with a positive standing time.
  mutating func stop(where standsS: [Double]) {
    for point in standsS.indices where standsS[point] > 0 { speedsMps[point] = 0 }
  }

  /// Limits the acceleration and deceleration to what the vehicle can do.
  mutating func limit(entryMps: Double) {
    guard !speedsMps.isEmpty else { return }
    for i in speedsMps.indices.dropLast().reversed() {
      let reach = 2 * driving.decelerationMps2 * (offsetsM[i + 1] - offsetsM[i])
      speedsMps[i] = Double.minimum(
        speedsMps[i], (speedsMps[i + 1] * speedsMps[i + 1] + reach).squareRoot())
    }
    speedsMps[0] = Double.minimum(speedsMps[0], entryMps)
    for i in speedsMps.indices.dropFirst() {
      let reach = 2 * driving.accelerationMps2 * (offsetsM[i] - offsetsM[i - 1])
      speedsMps[i] = Double.minimum(
        speedsMps[i], (speedsMps[i - 1] * speedsMps[i - 1] + reach).squareRoot())
    }
  }

  /// Raises the speeds at the start to those of a vehicle that brakes from `speedMps` at its
  /// deceleration.
  mutating func brake(fromMps speedMps: Double, standsS: [Double]) {
    for i in speedsMps.indices.dropLast() where standsS[i] == 0 {
      let square = speedMps * speedMps - 2 * driving.decelerationMps2 * offsetsM[i]
      guard square > speedsMps[i] * speedsMps[i] else { return }
      speedsMps[i] = square.squareRoot()
    }
  }

  /// Seconds from the start to the arrival at each point.
  func arrivals(standsS: [Double]) -> [Double] {
    var arrivals: [Double] = []
    var now = 0.0
    for i in speedsMps.indices {
      if i > 0 {
        let length = offsetsM[i] - offsetsM[i - 1]
        let sum = speedsMps[i] + speedsMps[i - 1]
        let usedMps = sum < leastSumsMps[i] ? Self.crawlMps : sum
        now += length > 0 ? 2 * length / usedMps : 0
      }
      arrivals.append(now)
      now += standsS[i]
    }
    return arrivals
  }
}

import Foundations
import Geodesy

/// A scripted drive of the indicator, which Swift and JavaScript replay.
struct MotionCase {
  enum Step {
    case follow([Coordinate]?)
    case fix(Fix)
    /// Frames at these times, seconds; the position after the last is compared.
    case frames([Double])
  }

  struct Fix {
    /// Seconds of event time, and the moment at which it arrives.
    var at: Double
    var now: Double?
    var place: Coordinate
    var bearingDeg: Double?
    var speedMps: Double?
    var offsetM: Double?
  }

  var name: String
  var steps: [Step] = []
  /// Highest speed of the vehicle; nil if the indicator may jump.
  var limitMps: Double?
  /// Time of the newest frame, seconds.
  private var nowS = 0.0

  init(_ name: String, limitMps: Double?) {
    self.name = name
    self.limitMps = limitMps
  }

  mutating func follow(_ points: [Coordinate]?) { steps.append(.follow(points)) }

  mutating func fix(
    _ at: Double, _ place: Coordinate, now: Double? = nil, bearing: Double? = nil,
    speed: Double?, offset: Double? = nil
  ) {
    steps.append(
      .fix(
        Fix(
          at: at, now: now, place: place, bearingDeg: bearing, speedMps: speed, offsetM: offset)))
    nowS = max(nowS, now ?? at)
  }

  /// Frames until `end`, at one of the rates or at irregular times; compared twice a second.
  mutating func frames(until end: Double, _ rate: FrameRate) {
    while nowS < end - 1e-9 {
      let stop = min(end, nowS + 0.5)
      steps.append(.frames(rate.times(from: nowS, to: stop)))
      nowS = stop
    }
  }
}

enum FrameRate: Hashable {
  case hz(Double)
  /// Bursts and pauses, as on a busy machine.
  case irregular

  func times(from start: Double, to end: Double) -> [Double] {
    var times: [Double] = []
    var now = start
    var number = 0
    while true {
      switch self {
      case .hz(let hz): now += 1 / hz
      case .irregular: now += [0.004, 0.11, 0.016, 0.037, 0.23][number % 5]
      }
      number += 1
      guard now < end - 1e-6 else { break }
      times.append((now * 1e6).rounded() / 1e6)
    }
    return times + [end]
  }
}

extension MotionCase {
  static let origin = Coordinate(latitudeDeg: 47, longitudeDeg: 9)

  static func place(_ eastM: Double, _ northM: Double, from origin: Coordinate = origin)
    -> Coordinate
  {
    let place = LocalPlane(origin: origin).coordinate(PlanePoint(eastM: eastM, northM: northM))
    // Ten decimals, so that both languages read the same number.
    return Coordinate(
      latitudeDeg: (place.latitudeDeg * 1e10).rounded() / 1e10,
      longitudeDeg: (place.longitudeDeg * 1e10).rounded() / 1e10)
  }

  static let straight = (0...20).map { place(Double($0) * 100, 0) }
  /// East, around a corner to the north, then a bend to the north-west.
  static let corner = [
    place(0, 0), place(120, 0), place(120, 90), place(117, 110), place(108, 127), place(20, 220),
  ]
  /// Leaves `straight` at 150 m to the north-east, 12 m off it where the vehicle is.
  static let another = [place(80, -8), place(150, -8), place(186, 86), place(330, 470)]
  static let spike = [place(0, 0), place(60, 0), place(0, 0.5), place(-60, 0.5)]

  static let all: [MotionCase] =
    [.hz(10), .hz(30), .hz(60), .irregular].map { noisy($0) } + [
      bends, braking, lost, unmeasured, reroute, lateDeviation, offTheRoad, uTurn, jump, clocks,
      antimeridian, end,
    ]

  static func name(of rate: FrameRate) -> String {
    switch rate {
    case .hz(let hz): "\(Int(hz)) Hz"
    case .irregular: "irregular frames"
    }
  }

  /// Fixes each second, up to 3 m off, with frames at a rate.
  static func noisy(_ rate: FrameRate) -> MotionCase {
    var drive = MotionCase("noisy fixes on a straight road, \(name(of: rate))", limitMps: 14.5)
    drive.follow(straight)
    for second in 0..<8 {
      let along = 14 * Double(second) + [2.0, -3, 1.5, -1, 3, 0, -2.5, 2][second]
      drive.fix(
        Double(second), place(along, 0), speed: 14 + [0, 0.3, -0.3, 0.1][second % 4], offset: along)
      drive.frames(until: Double(second) + 1, rate)
    }
    return drive
  }

  static var bends: MotionCase {
    var drive = MotionCase("around a corner and a bend", limitMps: 12.5)
    drive.follow(corner)
    for second in 0..<12 {
      let along = min(9 * Double(second) + 80, 330)
      let speed = 9.0 + [0, 1, -1][second % 3]
      drive.fix(
        Double(second), Polyline(corner).coordinate(atM: along) ?? origin, speed: speed,
        offset: along)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    return drive
  }

  /// Brakes to a stop, stands with noise, drives on.
  static var braking: MotionCase {
    var drive = MotionCase("a stop at a traffic light", limitMps: 13.5)
    drive.follow(straight)
    let speeds = [12.0, 9, 5, 1, 0, 0, 0, 0, 2, 5, 8]
    let offsets = [100.0, 110.6, 117.5, 120.2, 120.4, 122.8, 117.1, 121, 122, 125.6, 132]
    for (second, (speed, offset)) in zip(speeds, offsets).enumerated() {
      drive.fix(Double(second), place(offset, 0), speed: speed, offset: offset)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    return drive
  }

  static var lost: MotionCase {
    var drive = MotionCase("no fix for 20 seconds", limitMps: 15.5)
    drive.follow(straight)
    for second in 0..<3 {
      drive.fix(
        Double(second), place(15 * Double(second), 0), speed: 15, offset: 15 * Double(second))
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    drive.frames(until: 22, .hz(10))
    for second in 22..<26 {
      let along = 122 + 8 * Double(second - 22)
      drive.fix(Double(second), place(along, 0), speed: 8, offset: along)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    return drive
  }

  static var unmeasured: MotionCase {
    var drive = MotionCase("fixes without a speed, on and off the road", limitMps: 14)
    drive.follow(straight)
    for second in 0..<4 {
      drive.fix(
        Double(second), place(12 * Double(second), 0), speed: nil, offset: 12 * Double(second))
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    for second in 4..<8 {
      drive.fix(
        Double(second), place(12 * Double(second), 2 * Double(second - 3)), bearing: 80, speed: nil)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    return drive
  }

  /// Leaves the route, and gets another one whose direction differs by 69 degrees.
  static var reroute: MotionCase {
    var drive = MotionCase("another route after a wrong turn", limitMps: 12.5)
    drive.follow(straight)
    for second in 0..<9 {
      drive.fix(
        Double(second), place(60 + 12 * Double(second), 0), speed: 12,
        offset: 60 + 12 * Double(second))
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    drive.fix(9, place(165, 9), bearing: 21, speed: 12)
    drive.frames(until: 10.2, .hz(30))
    drive.follow(another)
    drive.frames(until: 10.3, .hz(30))
    for second in 10..<16 {
      let along = 105 + 12 * Double(second - 10)
      drive.fix(
        Double(second), Polyline(another).coordinate(atM: along) ?? origin,
        now: max(10.3, Double(second)), speed: 12, offset: along)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    return drive
  }

  /// A deviation that is detected when the vehicle is already 40 m away, and the way back.
  static var lateDeviation: MotionCase {
    var drive = MotionCase("a deviation that is detected late", limitMps: nil)
    drive.follow(straight)
    for second in 0..<3 {
      let along = 14 * Double(second)
      drive.fix(Double(second), place(along, 0), speed: 14, offset: along)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    for second in 3..<6 {
      let north = 40 + 14 * Double(second - 3)
      drive.fix(Double(second), place(30, north), bearing: 0, speed: 14)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    drive.fix(6, place(80, 0), speed: 14, offset: 80)
    drive.frames(until: 8, .hz(30))
    return drive
  }

  static var offTheRoad: MotionCase {
    var drive = MotionCase("off the road, with and without a bearing", limitMps: 6.5)
    for second in 0..<8 {
      let bearing: Double? = second == 5 ? nil : [350, 355, 2, 8, 60, 0, 130, 200][second]
      drive.fix(
        Double(second), place(Double(second % 3), 6 * Double(second)), bearing: bearing,
        speed: second == 7 ? 0.2 : 6)
      drive.frames(until: Double(second) + 1, .irregular)
    }
    return drive
  }

  static var uTurn: MotionCase {
    var drive = MotionCase("a U-turn of the line", limitMps: 7.5)
    drive.follow(spike)
    for second in 0..<8 {
      let along = 40 + 6 * Double(second)
      drive.fix(
        Double(second), Polyline(spike).coordinate(atM: along) ?? origin, speed: 6, offset: along)
      drive.frames(until: Double(second) + 1, .hz(30))
    }
    return drive
  }

  static var jump: MotionCase {
    var drive = MotionCase("jumps along the route and away from it", limitMps: nil)
    drive.follow(straight)
    drive.fix(0, place(0, 0), speed: 10, offset: 0)
    drive.frames(until: 1, .hz(30))
    drive.fix(1, place(1500, 0), speed: 10, offset: 1500)
    drive.frames(until: 2, .hz(30))
    drive.fix(2, place(300, 900), bearing: 180, speed: 10)
    drive.frames(until: 3, .hz(30))
    drive.follow(corner)
    drive.fix(3, place(50, 0), speed: 10, offset: 50)
    drive.frames(until: 4, .hz(30))
    return drive
  }

  /// Fixes that arrive early, late, twice, and from another drive.
  static var clocks: MotionCase {
    var drive = MotionCase("fixes at odd times", limitMps: nil)
    drive.follow(straight)
    drive.fix(10, place(100, 0), now: 10.4, speed: 10, offset: 100)
    drive.frames(until: 10.9, .hz(30))
    drive.fix(11, place(111, 0), now: 10.9, speed: 11, offset: 111)
    drive.frames(until: 11.6, .hz(30))
    drive.fix(11, place(111.5, 0), now: 11.6, speed: 11, offset: 111.5)
    drive.frames(until: 12.5, .hz(60))
    drive.fix(10.5, place(106, 0), now: 12.2, speed: 10, offset: 106)
    drive.frames(until: 13, .hz(60))
    drive.fix(2, place(20, 0), now: 2, speed: 10, offset: 20)
    drive.steps.append(.frames([2.1, 2.3, 2.6, 3]))
    return drive
  }

  static var antimeridian: MotionCase {
    let start = Coordinate(latitudeDeg: -17, longitudeDeg: 179.9995)
    let line = (0...4).map { place(Double($0) * 40, Double($0 * $0), from: start) }
    var drive = MotionCase("across the antimeridian", limitMps: 11.5)
    drive.follow(line)
    for second in 0..<6 {
      let along = 20 + 11 * Double(second)
      drive.fix(
        Double(second), Polyline(line).coordinate(atM: along) ?? start, speed: 11, offset: along)
      drive.frames(until: Double(second) + 1, .hz(10))
    }
    drive.follow(nil)
    drive.fix(6, place(90, 4, from: start), bearing: 80, speed: 11)
    drive.frames(until: 7, .hz(10))
    return drive
  }

  static var end: MotionCase {
    var drive = MotionCase("the end of the route, and after it", limitMps: 20.5)
    drive.follow(straight)
    drive.fix(0, place(1970, 0), speed: 20, offset: 1970)
    drive.frames(until: 3, .hz(30))
    drive.fix(3, place(1999, 0), speed: 4, offset: 1999)
    drive.frames(until: 5, .hz(30))
    drive.follow(nil)
    drive.fix(5, place(2002, 3), bearing: 90, speed: 0)
    drive.frames(until: 16, .hz(10))
    return drive
  }
}

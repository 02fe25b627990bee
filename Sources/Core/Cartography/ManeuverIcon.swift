import RealModule

/// The content of a maneuver's picture.
public struct ManeuverSymbol: Hashable, Sendable {
  public enum Action: String, Hashable, Sendable {
    case depart
    case arrive
    case `continue`
    case turn
    case uTurn = "u_turn"
    case fork
    case exit
    case ramp
    case merge
    case roundabout
    case ferry
  }

  public var action: Action
  /// Angle of a turn in degrees, right positive.
  public var turnDeg: Double
  /// -1 for left, 1 for right, 0 for ahead or unknown.
  public var side: Int
  /// Degrees driven in a roundabout, negative clockwise; nil if unknown.
  public var roundaboutDeg: Double?
  public var exitCount: Int?
  public var isLeftHand: Bool

  public init(
    action: Action, turnDeg: Double = 0, side: Int = 0, roundaboutDeg: Double? = nil,
    exitCount: Int? = nil, isLeftHand: Bool = false
  ) {
    self.action = action
    self.turnDeg = turnDeg
    self.side = side
    self.roundaboutDeg = roundaboutDeg
    self.exitCount = exitCount
    self.isLeftHand = isLeftHand
  }

  /// Angles of the arrow for each grade of a turn, by the values of the contract and of OSM's
  /// `turn:lanes`.
  public static let gradesDeg: [String: Double] = [
    "sharp_left": -135, "left": -90, "slight_left": -45, "straight": 0, "slight_right": 45,
    "right": 90, "sharp_right": 135,
  ]

  /// The picture, in a square of 72; the same as on the page.
  public var icon: Icon {
    switch action {
    case .turn: Arrows.turn(turnDeg)
    case .uTurn: Arrows.uTurn(side == 0 ? (isLeftHand ? 1 : -1) : side)
    case .fork: Arrows.fork(side)
    case .exit, .ramp: Arrows.exit(side == 0 ? 1 : side)
    case .merge: Arrows.merge(side == 0 ? 1 : side)
    case .roundabout: Arrows.roundabout(self)
    case .arrive: Arrows.arrival
    case .ferry: Arrows.ferry
    case .depart, .continue: Arrows.turn(0)
    }
  }
}

/// The arrows of maneuvers and lanes.
enum Arrows {
  /// The head of an arrow with its tip at a point, in a direction clockwise from up.
  static func head(
    _ x: Double, _ y: Double, _ angleDeg: Double, size: Double, width: Double
  ) -> Icon.Shape {
    func wing(_ turnDeg: Double) -> ScreenPoint {
      let a = (angleDeg + 180 + turnDeg) * .pi / 180
      return ScreenPoint(x: x + size * Double.sin(a), y: y - size * Double.cos(a))
    }
    var path = VectorPath()
    path.move(wing(40))
    path.line(ScreenPoint(x: x, y: y))
    path.line(wing(-40))
    return Icon.Shape(path, .stroke(width: width))
  }

  private static func square(_ shapes: [Icon.Shape]) -> Icon {
    Icon(width: 72, height: 72, shapes)
  }

  /// Comes from below, turns in the middle and leaves at an angle.
  static func turn(_ angleDeg: Double) -> Icon {
    guard angleDeg.magnitude >= 8 else {
      return square([.init("M36 64V12"), head(36, 9, 0, size: 17, width: 8)])
    }
    let sign = angleDeg < 0 ? -1.0 : 1.0
    let isSharp = angleDeg.magnitude > 100
    // The stem stands on the side that the arrow leaves free.
    let (cx, cy) = (36 - sign * (isSharp ? 14 : 9), isSharp ? 20.0 : 32.0)
    let reach = isSharp ? 36.0 : 29.0
    let a = angleDeg * .pi / 180
    let (x, y) = (cx + reach * Double.sin(a), cy - reach * Double.cos(a))
    let bend = isSharp ? 7.0 : 10.0
    let stem =
      "M\(cx) 64V\(cy + bend)Q\(cx) \(cy) \(cx + (x - cx) * 0.28) \(cy + (y - cy) * 0.28)L\(x) \(y)"
    return square([.init(stem), head(x, y, angleDeg, size: 15, width: 8)])
  }

  static func uTurn(_ side: Int) -> Icon {
    let sign = Double(side)
    let sweep = side > 0 ? 1 : 0
    let path =
      "M\(36 - sign * 13) 64V30A13 13 0 0 \(sweep) \(36 + sign * 13) 30V46"
    return square([.init(path), head(36 + sign * 13, 50, 180, size: 15, width: 8)])
  }

  static func fork(_ side: Int) -> Icon {
    let right = "M36 64V40Q36 34 40 29L52 14"
    let left = "M36 64V40Q36 34 32 29L20 14"
    if side == 0 {
      return square(
        [.init(right, opacity: 0.35), .init(left, opacity: 0.35)] + turn(0).shapes)
    }
    // Drawn to the right, mirrored for the left.
    var icon = square([
      .init(left, opacity: 0.35), .init("M36 64V42Q36 36 40 31L52 15"),
      head(53, 13, 38, size: 16, width: 8),
    ])
    icon.isMirrored = side < 0
    return icon
  }

  static func exit(_ side: Int) -> Icon {
    var icon = square([
      .init("M26 64V10", opacity: 0.35), .init("M26 64V48Q26 38 34 32L54 17"),
      head(56, 15, 52, size: 16, width: 8),
    ])
    icon.isMirrored = side < 0
    return icon
  }

  static func merge(_ side: Int) -> Icon {
    var icon = square([
      .init("M46 64V12", opacity: 0.35), .init("M22 64V52Q22 44 32 38Q46 30 46 24V14"),
      head(46, 10, 0, size: 16, width: 8),
    ])
    icon.isMirrored = side < 0
    return icon
  }

  static func roundabout(_ symbol: ManeuverSymbol) -> Icon {
    let driven = symbol.roundaboutDeg ?? (symbol.isLeftHand ? -180 : 180)
    let isClockwise = driven < 0
    // A whole turn has an end near its beginning.
    let arc = Double.minimum(348, Double.maximum(12, driven.magnitude))
    let turnDeg = (isClockwise ? -1 : 1) * (180 - arc)
    let a = turnDeg * .pi / 180
    let center = ScreenPoint(x: 36, y: 33)
    func at(_ radius: Double) -> ScreenPoint {
      ScreenPoint(x: center.x + radius * Double.sin(a), y: center.y - radius * Double.cos(a))
    }
    let (leave, tip) = (at(14), at(28))
    let ring = "A14 14 0 \(arc > 180 ? 1 : 0) \(isClockwise ? 1 : 0) \(leave.x) \(leave.y)"
    var icon = square([
      Icon.Shape(.circle(center, radius: 14), .stroke(width: 7), opacity: 0.35),
      .init("M36 68V47\(ring)L\(tip.x) \(tip.y)", .stroke(width: 7)),
      head(tip.x, tip.y, turnDeg, size: 12, width: 7),
    ])
    icon.caption = symbol.exitCount.map {
      Icon.Caption(text: "\($0)", center: center, size: 17)
    }
    return icon
  }

  static let arrival = square([
    .init("M36 66Q60 42 60 27A24 24 0 1 0 12 27Q12 42 36 66Z", .stroke(width: 7)),
    Icon.Shape(.circle(ScreenPoint(x: 36, y: 27), radius: 8), .fill),
  ])

  static let ferry = square([
    .init("M12 44H60L52 58H20ZM20 44V30H46L54 44M30 30V18", .stroke(width: 6)),
    .init("M10 66Q18 60 24 66Q31 72 38 66Q45 60 52 66Q57 70 62 64", .stroke(width: 4)),
  ])

  /// Angles of arrows on lanes, by the values of OSM's `turn:lanes`.
  private static let lanesDeg: [String: Double] = [
    "sharp_left": -130, "left": -90, "slight_left": -40, "slight_right": 40, "right": 90,
    "sharp_right": 130, "merge_to_left": -30, "merge_to_right": 30,
  ]

  /// The arrows of one direction of a lane, in 40 by 48.
  static func lane(_ word: String, opacity: Double) -> [Icon.Shape] {
    var shapes: [Icon.Shape]
    let angle = lanesDeg[word] ?? 0
    if word == "reverse" || word == "u_turn" {
      shapes = [
        .init("M25 44V22A6 6 0 0 0 13 22V30", .stroke(width: 5)),
        head(13, 33, 180, size: 8, width: 5),
      ]
    } else if angle == 0 {
      shapes = [.init("M20 44V10", .stroke(width: 5)), head(20, 7, 0, size: 10, width: 5)]
    } else {
      let a = angle * .pi / 180
      let (x, y) = (20 + 13 * Double.sin(a), 24 - 13 * Double.cos(a))
      let path =
        "M20 44V30Q20 24 \(20 + (x - 20) * 0.4) \(24 + (y - 24) * 0.4)L\(x) \(y)"
      shapes = [.init(path, .stroke(width: 5)), head(x, y, angle, size: 9, width: 5)]
    }
    for index in shapes.indices { shapes[index].opacity = opacity }
    return shapes
  }
}

/// A lane before a maneuver.
public struct LaneSymbol: Hashable, Sendable {
  /// Its arrows, as values of OSM's `turn:lanes`.
  public var directions: [String]
  /// The arrow to follow; nil if the lane has none.
  public var active: String?
  /// Whether it leads to the maneuver.
  public var isUsed: Bool
  /// Whether it serves the maneuver after that as well.
  public var isBest: Bool
  /// Whom it is reserved for, as painted on the road; empty for all.
  public var mark: String

  public init(
    directions: [String], active: String?, isUsed: Bool, isBest: Bool, access: [String]
  ) {
    self.directions = directions
    self.active = active
    self.isUsed = isUsed
    self.isBest = isBest
    let marks = ["bus": "BUS", "psv": "BUS", "taxi": "TAXI", "hov": "◇", "bicycle": "BIKE"]
    var words: [String] = []
    for word in access.compactMap({ marks[$0] }) where !words.contains(word) { words.append(word) }
    mark = words.joined(separator: " ")
  }

  /// Its arrows in 40 by 48: the one to follow is lit and on top.
  public var icon: Icon {
    let words = directions.isEmpty ? ["none"] : directions
    let dim = words.filter { active != nil && $0 != active }
    let lit = words.filter { !dim.contains($0) }
    return Icon(
      width: 40, height: 48,
      dim.flatMap { Arrows.lane($0, opacity: 0.34) } + lit.flatMap { Arrows.lane($0, opacity: 1) })
  }
}

import RealModule

/// A path of straight lines and cubic curves, y downwards.
public struct VectorPath: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    case move(ScreenPoint)
    case line(ScreenPoint)
    case curve(ScreenPoint, ScreenPoint, ScreenPoint)
    case close
  }

  public private(set) var steps: [Step] = []
  private var place = ScreenPoint(x: 0, y: 0)
  private var start = ScreenPoint(x: 0, y: 0)

  public init() {}

  /// Reads a path in SVG notation: M, L, H, V, Q, C, A and Z, absolute and relative; stops at
  /// anything else.
  public init(svg text: String) {
    var words = SVGWords(text)
    var command: Character = "M"
    while let next = words.commandOrNumber(after: command) {
      command = next
      let isRelative = command.isLowercase
      let origin = isRelative ? place : ScreenPoint(x: 0, y: 0)
      func point() -> ScreenPoint? {
        guard let x = words.number(), let y = words.number() else { return nil }
        return ScreenPoint(x: origin.x + x, y: origin.y + y)
      }
      switch command.uppercased() {
      case "M":
        guard let to = point() else { return }
        move(to)
        command = isRelative ? "l" : "L"
      case "L":
        guard let to = point() else { return }
        line(to)
      case "H":
        guard let x = words.number() else { return }
        line(ScreenPoint(x: origin.x + x, y: place.y))
      case "V":
        guard let y = words.number() else { return }
        line(ScreenPoint(x: place.x, y: origin.y + y))
      case "Q":
        guard let control = point(), let to = point() else { return }
        quadratic(control, to)
      case "C":
        guard let a = point(), let b = point(), let to = point() else { return }
        curve(a, b, to)
      case "A":
        guard let rx = words.number(), let ry = words.number(), words.number() != nil,
          let isLarge = words.number(), let isClockwise = words.number(), let to = point()
        else { return }
        arc(
          radius: Double.maximum(rx, ry), isLarge: isLarge != 0, isClockwise: isClockwise != 0, to)
      case "Z": close()
      default: return
      }
    }
  }

  public mutating func move(_ to: ScreenPoint) {
    steps.append(.move(to))
    place = to
    start = to
  }

  public mutating func line(_ to: ScreenPoint) {
    steps.append(.line(to))
    place = to
  }

  public mutating func curve(_ a: ScreenPoint, _ b: ScreenPoint, _ to: ScreenPoint) {
    steps.append(.curve(a, b, to))
    place = to
  }

  public mutating func close() {
    steps.append(.close)
    place = start
  }

  private mutating func quadratic(_ control: ScreenPoint, _ to: ScreenPoint) {
    func third(_ end: ScreenPoint) -> ScreenPoint {
      ScreenPoint(
        x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3)
    }
    curve(third(place), third(to), to)
  }

  /// An arc of a circle, by curves of at most a quarter.
  ///
  /// Source: W3C, "Scalable Vector Graphics (SVG) 1.1", F.6.5, for equal radii.
  private mutating func arc(
    radius: Double, isLarge: Bool, isClockwise: Bool, _ to: ScreenPoint
  ) {
    let (dx, dy) = ((place.x - to.x) / 2, (place.y - to.y) / 2)
    let half = (dx * dx + dy * dy).squareRoot()
    guard half > 1e-9 else { return }
    let r = Double.maximum(radius, half)
    let away = Double.maximum(0, r * r - half * half).squareRoot() / half
    let sign = isLarge == isClockwise ? -1.0 : 1.0
    let center = ScreenPoint(
      x: (place.x + to.x) / 2 + sign * away * dy, y: (place.y + to.y) / 2 - sign * away * dx)
    let first = Double.atan2(y: place.y - center.y, x: place.x - center.x)
    var sweep = Double.atan2(y: to.y - center.y, x: to.x - center.x) - first
    if isClockwise, sweep < 0 { sweep += 2 * .pi }
    if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
    let count = max(1, Int((sweep.magnitude / (.pi / 2)).rounded(.up)))
    let step = sweep / Double(count)
    let k = 4 / 3 * Double.tan(step / 4) * r
    func at(_ angle: Double) -> ScreenPoint {
      ScreenPoint(x: center.x + r * Double.cos(angle), y: center.y + r * Double.sin(angle))
    }
    for index in 0..<count {
      let (from, until) = (first + Double(index) * step, first + Double(index + 1) * step)
      let (a, b) = (at(from), at(until))
      curve(
        ScreenPoint(x: a.x - k * Double.sin(from), y: a.y + k * Double.cos(from)),
        ScreenPoint(x: b.x + k * Double.sin(until), y: b.y - k * Double.cos(until)),
        index == count - 1 ? to : b)
    }
  }

  /// A rectangle with rounded corners.
  public static func rectangle(
    x: Double, y: Double, width: Double, height: Double, radius: Double
  ) -> VectorPath {
    let r = Double.minimum(radius, Double.minimum(width, height) / 2)
    let (right, bottom) = (x + width, y + height)
    var path = VectorPath()
    path.move(ScreenPoint(x: x + r, y: y))
    path.line(ScreenPoint(x: right - r, y: y))
    path.arc(radius: r, isLarge: false, isClockwise: true, ScreenPoint(x: right, y: y + r))
    path.line(ScreenPoint(x: right, y: bottom - r))
    path.arc(radius: r, isLarge: false, isClockwise: true, ScreenPoint(x: right - r, y: bottom))
    path.line(ScreenPoint(x: x + r, y: bottom))
    path.arc(radius: r, isLarge: false, isClockwise: true, ScreenPoint(x: x, y: bottom - r))
    path.line(ScreenPoint(x: x, y: y + r))
    path.arc(radius: r, isLarge: false, isClockwise: true, ScreenPoint(x: x + r, y: y))
    path.close()
    return path
  }

  /// A whole circle.
  public static func circle(_ center: ScreenPoint, radius: Double) -> VectorPath {
    rectangle(
      x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius,
      radius: radius)
  }
}

/// Splits the notation of SVG paths into letters and numbers.
private struct SVGWords {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private mutating func skip() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x2C || bytes[index] == 0x0A
    { index += 1 }
  }

  /// The next letter, or `command` again if a number follows; nil at the end.
  mutating func commandOrNumber(after command: Character) -> Character? {
    skip()
    guard index < bytes.count else { return nil }
    let character = Character(Unicode.Scalar(bytes[index]))
    guard character.isLetter else { return command }
    index += 1
    return character
  }

  mutating func number() -> Double? {
    skip()
    let begin = index
    var hasPoint = false
    while index < bytes.count {
      let byte = bytes[index]
      let isSign = (byte == 0x2D || byte == 0x2B) && index == begin
      let isPoint = byte == 0x2E && !hasPoint
      guard isSign || isPoint || (0x30...0x39).contains(byte) else { break }
      hasPoint = hasPoint || isPoint
      index += 1
    }
    return Double(String(decoding: bytes[begin..<index], as: UTF8.self))
  }
}

/// A path of straight lines and cubic curves, in the units of its drawing, y downwards.
public struct ShieldPath: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    case move(x: Double, y: Double)
    case line(x: Double, y: Double)
    /// Two control points and the end.
    case curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double)
    case close
  }

  public var steps: [Step] = []

  /// Reads a path in SVG notation, with absolute M, L, C and Z separated by spaces; stops at
  /// anything else.
  init(_ text: String = "") {
    let words = text.split(separator: " ")
    var place = 0
    var command: Substring = ""
    func numbers(_ count: Int) -> [Double]? {
      guard place + count <= words.count else { return nil }
      let found = words[place..<place + count].compactMap { Double($0) }
      return found.count == count ? found : nil
    }
    while place < words.count {
      if Double(words[place]) == nil {
        command = words[place]
        place += 1
      }
      switch command {
      case "M", "L":
        guard let n = numbers(2) else { return }
        steps.append(command == "M" ? .move(x: n[0], y: n[1]) : .line(x: n[0], y: n[1]))
        place += 2
      case "C":
        guard let n = numbers(6) else { return }
        steps.append(.curve(x1: n[0], y1: n[1], x2: n[2], y2: n[3], x: n[4], y: n[5]))
        place += 6
      case "Z":
        steps.append(.close)
        command = ""
      default: return
      }
    }
  }

  /// A rectangle with rounded corners.
  static func rectangle(_ area: ShieldArea, radius: Double) -> ShieldPath {
    let r = Double.minimum(radius, Double.minimum(area.width, area.height) / 2)
    // A quarter of a circle as a cubic curve.
    let k = r * (1 - 0.5523)
    let (x0, y0, x1, y1) = (area.x, area.y, area.right, area.bottom)
    var path = ShieldPath()
    path.steps = [
      .move(x: x0 + r, y: y0), .line(x: x1 - r, y: y0),
      .curve(x1: x1 - k, y1: y0, x2: x1, y2: y0 + k, x: x1, y: y0 + r), .line(x: x1, y: y1 - r),
      .curve(x1: x1, y1: y1 - k, x2: x1 - k, y2: y1, x: x1 - r, y: y1), .line(x: x0 + r, y: y1),
      .curve(x1: x0 + k, y1: y1, x2: x0, y2: y1 - k, x: x0, y: y1 - r), .line(x: x0, y: y0 + r),
      .curve(x1: x0, y1: y0 + k, x2: x0 + k, y2: y0, x: x0 + r, y: y0), .close,
    ]
    return path
  }

  /// The upper part of a rectangle with rounded corners, which ends in a straight line.
  static func top(of area: ShieldArea, height: Double, radius: Double) -> ShieldPath {
    let r = Double.minimum(radius, Double.minimum(area.width / 2, height))
    let k = r * (1 - 0.5523)
    let (x0, y0, x1, y1) = (area.x, area.y, area.right, area.y + height)
    var path = ShieldPath()
    path.steps = [
      .move(x: x0, y: y1), .line(x: x0, y: y0 + r),
      .curve(x1: x0, y1: y0 + k, x2: x0 + k, y2: y0, x: x0 + r, y: y0), .line(x: x1 - r, y: y0),
      .curve(x1: x1 - k, y1: y0, x2: x1, y2: y0 + k, x: x1, y: y0 + r), .line(x: x1, y: y1), .close,
    ]
    return path
  }

  /// An ellipse that fills an area.
  static func ellipse(_ area: ShieldArea) -> ShieldPath {
    ShieldPath(
      "M 50 0 C 77.6 0 100 22.4 100 50 C 100 77.6 77.6 100 50 100 C 22.4 100 0 77.6 0 50 "
        + "C 0 22.4 22.4 0 50 0 Z"
    ).fitted(to: area)
  }

  /// A rectangle whose left and right sides end in a point.
  static func pointed(_ area: ShieldArea) -> ShieldPath {
    let depth = area.height * 0.24
    let middle = area.y + area.height / 2
    var path = ShieldPath()
    path.steps = [
      .move(x: area.x + depth, y: area.y), .line(x: area.right - depth, y: area.y),
      .line(x: area.right, y: middle), .line(x: area.right - depth, y: area.bottom),
      .line(x: area.x + depth, y: area.bottom), .line(x: area.x, y: middle), .close,
    ]
    return path
  }

  /// A rectangle with straight cut corners.
  static func octagon(_ area: ShieldArea) -> ShieldPath {
    let cut = area.height * 0.28
    var path = ShieldPath()
    path.steps = [
      .move(x: area.x + cut, y: area.y), .line(x: area.right - cut, y: area.y),
      .line(x: area.right, y: area.y + cut), .line(x: area.right, y: area.bottom - cut),
      .line(x: area.right - cut, y: area.bottom), .line(x: area.x + cut, y: area.bottom),
      .line(x: area.x, y: area.bottom - cut), .line(x: area.x, y: area.y + cut), .close,
    ]
    return path
  }

  /// This path, drawn in a square of 100 units, stretched into an area.
  func fitted(to area: ShieldArea) -> ShieldPath {
    let (sx, sy) = (area.width / 100, area.height / 100)
    func x(_ value: Double) -> Double { area.x + value * sx }
    func y(_ value: Double) -> Double { area.y + value * sy }
    var path = ShieldPath()
    path.steps = steps.map { step in
      switch step {
      case .move(let px, let py): .move(x: x(px), y: y(py))
      case .line(let px, let py): .line(x: x(px), y: y(py))
      case .curve(let x1, let y1, let x2, let y2, let px, let py):
        .curve(x1: x(x1), y1: y(y1), x2: x(x2), y2: y(y2), x: x(px), y: y(py))
      case .close: .close
      }
    }
    return path
  }
}

/// A rectangle in the units of a drawing, y downwards.
public struct ShieldArea: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }

  func inset(_ by: Double) -> ShieldArea {
    ShieldArea(x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by)
  }

  /// A part of it, in hundredths of its sides.
  func part(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> ShieldArea {
    ShieldArea(
      x: x + width * x0 / 100, y: y + height * y0 / 100, width: width * (x1 - x0) / 100,
      height: height * (y1 - y0) / 100)
  }
}

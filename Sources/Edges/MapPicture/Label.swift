import Cartography
import Foundation

/// The identity of a label from one picture to the next: its text and its place.
struct LabelKey: Hashable, Comparable {
  let text: String
  private let x: Int64
  private let y: Int64

  init(text: String, point: MapPoint) {
    self.text = text
    x = Int64(point.x * 4e7)
    y = Int64(point.y * 4e7)
  }

  static func < (a: Self, b: Self) -> Bool { (a.text, a.x, a.y) < (b.text, b.x, b.y) }
}

/// The look of a label.
struct LabelLook {
  var text: TextStyle
  var ink: Paint
  var halo: Paint?
  var haloWidth: Double
  /// The name of the style's picture; nil for none.
  var icon: String?
  /// Pixels that are kept free around the text.
  var padding: Double
}

/// A label that may be drawn, in one of several forms.
struct LabelCandidate {
  var key: LabelKey
  /// Index of its layer in the style.
  var layer: Int
  var order: Double
  /// 0 for the first label of a line, higher for those between.
  var level: Int
  var aheadPx: Double
  var text: String
  var look: LabelLook
  var icon: Icon?
  var shields: MapShields?
  /// The preferred form first.
  var forms: [LabelForm]
}

/// An upright rectangle of the picture.
struct LabelBox {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  func overlaps(_ other: LabelBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}

/// A label at its place in the picture.
struct LabelForm {
  /// Middle of the text.
  var center: ScreenPoint
  var angleDeg = 0.0
  var showsText = true
  /// Middle of the icon.
  var icon: ScreenPoint?
  /// The rectangles that it covers.
  var boxes: [LabelBox]

  private static let iconPx = 20.0

  private static func box(
    _ center: ScreenPoint, _ width: Double, _ height: Double, _ padding: Double
  ) -> LabelBox {
    LabelBox(
      left: center.x - width / 2 - padding, top: center.y - height / 2 - padding,
      right: center.x + width / 2 + padding, bottom: center.y + height / 2 + padding)
  }

  /// The forms of a label at a point: the text alone in its middle, or around an icon, at last the
  /// icon alone.
  static func around(
    _ point: ScreenPoint, text: CanvasText, hasIcon: Bool, offset: Double, padding: Double
  ) -> [LabelForm] {
    guard hasIcon else {
      return [LabelForm(center: point, boxes: [box(point, text.width, text.height, padding)])]
    }
    let icon = box(point, iconPx, iconPx, 2)
    let (besideX, besideY) = (offset + text.width / 2, offset + text.height / 2)
    let moves = [(0.0, besideY), (besideX, 0.0), (-besideX, 0.0), (0.0, -besideY)]
    let around = moves.map { move in
      let center = ScreenPoint(x: point.x + move.0, y: point.y + move.1)
      return LabelForm(
        center: center, icon: point, boxes: [icon, box(center, text.width, text.height, padding)])
    }
    return around + [LabelForm(center: point, showsText: false, icon: point, boxes: [icon])]
  }

  /// The shields of a road.
  static func shields(_ point: ScreenPoint, _ shields: MapShields, padding: Double) -> LabelForm {
    LabelForm(center: point, boxes: [box(point, shields.width, shields.height, padding)])
  }

  /// A text along a line.
  static func along(
    _ center: ScreenPoint, angleDeg: Double, width: Double, height: Double, padding: Double
  ) -> LabelForm {
    let (c, s) = (Canvas.cosine(angleDeg), Canvas.cosine(angleDeg - 90))
    let count = max(1, Int((width / max(height, 4)).rounded(.up)))
    let step = width / Double(count)
    let boxes = (0..<count).map { index in
      let along = (Double(index) + 0.5) * step - width / 2
      let middle = ScreenPoint(x: center.x + along * c, y: center.y + along * s)
      return box(middle, step * c.magnitude + 2, step * s.magnitude + height * 0.8, padding / 2)
    }
    return LabelForm(center: center, angleDeg: angleDeg, boxes: boxes)
  }
}

/// The rectangles that the labels of a picture cover so far.
struct LabelBoxes {
  private var boxes: [LabelBox]
  private var places: [String: [ScreenPoint]] = [:]

  /// Pixels between two labels of one text.
  private static let repeatPx = 220.0

  init(_ blocked: [LabelBox]) { boxes = blocked }

  func admits(_ form: LabelForm, repeats text: String) -> Bool {
    for box in form.boxes where boxes.contains(where: { $0.overlaps(box) }) { return false }
    guard !text.isEmpty, form.showsText else { return true }
    return !(places[text] ?? []).contains {
      max(($0.x - form.center.x).magnitude, ($0.y - form.center.y).magnitude) < Self.repeatPx
    }
  }

  mutating func add(_ form: LabelForm, text: String) {
    boxes += form.boxes
    if !text.isEmpty { places[text, default: []].append(form.center) }
  }
}

/// A line of the map in the picture, along which a text may stand.
struct LabelPath {
  struct Anchor {
    var center: ScreenPoint
    /// The place on the map that the label belongs to.
    var point: MapPoint
    var aheadPx: Double
    /// Clockwise from the right; nil where the line bends too much.
    var angleDeg: Double?
  }

  private let points: [MapPoint]
  private let ground: [GroundPoint]
  private let offsets: [Double]

  init(_ points: [MapPoint], _ view: MapView) {
    self.points = points
    let placed = points.map { view.projection.ground($0) }
    var total = 0.0
    offsets = placed.indices.map { index in
      if index > 0 { total += Self.distance(placed[index - 1], placed[index]) }
      return total
    }
    ground = placed
  }

  var lengthPx: Double { offsets.last ?? 0 }

  private static func distance(_ a: GroundPoint, _ b: GroundPoint) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  /// Where labels may stand on a line: its middle, then the middles of the halves, and so on.
  ///
  /// The places of a lower zoom are also places of a higher one.
  static func fractions(lengthPx: Double, spacing: Double) -> [(level: Int, fraction: Double)] {
    let levels = min(6, 1 + Int(log2(max(1, lengthPx / spacing))))
    return (0...levels).flatMap { level in
      let count = 1 << level
      return (0..<count).map { (level, (Double($0) + 0.5) / Double(count)) }
    }
  }

  /// A text is read from left to right.
  static func readable(_ angleDeg: Double) -> Double {
    angleDeg > 90 ? angleDeg - 180 : angleDeg < -90 ? angleDeg + 180 : angleDeg
  }

  private func place(_ offset: Double) -> (segment: Int, share: Double) {
    var (low, high) = (0, offsets.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= offset { low = middle } else { high = middle }
    }
    let length = offsets[low + 1] - offsets[low]
    return (low, length > 0 ? (offset - offsets[low]) / length : 0)
  }

  private func ground(at offset: Double) -> GroundPoint {
    let (segment, share) = place(offset)
    let (a, b) = (ground[segment], ground[segment + 1])
    return GroundPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
  }

  /// The place of a text of a width in pixels; nil where it is not in the picture, or does not fit.
  func anchor(at fraction: Double, width: Double, _ view: MapView) -> Anchor? {
    guard ground.count > 1 else { return nil }
    let middle = lengthPx * fraction
    let here = ground(at: middle)
    guard view.ahead.contains(here.y) else { return nil }
    let projection = view.projection
    let center = projection.screen(here)
    guard view.contains(center, marginPx: 20) else { return nil }
    let (segment, share) = place(middle)
    let (a, b) = (points[segment], points[segment + 1])
    let point = MapPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
    guard width > 1 else {
      return Anchor(center: center, point: point, aheadPx: here.y, angleDeg: 0)
    }
    // How long the line looks here, in pixels of the picture for each of the ground.
    let nearby = projection.screen(ground(at: min(middle + 1, lengthPx)))
    let behind = projection.screen(ground(at: max(middle - 1, 0)))
    let stretch = hypot(nearby.x - behind.x, nearby.y - behind.y) / 2
    let half = width / 2 / max(stretch, 0.05)
    guard middle - half >= 0, middle + half <= lengthPx else { return nil }
    let samples = (0...8).map { ground(at: middle - half + Double($0) / 8 * 2 * half) }
    guard samples.allSatisfy({ view.ahead.contains($0.y) }) else { return nil }
    let drawn = samples.map { projection.screen($0) }
    let (from, to) = (drawn[0], drawn[8])
    let length = hypot(to.x - from.x, to.y - from.y)
    guard length > width * 0.75 else { return nil }
    let direction = (x: (to.x - from.x) / length, y: (to.y - from.y) / length)
    func beside(_ point: ScreenPoint) -> Double {
      let across = (point.x - from.x) * direction.y - (point.y - from.y) * direction.x
      return across.magnitude
    }
    let bend = drawn.map(beside).max() ?? 0
    guard bend < 5 else { return nil }
    // In the middle of the bend.
    let mean = ScreenPoint(
      x: drawn.map(\.x).reduce(0, +) / 9, y: drawn.map(\.y).reduce(0, +) / 9)
    return Anchor(
      center: mean, point: point, aheadPx: here.y,
      angleDeg: atan2(to.y - from.y, to.x - from.x) * 180 / .pi)
  }
}

/// Draws a label.
struct LabelDrawing {
  let canvas: Canvas
  let style: StyleSheet
  let candidate: LabelCandidate

  func draw(_ form: LabelForm, _ opacity: Double) {
    let look = candidate.look
    if look.icon == "oneway" {
      drawArrow(form, opacity)
      return
    }
    if let icon = candidate.icon, let point = form.icon {
      canvas.group(opacity: opacity) {
        canvas.draw(icon, x: point.x - 10, y: point.y - 10, width: 20, height: 20, .white)
      }
    }
    if let shields = candidate.shields {
      shields.draw(on: canvas, center: form.center, opacity: opacity)
      return
    }
    guard form.showsText, !candidate.text.isEmpty else { return }
    let text = canvas.text(candidate.text, look.text)
    canvas.place(at: form.center, turnedDeg: form.angleDeg) {
      let (x, y) = (-text.width / 2, -text.height / 2)
      if let halo = look.halo, look.haloWidth > 0 {
        text.draw(
          x: x, y: y, look.ink.faded(opacity), halo: halo.faded(0.9 * opacity),
          haloWidth: look.haloWidth)
      } else {
        text.draw(x: x, y: y, look.ink.faded(opacity))
      }
    }
  }

  private func drawArrow(_ form: LabelForm, _ opacity: Double) {
    let path = VectorPath(svg: "M-7 0H6M3 -2.8L7 0L3 2.8")
    canvas.place(at: form.center, turnedDeg: form.angleDeg) {
      canvas.stroke(path, Paint(style["label"]).faded(0.4 * opacity), width: 1.2)
    }
  }
}

extension Canvas {
  static func cosine(_ deg: Double) -> Double { cos(deg * .pi / 180) }
}

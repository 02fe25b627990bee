import Cartography
import Geodesy
import Messages

/// Draws the location indicator: it lies on the ground, less flat than that.
struct IndicatorPainter {
  let canvas: Canvas
  let view: MapView
  let frame: SceneFrame

  private static let sizePx = 60.0
  /// Share of the camera's tilt that it takes part in: quite flat, it could not be read.
  private static let flattened = 0.75
  /// Metres up to which the accuracy is as good as the picture shows, and no circle is drawn.
  private static let accurateM = 20.0

  func draw() {
    guard let latitude = frame.indicatorLatDeg, let longitude = frame.indicatorLonDeg else {
      return
    }
    let projection = view.projection
    let ground = projection.ground(
      Coordinate(latitudeDeg: latitude, longitudeDeg: longitude))
    guard view.ahead.contains(ground.y) else { return }
    let point = projection.screen(ground)
    drawAccuracy(at: ground)
    let icon = IndicatorIcon.icon(style: frame.indicatorStyle.rawValue)
    let turn = (frame.indicatorBearingDeg ?? projection.bearingDeg) - projection.bearingDeg
    let low = Canvas.cosine(projection.tiltDeg * Self.flattened)
    let size = frame.indicatorEstimated ? 0.85 : 1.0
    func placed(_ point: ScreenPoint, enlarged: Double, _ icon: Icon) {
      canvas.place(at: point, scaledY: low) {
        canvas.place(
          at: ScreenPoint(x: 0, y: 0), turnedDeg: turn, scaledX: enlarged, scaledY: enlarged
        ) {
          let half = Self.sizePx / 2
          canvas.draw(icon, x: -half, y: -half, width: Self.sizePx, height: Self.sizePx, .white)
        }
      }
    }
    if frame.indicatorEstimated { drawRing(at: point, low) }
    let dark = Icon(
      width: icon.width, height: icon.height,
      icon.shapes.prefix(1).map { Icon.Shape($0.path, .fill, colour: "#08101c20") })
    for step in 1...4 {
      placed(
        ScreenPoint(x: point.x, y: point.y + 3), enlarged: size * (0.99 + 0.05 * Double(step)), dark
      )
    }
    canvas.group(opacity: frame.indicatorEstimated ? 0.62 : 1) {
      placed(point, enlarged: size, icon)
    }
  }

  /// A place that is estimated, as in a tunnel, stands in a ring with gaps.
  private func drawRing(at point: ScreenPoint, _ low: Double) {
    canvas.place(at: point, scaledY: low) {
      canvas.fill(.circle(ScreenPoint(x: 0, y: 0), radius: 36), Paint.white.faded(0.4))
      for step in 0..<12 {
        canvas.place(at: ScreenPoint(x: 0, y: 0), turnedDeg: Double(step) * 30) {
          canvas.stroke(
            VectorPath(svg: "M-3.5 -34A34 34 0 0 1 3.5 -34"), Paint("#1f6feb"), width: 4)
        }
      }
    }
  }

  /// The circle in which the vehicle is, on the ground.
  private func drawAccuracy(at ground: GroundPoint) {
    guard let metres = frame.indicatorAccuracyM, metres > Self.accurateM, metres < 1e5 else {
      return
    }
    let radius = metres * view.projection.pixelsPerMetre
    let circle = (0..<72).map { step in
      let angle = Double(step) * 5
      return GroundPoint(
        x: ground.x + radius * Canvas.cosine(angle),
        y: ground.y + radius * Canvas.cosine(angle - 90))
    }
    let shown = LineOutline.clippedRing(circle, aheadPx: view.ahead)
    canvas.beginPath()
    canvas.addPolygon(shown.map { view.projection.screen($0) })
    canvas.fillPath(Paint("#1f6feb24"), edge: Paint("#1f6feb8c"))
  }
}

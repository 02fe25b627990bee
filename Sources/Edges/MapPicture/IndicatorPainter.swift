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

  func draw() {
    guard let latitude = frame.indicatorLatDeg, let longitude = frame.indicatorLonDeg else {
      return
    }
    let projection = view.projection
    let ground = projection.ground(
      Coordinate(latitudeDeg: latitude, longitudeDeg: longitude))
    guard view.ahead.contains(ground.y) else { return }
    let point = projection.screen(ground)
    let icon = IndicatorIcon.icon(style: frame.indicatorStyle.rawValue)
    let turn = (frame.indicatorBearingDeg ?? projection.bearingDeg) - projection.bearingDeg
    let low = Canvas.cosine(projection.tiltDeg * Self.flattened)
    let half = Self.sizePx / 2
    for step in 1...4 {
      let shadow = ScreenPoint(x: point.x, y: point.y + 3)
      canvas.place(at: shadow, scaledY: low) {
        canvas.place(
          at: ScreenPoint(x: 0, y: 0), turnedDeg: turn, scaledX: 0.97 + 0.04 * Double(step),
          scaledY: 0.97 + 0.04 * Double(step)
        ) {
          let dark = Icon(
            width: icon.width, height: icon.height,
            icon.shapes.prefix(1).map {
              Icon.Shape($0.path, $0.paint, colour: "#08101c1c")
            })
          canvas.draw(
            dark, x: -half, y: -half, width: Self.sizePx, height: Self.sizePx, .white)
        }
      }
    }
    canvas.place(at: point, scaledY: low) {
      canvas.place(at: ScreenPoint(x: 0, y: 0), turnedDeg: turn) {
        canvas.draw(icon, x: -half, y: -half, width: Self.sizePx, height: Self.sizePx, .white)
      }
    }
  }
}

public import Cartography
import Geodesy
public import Messages
public import Scene

/// The content of a picture besides the map.
public struct PictureScene: Sendable {
  public var frame: SceneFrame
  /// The active route; it is drawn if it is that of the frame.
  public var route: DrawnRoute?
  /// The road that the vehicle is on; its name is shown.
  public var road: WireRoad?
  /// Whether guidance judges the speed as too high.
  public var isTooFast = false
  public var showsPanel = true

  public init(frame: SceneFrame, route: DrawnRoute? = nil) {
    self.frame = frame
    self.route = route
  }

  var country: String? { road?.country }
}

/// Draws pictures of scenes, one after the other, as the page shows them.
///
/// The same scenes in the same order give the same pixels on one machine. A picture costs some tens
/// of milliseconds.
public final class ScenePainter {
  private let map: PictureMap
  private let day: StyleSheet
  private let night: StyleSheet
  private let canvas: Canvas
  private let texts: PanelTexts
  private var labels = LabelPainter.Memory()
  private var spot: ScreenPoint?

  /// A painter of pictures of `width` x `height` CSS pixels, each of which is `scale` pixels wide.
  ///
  /// - Throws: `PictureFault` if there is no memory for such a picture.
  public init(
    map: PictureMap, day: StyleSheet, night: StyleSheet, width: Int, height: Int,
    scale: Double = 1, units: DistanceUnits = .metric
  ) throws(PictureFault) {
    self.map = map
    self.day = day
    self.night = night
    canvas = try Canvas(width: Double(width), height: Double(height), scale: scale)
    texts = PanelTexts(units: units)
  }

  public var widthPx: Int { canvas.widthPx }
  public var heightPx: Int { canvas.heightPx }

  /// Draws a scene; `stepS` is the time since the last picture of a film, infinite for a single
  /// picture.
  ///
  /// - Returns: The pixels as red, green and blue bytes, row by row.
  /// - Throws: `PictureFault` if Cairo fails.
  public func pixels(
    _ scene: PictureScene, stepS: Double = .infinity
  ) throws(PictureFault) -> [UInt8] {
    let frame = scene.frame
    let style = frame.night ? night : day
    let cards = scene.showsPanel ? self.cards(scene, style) : []
    let view = MapView(projection(frame, cards, stepS))
    let tiles = map.tiles(of: view.projection)
    MapPainter(style: style, map: map, canvas: canvas, view: view).draw(tiles)
    drawSky(view, style, isNight: frame.night)
    let route = scene.route.map {
      RoutePainter(style: style, canvas: canvas, view: view, drawn: $0, frame: frame)
    }
    route?.drawLines()
    var painter = LabelPainter(
      style: style, map: map, canvas: canvas, view: view, isNight: frame.night)
    painter.blocked = cards.map(\.box) + indicatorBox(view, frame)
    painter.draw(tiles, memory: &labels, stepS: stepS)
    route?.drawStops()
    IndicatorPainter(canvas: canvas, view: view, frame: frame).draw()
    for card in cards { card.draw() }
    drawAttribution(style, isNight: frame.night)
    return try canvas.pixels()
  }

  private func projection(
    _ frame: SceneFrame, _ cards: [PanelCard], _ stepS: Double
  ) -> ScreenProjection {
    let wanted = VehiclePlace.place(
      width: canvas.width, height: canvas.height, anchorX: frame.anchorX, anchorY: frame.anchorY,
      cards: cards.map(\.box))
    // It moves there when cards come and go, as on the page.
    let pace = stepS.isFinite ? Motion.share(stepS, settleS: 0.35) : 1
    let before = spot ?? wanted
    let anchor = ScreenPoint(
      x: before.x + (wanted.x - before.x) * pace, y: before.y + (wanted.y - before.y) * pace)
    spot = anchor
    return ScreenProjection(
      center: .init(latitudeDeg: frame.cameraLatDeg, longitudeDeg: frame.cameraLonDeg),
      zoom: frame.cameraZoom, tiltDeg: frame.cameraTiltDeg, bearingDeg: frame.cameraBearingDeg,
      width: canvas.width, height: canvas.height, anchor: anchor)
  }

  private func cards(_ scene: PictureScene, _ style: StyleSheet) -> [PanelCard] {
    guard let panel = scene.frame.panel else { return [] }
    let look = PanelLook(
      width: canvas.width, height: canvas.height, isNight: scene.frame.night)
    let trip = TripCards(canvas: canvas, look: look, texts: texts, style: style)
    let bar = scene.route.flatMap { trip.bar(panel, $0) }
    let speed = trip.speed(panel, scene, above: bar)
    let guide = scene.route.flatMap {
      GuideCard(canvas: canvas, look: look, texts: texts).card(
        panel, $0.route, limitY: (speed?.y ?? canvas.height) - look.gap)
    }
    let name = scene.road.map { $0.name.isEmpty ? $0.number : $0.name } ?? ""
    return [guide, bar, speed, trip.road(name, above: bar)]
      .compactMap { $0 }
  }

  private func indicatorBox(_ view: MapView, _ frame: SceneFrame) -> [LabelBox] {
    guard let latitude = frame.indicatorLatDeg, let longitude = frame.indicatorLonDeg else {
      return []
    }
    let ground = view.projection.ground(
      .init(latitudeDeg: latitude, longitudeDeg: longitude))
    guard view.ahead.contains(ground.y) else { return [] }
    let point = view.projection.screen(ground)
    return [
      LabelBox(left: point.x - 24, top: point.y - 22, right: point.x + 24, bottom: point.y + 22)
    ]
  }

  /// Above the horizon there is sky, and what lies near it is hazy.
  private func drawSky(_ view: MapView, _ style: StyleSheet, isNight: Bool) {
    guard let horizon = view.projection.horizonY else { return }
    let haze = Paint(style["land"]).mixed(with: Paint(isNight ? "#0a1420" : "#cfe3f5"), 0.6)
    canvas.shade(
      x: 0, y: 0, width: canvas.width, height: horizon,
      from: Paint(isNight ? "#060c14" : "#8fbfe8"),
      to: haze)
    canvas.shade(
      x: 0, y: horizon - 1, width: canvas.width, height: 0.12 * canvas.height, from: haze,
      to: haze.faded(0))
  }

  private func drawAttribution(_ style: StyleSheet, isNight: Bool) {
    let day = map.day.map { ", data of \($0)" } ?? ""
    let words = style.attribution.split(separator: "{day}", omittingEmptySubsequences: false)
    let text = canvas.text(words.joined(separator: day), TextStyle(size: 10.5))
    let (width, height) = (text.width + 10, text.height + 3)
    let (x, y) = (canvas.width - width, canvas.height - height)
    canvas.fill(
      .rectangle(x: x, y: y, width: width, height: height, radius: 0),
      Paint(isNight ? "#1a222ccc" : "#ffffffb3"))
    text.draw(x: x + 5, y: y + 1.5, Paint(isNight ? "#9fb0c0" : "#3a4550"))
  }
}

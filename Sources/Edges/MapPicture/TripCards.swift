import Cartography
import Geodesy
import Messages

/// The cards at the bottom: speed and limit, what is left of the way, and the road.
struct TripCards {
  let canvas: Canvas
  let look: PanelLook
  let texts: PanelTexts
  let style: StyleSheet

  private var rem: Double { look.rem }
  /// The line of the attribution stays free.
  private var bottom: Double { canvas.height - look.gap }

  private func card(
    x: Double, y: Double, width: Double, height: Double, _ paint: Paint,
    _ content: @escaping () -> Void
  ) -> PanelCard {
    PanelCard(x: x, y: y, width: width, height: height) {
      canvas.shadow(x: x, y: y, width: width, height: height, radius: 16, opacity: 0.14)
      canvas.fill(.rectangle(x: x, y: y, width: width, height: height, radius: 16), paint)
      content()
    }
  }

  // MARK: Speed

  /// nil if neither speed nor limit is known; `bar` is the card below it on an upright screen.
  func speed(_ panel: WireScenePanel, _ scene: PictureScene, above bar: PanelCard?) -> PanelCard? {
    guard panel.speedMps != nil || panel.speedLimitMps != nil else { return nil }
    let isOver = scene.isTooFast && (panel.speedLimitMps ?? 0) > 0 && panel.speedMps != nil
    let isFar = isOver && (panel.speedMps ?? 0) > (panel.speedLimitMps ?? 0) + 20 / 3.6
    let width = 5.25 * rem
    let sign = panel.speedLimitMps.map { LimitSign($0, scene.country, texts) }
    let value = canvas.text(
      panel.speedMps.map { texts.speed($0).number } ?? "–",
      TextStyle(size: 2.1 * rem, isBold: true))
    let unit = canvas.text(texts.speed(0).unit, TextStyle(size: 0.8 * rem))
    let signHeight = sign.map { $0.height(rem) + 0.5 * rem } ?? 0
    let height = 1.2 * rem + signHeight + value.height * 0.9 + unit.height
    let x = look.gap
    let foot = look.isUpright ? bar.map { $0.y - look.gap } ?? bottom : bottom
    let y = foot - height
    return card(
      x: x, y: y, width: width, height: height, isFar ? Paint("#d13438") : look.card
    ) {
      var top = y + 0.6 * rem
      if let sign {
        sign.draw(canvas, middleX: x + width / 2, y: top, rem)
        top += signHeight
      }
      let red = Paint(isFar ? "#ffffff" : "#d13438")
      value.draw(x: x + (width - value.width) / 2, y: top, isOver ? red : look.ink)
      top += value.height * 0.9
      unit.draw(x: x + (width - unit.width) / 2, y: top, isFar ? red : look.soft)
    }
  }

  // MARK: Way

  private struct Figure {
    var value: CanvasText
    var caption: CanvasText
    var delay: (text: CanvasText, paint: Paint)?

    func width(_ rem: Double) -> Double {
      let below = caption.width + (delay.map { $0.text.width + 0.4 * rem } ?? 0)
      return max(4.5 * rem, max(value.width, below) + 1.2 * rem)
    }
  }

  private func figure(_ value: String, _ caption: String) -> Figure {
    Figure(
      value: canvas.text(value, TextStyle(size: 1.55 * rem, isBold: true)),
      caption: canvas.text(caption, TextStyle(size: 0.8 * rem)))
  }

  /// The bar with distance, time and arrival; nil without a route.
  func bar(_ panel: WireScenePanel, _ drawn: DrawnRoute) -> PanelCard? {
    guard let remainingM = panel.remainingM else { return nil }
    let route = drawn.route
    let left = texts.distance(remainingM)
    let time = PanelTexts.duration(panel.remainingS ?? 0)
    var figures = [figure(time.number, time.unit), figure(left.number, left.unit)]
    let travelledM = route.lengthM - remainingM
    if let delay = PanelTexts.delay(route, travelledM: travelledM), delay.seconds >= 60 {
      let late = PanelTexts.duration(delay.seconds)
      let text = canvas.text(
        "+\(late.number) \(late.unit)", TextStyle(size: 0.8 * rem, isBold: true))
      let isNight = look.ink.red > 0.5
      let red = Paint(isNight ? "#ff9a9d" : "#a8242c")
      let amber = Paint(isNight ? "#f2b653" : "#8a5200")
      figures[0].delay = (text, delay.colour == "slow" ? amber : red)
    }
    if let eta = panel.etaNs {
      let clock = PanelTexts.timeOfDay(ns: eta, utcOffsetS: panel.etaUtcOffsetS ?? 0)
      figures.insert(figure(clock, "arrival"), at: 0)
    }
    let width =
      look.isUpright
      ? canvas.width - 2 * look.gap : figures.reduce(1.6 * rem) { $0 + $1.width(rem) }
    let height = 4.75 * rem
    let x = (canvas.width - width) / 2
    // On an upright screen the bar has the whole width, so it stands above the attribution.
    let y = bottom - height - (look.isUpright ? 1.1 * rem : 0)
    return card(x: x, y: y, width: width, height: height, look.card) {
      draw(figures, x: x, y: y, width: width)
      drawTrip(
        drawn, travelledM, x: x + 1.2 * rem, y: y + height - 0.8 * rem, width: width - 2.4 * rem)
    }
  }

  private func draw(_ figures: [Figure], x: Double, y: Double, width: Double) {
    let used = figures.reduce(0) { $0 + $1.width(rem) }
    let air = (width - 1.6 * rem - used) / Double(figures.count)
    var left = x + 0.8 * rem
    for (index, figure) in figures.enumerated() {
      let column = figure.width(rem) + air
      let middle = left + column / 2
      if index > 0 {
        canvas.fill(
          .rectangle(x: left, y: y + 0.9 * rem, width: 1, height: 2.7 * rem, radius: 0), look.line)
      }
      let top = y + 0.65 * rem
      figure.value.draw(x: middle - figure.value.width / 2, y: top, look.ink)
      let below = figure.caption.width + (figure.delay.map { $0.text.width + 0.4 * rem } ?? 0)
      let second = top + figure.value.height * 0.95
      figure.caption.draw(x: middle - below / 2, y: second, look.soft)
      if let delay = figure.delay {
        delay.text.draw(
          x: middle - below / 2 + figure.caption.width + 0.4 * rem, y: second, delay.paint)
      }
      left += column
    }
  }

  /// The whole route as a bar: what is driven, and the traffic ahead.
  private func drawTrip(
    _ drawn: DrawnRoute, _ travelledM: Double, x: Double, y: Double, width: Double
  ) {
    let length = max(drawn.line.lengthM, 1)
    func at(_ metres: Double) -> Double { x + min(max(metres / length, 0), 1) * width }
    let driven = min(max(travelledM, 0), length)
    canvas.clip(.rectangle(x: x, y: y, width: width, height: 0.4 * rem, radius: 0.2 * rem)) {
      func part(_ from: Double, _ to: Double, _ colour: String) {
        canvas.fill(
          .rectangle(
            x: at(from), y: y, width: at(to) - at(from) + 0.5, height: 0.4 * rem, radius: 0),
          Paint(style[colour]))
      }
      part(0, driven, RouteColour.behind.rawValue)
      var from = driven
      for stretch in drawn.stretches(fromM: driven, showsTraffic: true) {
        part(from, stretch.toM, stretch.colour)
        from = stretch.toM
      }
    }
  }

  /// The name of the road that the vehicle is on, above the bar; nil for none.
  func road(_ name: String, above bar: PanelCard?) -> PanelCard? {
    guard !name.isEmpty else { return nil }
    let limit = max(canvas.width * 0.4, 120)
    let text = canvas.text(name, TextStyle(size: rem, isMedium: true))
    let width = min(text.width, limit) + 1.8 * rem
    let shown =
      text.width > limit
      ? canvas.text(name, TextStyle(size: rem, isMedium: true, widthLimit: limit)) : text
    let height = text.height + 0.5 * rem
    let x = (canvas.width - width) / 2
    let y = (bar?.y ?? bottom) - height - 0.2 * rem
    return PanelCard(x: x, y: y, width: width, height: height) {
      canvas.fill(
        .rectangle(x: x, y: y, width: width, height: height, radius: height / 2), look.accent)
      shown.draw(x: x + 0.9 * rem, y: y + 0.25 * rem, look.accentInk)
    }
  }
}

/// The sign of a speed limit as drivers of a country see it.
struct LimitSign {
  private let limitMps: Double
  private let text: String
  /// The words on the panels of North America; nil for the ring of the Vienna Convention.
  private let caption: String?

  init(_ limitMps: Double, _ country: String?, _ texts: PanelTexts) {
    self.limitMps = limitMps
    text = limitMps > 0 ? texts.speed(limitMps).number : ""
    caption =
      switch country {
      case "US": "SPEED LIMIT"
      case "CA": "MAXIMUM"
      default: nil
      }
  }

  private var isPanel: Bool { caption != nil && limitMps > 0 }

  func height(_ rem: Double) -> Double { isPanel ? 4.8 * rem : 3.75 * rem }

  func draw(_ canvas: Canvas, middleX: Double, y: Double, _ rem: Double) {
    let black = Paint("#111111")
    if isPanel, let caption {
      let (width, height) = (4 * rem, 4.6 * rem)
      let frame = VectorPath.rectangle(
        x: middleX - width / 2, y: y + 0.1 * rem, width: width, height: height, radius: 0.45 * rem)
      canvas.fill(frame, .white)
      canvas.stroke(frame, black, width: 2)
      let words = canvas.text(
        caption,
        TextStyle(
          size: 0.62 * rem, isBold: true, widthLimit: width - 0.4 * rem, lineLimit: 2,
          isCentered: true))
      words.draw(x: middleX - words.width / 2, y: y + 0.4 * rem, black)
      let number = canvas.text(text, TextStyle(size: 1.75 * rem, isBold: true))
      number.draw(x: middleX - number.width / 2, y: y + height - number.height - 0.05 * rem, black)
      return
    }
    let center = ScreenPoint(x: middleX, y: y + 1.875 * rem)
    guard limitMps > 0 else {
      let ring = VectorPath.circle(center, radius: 1.8 * rem)
      canvas.fill(ring, .white)
      canvas.clip(ring) {
        canvas.stroke(
          VectorPath(
            svg:
              "M\(center.x - 2 * rem) \(center.y + 2 * rem)L\(center.x + 2 * rem) \(center.y - 2 * rem)"
          ), Paint("#444444"), width: 0.42 * rem)
      }
      canvas.stroke(ring, Paint("#444444"), width: 2)
      return
    }
    canvas.fill(.circle(center, radius: 1.875 * rem), .white)
    canvas.stroke(.circle(center, radius: 1.665 * rem), Paint("#d8232a"), width: 0.42 * rem)
    let number = canvas.text(
      text, TextStyle(size: (text.count > 2 ? 1.1 : 1.35) * rem, isBold: true))
    number.draw(x: center.x - number.width / 2, y: center.y - number.height / 2, black)
  }
}

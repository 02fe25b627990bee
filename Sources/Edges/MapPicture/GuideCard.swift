import Cartography
import Messages
import Scene

/// The card of the next maneuver: its picture, distance and road, the sign there, the lanes, and
/// the maneuver after it.
struct GuideCard {
  let canvas: Canvas
  let look: PanelLook
  let texts: PanelTexts

  private var rem: Double { look.rem }

  /// A row of the card: its height, and how it is drawn at a top left corner.
  private struct Row {
    var height: Double
    var draw: (_ x: Double, _ y: Double) -> Void
  }

  /// nil if there is no maneuver to show; rows that do not fit above `limitY` are left out, the last
  /// ones first.
  func card(_ panel: WireScenePanel, _ route: WireRoute, limitY: Double) -> PanelCard? {
    guard let index = panel.maneuverIndex.map({ Int(clamping: $0) }),
      route.maneuvers.indices.contains(index)
    else { return nil }
    let maneuver = route.maneuvers[index]
    var rows = [turnRow(panel, maneuver, route)]
    if let sign = panel.signpost, let row = signRow(sign, maneuver, panel) { rows.append(row) }
    if !panel.lanes.isEmpty { rows.append(lanesRow(panel.lanes)) }
    if maneuver.lengthM <= 250, maneuver.action != .arrive,
      route.maneuvers.indices.contains(index + 1)
    {
      rows.append(thenRow(route.maneuvers[index + 1], afterM: maneuver.lengthM))
    }
    let (x, y, width) = (look.gap, look.gap, look.panelWidth)
    while rows.count > 1, rows.reduce(y, { $0 + $1.height }) > limitY { rows.removeLast() }
    let height = rows.reduce(0) { $0 + $1.height }
    return PanelCard(x: x, y: y, width: width, height: height) {
      canvas.shadow(x: x, y: y, width: width, height: height, radius: 16, opacity: 0.16)
      let frame = VectorPath.rectangle(x: x, y: y, width: width, height: height, radius: 16)
      canvas.fill(frame, look.guide)
      canvas.clip(frame) {
        var top = y
        for row in rows {
          row.draw(x, top)
          top += row.height
        }
      }
    }
  }

  static func symbol(_ maneuver: WireManeuver) -> ManeuverSymbol {
    let side =
      switch maneuver.side {
      case .left: -1
      case .right: 1
      default: 0
      }
    let grade = maneuver.grade.flatMap { ManeuverSymbol.gradesDeg[$0.rawValue] }
    return ManeuverSymbol(
      action: ManeuverSymbol.Action(rawValue: maneuver.action.rawValue) ?? .continue,
      turnDeg: grade ?? maneuver.turnAngleDeg ?? 0, side: side,
      roundaboutDeg: maneuver.roundaboutAngleDeg,
      exitCount: maneuver.exitCount.map { Int(clamping: $0) },
      isLeftHand: maneuver.ontoRoad.leftHand)
  }

  private func turnRow(
    _ panel: WireScenePanel, _ maneuver: WireManeuver, _ route: WireRoute
  ) -> Row {
    let side = 4.5 * rem
    let textX = 1.25 * rem + side + rem
    let room = look.panelWidth - textX - 1.25 * rem
    let metres = panel.maneuverRemainingM ?? 0
    let distance = canvas.text(
      panel.maneuverDistanceText ?? texts.units.text(metres),
      TextStyle(size: 2.4 * rem, isBold: true, widthLimit: room))
    let (numbers, name) = PanelTexts.road(panel, maneuver, route)
    let signs = ShieldRow(canvas: canvas, numbers: numbers, size: 1.02 * rem)
    let fits = signs.width + 0.5 * rem < room * 0.55
    let nameX = signs.width > 0 && fits ? signs.width + 0.5 * rem : 0
    let road = canvas.text(
      name, TextStyle(size: 1.3 * rem, widthLimit: room - nameX, lineLimit: 3))
    let below = signs.width > 0 && !fits && !name.isEmpty ? 1.7 * rem : 0
    let hasText = !name.isEmpty || signs.width > 0
    let lines = hasText ? 0.2 * rem + below + max(name.isEmpty ? 0 : road.height, 1.6 * rem) : 0
    let textHeight = distance.height * 0.93 + lines
    let height = rem + max(side, textHeight) + 0.9 * rem
    let icon = Self.symbol(maneuver).icon
    return Row(height: height) { x, y in
      let middle = y + rem + max(side, textHeight) / 2
      canvas.draw(
        icon, x: x + 1.25 * rem, y: middle - side / 2, width: side, height: side, .white)
      var top = middle - textHeight / 2
      distance.draw(x: x + textX, y: top, .white)
      top += distance.height * 0.93 + 0.2 * rem
      if signs.width > 0 {
        signs.draw(x: x + textX, y: top + 0.12 * rem, .white)
        top += below
      }
      if !name.isEmpty { road.draw(x: x + textX + nameX, y: top, .white) }
    }
  }

  private func signRow(
    _ sign: WireSignpost, _ maneuver: WireManeuver, _ panel: WireScenePanel
  ) -> Row? {
    let road = panel.nextRoad ?? maneuver.ontoRoad
    let said = Set(PanelTexts.numbers(road) + [road.name])
    let numbers = sign.roadNumbers.filter { !said.contains($0) }
    let places = sign.destinations.filter { !said.contains($0) }.joined(separator: " · ")
    guard !(sign.exitNumber.isEmpty && numbers.isEmpty && places.isEmpty) else { return nil }
    let inner = look.panelWidth - 4 * rem
    let exit =
      sign.exitNumber.isEmpty
      ? nil : canvas.text("Exit \(sign.exitNumber)", TextStyle(size: rem, isBold: true))
    let exitWidth = exit.map { $0.width + 1.6 * rem } ?? 0
    let signs = ShieldRow(canvas: canvas, numbers: numbers, size: 0.78 * rem)
    let before = exitWidth + (signs.width > 0 ? signs.width + 0.6 * rem : 0)
    let isBelow = before > 0 && inner - before < 8 * rem
    let text = canvas.text(
      places,
      TextStyle(
        size: rem, isMedium: true, widthLimit: inner - (isBelow ? 0 : before), lineLimit: 3))
    let first = before > 0 ? 1.5 * rem : 0
    let content = isBelow ? first + (places.isEmpty ? 0 : text.height) : max(first, text.height)
    return Row(height: content + 1.9 * rem) { x, y in
      let (left, width) = (x + 1.25 * rem, look.panelWidth - 2.5 * rem)
      canvas.fill(
        .rectangle(x: left, y: y, width: width, height: content + rem, radius: 0.6 * rem),
        Paint("#1d56b8"))
      var at = left + 0.75 * rem
      let top = y + 0.5 * rem
      if let exit {
        canvas.fill(
          .rectangle(
            x: at, y: top, width: exit.width + rem, height: exit.height + 4, radius: 0.35 * rem),
          .white)
        exit.draw(x: at + 0.5 * rem, y: top + 2, Paint("#1d56b8"))
        at += exitWidth
      }
      if signs.width > 0 {
        signs.draw(x: at, y: top + 0.1 * rem, .white)
        at += signs.width + 0.6 * rem
      }
      guard !places.isEmpty else { return }
      text.draw(
        x: isBelow ? left + 0.75 * rem : at,
        y: isBelow ? top + first : top + (content - text.height) / 2, .white)
    }
  }

  private func lanesRow(_ lanes: [WireLane]) -> Row {
    let symbols = lanes.map { lane in
      LaneSymbol(
        directions: lane.directions, active: lane.active,
        isUsed: lane.recommendation != .notRecommended,
        isBest: lane.recommendation == .highlyRecommended, access: lane.access)
    }
    let room = look.panelWidth - 1.5 * rem
    let side = min(3.5 * rem, room / Double(symbols.count) - 0.4 * rem)
    let column = side + 0.4 * rem
    let hasMarks = symbols.contains { !$0.mark.isEmpty }
    let height = side + 1.2 * rem + (hasMarks ? 0.8 * rem : 0)
    return Row(height: height) { x, y in
      canvas.fill(
        .rectangle(x: x, y: y, width: look.panelWidth, height: height, radius: 0),
        Paint("#00000047"))
      var left = x + (look.panelWidth - column * Double(symbols.count)) / 2
      for (index, lane) in symbols.enumerated() {
        let paint = Paint.white.faded(lane.isUsed ? 1 : 0.34)
        canvas.draw(
          lane.icon, x: left + (column - side * 40 / 48) / 2, y: y + 0.6 * rem,
          width: side * 40 / 48, height: side, paint)
        if !lane.mark.isEmpty {
          let mark = canvas.text(lane.mark, TextStyle(size: 0.7 * rem, isBold: true))
          mark.draw(x: left + (column - mark.width) / 2, y: y + side + 0.7 * rem, paint)
        }
        if lane.isBest {
          canvas.fill(
            .rectangle(x: left + 2, y: y + height - 4, width: column - 4, height: 4, radius: 2),
            Paint("#5ee08a"))
        }
        if index > 0 {
          for dash in stride(from: y + 0.6 * rem, to: y + height - 0.6 * rem, by: 10) {
            canvas.fill(
              .rectangle(x: left - 1, y: dash, width: 2, height: 5, radius: 0),
              Paint.white.faded(0.25))
          }
        }
        left += column
      }
    }
  }

  private func thenRow(_ next: WireManeuver, afterM: Double) -> Row {
    let then = canvas.text("Then", TextStyle(size: rem, isMedium: true))
    let after = texts.distance(afterM)
    let distance = canvas.text(
      "\(after.number) \(after.unit)", TextStyle(size: rem, isMedium: true))
    let side = 1.6 * rem
    let height = side + 1.1 * rem
    let icon = Self.symbol(next).icon
    return Row(height: height) { x, y in
      canvas.fill(
        .rectangle(x: x, y: y, width: look.panelWidth, height: height, radius: 0),
        Paint("#00000047"))
      canvas.fill(
        .rectangle(x: x, y: y, width: look.panelWidth, height: 1, radius: 0),
        Paint.white.faded(0.12))
      let middle = y + height / 2
      var left = x + 1.25 * rem
      then.draw(x: left, y: middle - then.height / 2, look.guideSoft)
      left += then.width + 0.6 * rem
      canvas.draw(icon, x: left, y: middle - side / 2, width: side, height: side, look.guideSoft)
      left += side + 0.6 * rem
      distance.draw(x: left, y: middle - distance.height / 2, look.guideSoft)
    }
  }
}

/// Road numbers in frames, side by side.
struct ShieldRow {
  private let canvas: Canvas
  private let texts: [CanvasText]
  private let size: Double

  init(canvas: Canvas, numbers: [String], size: Double) {
    self.canvas = canvas
    self.size = size
    texts = numbers.map { canvas.text($0, TextStyle(size: size, isBold: true)) }
  }

  private var padding: Double { 0.5 * size }

  /// 0 without numbers.
  var width: Double {
    guard !texts.isEmpty else { return 0 }
    return texts.reduce(-0.4 * size) { $0 + $1.width + 2 * padding + 0.4 * size }
  }

  func draw(x: Double, y: Double, _ paint: Paint) {
    var left = x
    for text in texts {
      let frame = VectorPath.rectangle(
        x: left, y: y, width: text.width + 2 * padding, height: text.height + 2, radius: 0.4 * size)
      canvas.stroke(frame, paint, width: 1.5)
      text.draw(x: left + padding, y: y + 1, paint)
      left += text.width + 2 * padding + 0.4 * size
    }
  }
}

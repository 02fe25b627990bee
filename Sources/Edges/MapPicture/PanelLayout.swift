import Cartography

/// Sizes and colours of the cards, as the page's style sheet has them.
struct PanelLook {
  /// The size of text that everything grows with.
  let rem: Double
  let isUpright: Bool
  let gap: Double
  let panelWidth: Double
  let card: Paint
  let ink: Paint
  let soft: Paint
  let line: Paint
  let accent: Paint
  let accentInk: Paint
  let guide: Paint
  let guideSoft: Paint

  init(width: Double, height: Double, isNight: Bool) {
    isUpright = width <= height
    let byHeight = height * (isUpright ? 0.0175 : 0.0225)
    rem = min(max(min(byHeight, 0.021 * width + 4), 12), isUpright ? 22 : 24)
    // On a low screen, cards stand closer together.
    let isLow = !isUpright && height <= 520
    gap = isLow ? 0.5 * rem : rem
    let share = isLow ? 0.4 * width : min(max(23 * rem, 0.26 * width), 0.32 * width)
    panelWidth = isUpright ? width - 2 * gap : min(share, width - 2 * gap)
    card = Paint(isNight ? "#1a222cf5" : "#fffffff5")
    ink = Paint(isNight ? "#eef3f8" : "#16202b")
    soft = Paint(isNight ? "#9fb0c0" : "#5b6876")
    line = Paint(isNight ? "#ffffff24" : "#16202b1f")
    accent = Paint(isNight ? "#6aa7ff" : "#1f6feb")
    accentInk = Paint(isNight ? "#0d1620" : "#ffffff")
    guide = Paint(isNight ? "#10281f" : "#0f3d2e")
    guideSoft = Paint(isNight ? "#86bfa6" : "#a9d8c3")
  }
}

/// A card over the map.
struct PanelCard {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
  var draw: () -> Void

  var box: LabelBox { LabelBox(left: x, top: y, right: x + width, bottom: y + height) }
}

/// Where the vehicle is drawn: at its anchor in what the cards leave free, as on the page.
enum VehiclePlace {
  /// Half of the indicator, and a little air around it.
  private static let halfPx = 34.0

  static func place(
    width: Double, height: Double, anchorX: Double, anchorY: Double, cards: [LabelBox]
  ) -> ScreenPoint {
    let wanted = ScreenPoint(x: anchorX * width, y: anchorY * height)
    var (left, top) = (0.0, 0.0)
    for card in cards {
      let spansWidth = card.right - card.left > width * 0.6
      if spansWidth, card.bottom < height * 0.6 {
        top = max(top, card.bottom)
      } else if card.left < width * 0.1, card.right < width * 0.6, touches(card, wanted) {
        left = max(left, card.right)
      }
    }
    let x = left > 0 ? left + anchorX * (width - left) : wanted.x
    var (highest, lowest) = (halfPx, height - halfPx)
    for card in cards where card.right >= x - halfPx && card.left <= x + halfPx {
      if (card.top + card.bottom) / 2 > (top + height) / 2 {
        lowest = min(lowest, card.top - halfPx)
      } else {
        highest = max(highest, card.bottom + halfPx)
      }
    }
    return ScreenPoint(x: x, y: min(max(wanted.y, highest), max(lowest, highest)))
  }

  private static func touches(_ card: LabelBox, _ place: ScreenPoint) -> Bool {
    card.right + halfPx > place.x && card.left - halfPx < place.x && card.bottom + halfPx > place.y
      && card.top - halfPx < place.y
  }
}

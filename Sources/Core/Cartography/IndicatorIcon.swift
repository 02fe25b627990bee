/// The picture of the location indicator in a square of 64, ahead upwards: the vehicle seen from
/// above, as on the page.
public enum IndicatorIcon {
  /// `style` is a value of the contract: a mode, `tracking` or `grey`; any other is drawn as a car.
  public static func icon(style: String) -> Icon {
    let isGrey = style == "grey"
    let pencil = Pencil(
      fill: isGrey ? "#7d8a97" : "#1f6feb", dark: isGrey ? "#5d6873" : "#1553b8")
    return Icon(width: 64, height: 64, shapes(style, pencil))
  }

  private static func shapes(_ style: String, _ pencil: Pencil) -> [Icon.Shape] {
    switch style {
    case "tracking":
      pencil.tip(2) + pencil.body(.circle(ScreenPoint(x: 32, y: 36), radius: 17))
    case "truck":
      pencil.tip(1) + pencil.body("M23 12H41Q43 12 43 15V23H21V15Q21 12 23 12Z")
        + pencil.glass("M24 16H40V20H24Z")
        + pencil.body("M19 25H45Q46 25 46 26V59Q46 61 44 61H20Q18 61 18 59V26Q18 25 19 25Z")
        + pencil.shade("M32 25H45Q46 25 46 26V59Q46 61 44 61H32Z")
    case "bus":
      pencil.tip(1)
        + pencil.body("M24 12H40Q44 12 44 17V56Q44 61 39 61H25Q20 61 20 56V17Q20 12 24 12Z")
        + pencil.shade("M32 12H40Q44 12 44 17V56Q44 61 39 61H32Z")
        + pencil.glass("M24 16H40V21H24ZM23.5 26H26.5V54H23.5ZM37.5 26H40.5V54H37.5Z")
    case "scooter":
      pencil.tip(1)
        + pencil.body(
          "M16 18Q32 13 48 18V23Q40 20 36 21V30Q41 34 41 42Q41 50 36 54V59Q32 63 28 59V54Q23 50 23 42Q23 34 28 30V21Q24 20 16 23Z"
        )
        + pencil.shade(
          "M32 16Q42 16 48 18V23Q40 20 36 21V30Q41 34 41 42Q41 50 36 54V59Q34 61 32 61Z")
        + pencil.glass(.circle(ScreenPoint(x: 32, y: 41), radius: 6))
    case "bicycle":
      pencil.tip(1)
        + pencil.body(
          "M18 24Q32 18 46 24V28Q38 25 34.5 26V34Q40 37 40 43Q40 48 35 50V60Q32 63 29 60V50Q24 48 24 43Q24 37 29.5 34V26Q26 25 18 28Z"
        )
        + [.init("M32 14V24M32 52V60", .stroke(width: 2.5), colour: Pencil.pale)]
        + pencil.glass(.circle(ScreenPoint(x: 32, y: 42), radius: 4.5))
    case "pedestrian":
      pencil.tip(3)
        + pencil.body(
          "M32 20Q46 20 50 32Q52 40 46 43Q40 38 32 38Q24 38 18 43Q12 40 14 32Q18 20 32 20Z")
        + pencil.body(.circle(ScreenPoint(x: 32, y: 35), radius: 9))
    default:
      pencil.body("M32 5L56 57L32 45L8 57Z") + pencil.shade("M32 5L56 57L32 45Z")
    }
  }

  /// Draws shapes in the colours of a vehicle.
  private struct Pencil {
    static let pale = "#dbe9ff"

    let fill: String
    let dark: String

    /// A shape with a white outline.
    func body(_ path: VectorPath) -> [Icon.Shape] {
      [
        .init(path, .stroke(width: 5), colour: "#ffffff"), .init(path, .fill, colour: fill),
      ]
    }

    func body(_ svg: String) -> [Icon.Shape] { body(VectorPath(svg: svg)) }
    /// The side away from the light.
    func shade(_ svg: String) -> [Icon.Shape] { [.init(svg, .fill, colour: dark)] }
    func glass(_ svg: String) -> [Icon.Shape] { glass(VectorPath(svg: svg)) }
    func glass(_ path: VectorPath) -> [Icon.Shape] { [.init(path, .fill, colour: Self.pale)] }

    /// The tip that shows the direction, before a shape that does not.
    func tip(_ y: Double) -> [Icon.Shape] {
      body("M32 \(y)L40 \(y + 11)H24Z")
    }
  }
}

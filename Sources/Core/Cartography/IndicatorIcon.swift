/// The picture of the location indicator in a square of 64, ahead upwards.
public enum IndicatorIcon {
  /// `style` is a word of the contract: tracking, car, pedestrian, bicycle or grey.
  public static func icon(style: String) -> Icon {
    let fill = style == "grey" ? "#7d8a97" : "#1f6feb"
    let shade = style == "grey" ? "#5d6873" : "#1553b8"
    if style == "pedestrian" || style == "tracking" {
      let dot = VectorPath.circle(ScreenPoint(x: 32, y: 34), radius: 16)
      return Icon(
        width: 64, height: 64,
        [
          .init("M32 2L44 20H20Z", .stroke(width: 3), colour: "#ffffff"),
          .init("M32 2L44 20H20Z", .fill, colour: fill),
          .init(dot, .fill, colour: fill), .init(dot, .stroke(width: 6), colour: "#ffffff"),
        ])
    }
    let arrow = "M32 5L56 57L32 45L8 57Z"
    return Icon(
      width: 64, height: 64,
      [
        .init(arrow, .stroke(width: 6), colour: "#ffffff"), .init(arrow, .fill, colour: fill),
        .init("M32 8L54 55L32 44Z", .fill, colour: shade),
      ])
  }
}

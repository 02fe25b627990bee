/// Draws road shields in the style of their country's signs.
public enum Shield {
  /// Makes the picture of a shield, as large as it fits into the box with its aspect kept.
  ///
  /// Equal arguments give equal pictures, so a caller may cache them by `ShieldPicture.key`. It
  /// takes some tens of microseconds.
  ///
  /// - Throws: `ShieldFault` for a missing number or country, and for values out of range.
  public static func make(
    _ properties: ShieldProperties, box: ShieldBox, scheme: ShieldScheme = .map,
    night: Bool = false
  ) throws(ShieldFault) -> ShieldPicture {
    for (field, side) in [("width_px", box.widthPx), ("height_px", box.heightPx)] {
      guard ShieldBox.sides.contains(side) else {
        throw .invalid(field: field, reason: "must be from 8 to 4096 pixels, not \(side)")
      }
    }
    let shield = try ResolvedShield(properties)
    let (name, style) = ShieldTable.style(
      network: shield.network, country: shield.country, state: shield.state, level: shield.level)
    var artist = ShieldArtist(style: style, scheme: scheme, night: night)
    let drawing = artist.draw(shield)
    let scale = Double.minimum(box.widthPx / drawing.width, box.heightPx / drawing.height)
    return ShieldPicture(
      widthPx: max(1, Int((drawing.width * scale).rounded(.down))),
      heightPx: max(1, Int((drawing.height * scale).rounded(.down))),
      description: ShieldDescription.words(shield), style: name,
      key: key(properties, box: box, scheme: scheme, night: night), drawing: drawing)
  }

  /// The key of a picture without drawing it: everything that it depends on.
  public static func key(
    _ properties: ShieldProperties, box: ShieldBox, scheme: ShieldScheme, night: Bool
  ) -> String {
    func field(_ text: String?) -> String {
      // Different for nil and an empty text, and free of the separator.
      text.map { "=" + $0.replacing("%", with: "%25").replacing("|", with: "%7C") } ?? ""
    }
    return [
      field(properties.number), field(properties.shieldText),
      field(properties.level.map(String.init)), field(properties.country), field(properties.state),
      field(properties.direction), field(properties.network), "\(box.widthPx)x\(box.heightPx)",
      scheme.rawValue, night ? "night" : "day",
    ].joined(separator: "|")
  }
}

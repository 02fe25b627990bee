/// Draws one shield: outline, face, crown, caption, number, and the direction above.
struct ShieldArtist {
  let style: ShieldStyle
  let scheme: ShieldScheme
  let night: Bool
  private var drawing = ShieldDrawing(width: 100, height: 100)

  init(style: ShieldStyle, scheme: ShieldScheme, night: Bool) {
    (self.style, self.scheme, self.night) = (style, scheme, night)
  }

  private var isPanel: Bool { scheme == .panel }
  private var isSilhouette: Bool {
    if case .cutOut(let template) = style.form { template.isSilhouette } else { false }
  }
  private func hex(_ colour: SignColour) -> String { colour.hex(night: night) }

  mutating func draw(_ shield: ResolvedShield) -> ShieldDrawing {
    let banner = isPanel && style.hasDirection ? Self.banner(shield.direction) : nil
    let width = signWidth(shield.text)
    let top = banner == nil ? 0.0 : 40
    let plate = isPanel || isSilhouette ? style.plate : nil
    let margin = plate == nil ? 2.0 : 8
    drawing.width = width + 2 * margin
    drawing.height = 100 + 2 * margin + top
    if let banner { draw(banner: banner, width: drawing.width) }
    let whole = ShieldArea(x: 0, y: top, width: drawing.width, height: drawing.height - top)
    if let plate {
      drawing.elements.append(
        .fill(.rectangle(whole, radius: 8), colour: hex(plate)))
      if plate == .white { edge(.rectangle(whole.inset(2), radius: 6), .black, 2.5) }
    }
    drawSign(shield, whole.inset(margin))
    return drawing
  }

  // MARK: Sizes

  /// Plates are as wide as their text; other signs have one width for up to two characters and a
  /// wider one.
  private func signWidth(_ text: String) -> Double {
    guard style.form.isPlate else { return text.count <= 2 ? 100 : 125 }
    let textHeight = 56.0
    let natural = ShieldText.widthEm(text) * textHeight / 0.72
    return Double.minimum(Double.maximum(natural + style.form.paddingX, 112), 300)
  }

  // MARK: Parts

  private mutating func drawSign(_ shield: ResolvedShield, _ area: ShieldArea) {
    let caption = caption(of: shield)
    if style.form == .cutOut(.crowned) {
      drawCrowned(area)
    } else {
      drawFace(area)
    }
    if let caption, let place = captionArea(area) {
      drawing.elements.append(.text(ShieldText(caption, in: place, colour: hex(captionInk))))
    }
    var place = style.form.numberArea(area, hasCaption: caption != nil)
    if style.band != nil {
      place.y += Self.bandShare * area.height / 2
      place.height -= Self.bandShare * area.height / 3
    }
    drawing.elements.append(.text(ShieldText(shield.text, in: place, colour: hex(style.ink))))
  }

  private var captionInk: SignColour {
    switch style.band {
    case .yellow: .black
    case nil: style.form == .cutOut(.square) && style.face == .blue ? .yellow : style.ink
    default: .white
    }
  }

  /// The caption of a sign; on a map only if the sign cannot be recognised without it.
  private func caption(of shield: ResolvedShield) -> String? {
    if style.caption == "STATE" {
      let words = shield.network?.split(separator: ":") ?? []
      return words.count == 2 && words[1].count == 2 ? String(words[1]) : nil
    }
    return isPanel || style.form == .cutOut(.diamond) ? style.caption : nil
  }

  /// The height of a band in relation to that of the sign.
  private static let bandShare = 0.27

  private func captionArea(_ area: ShieldArea) -> ShieldArea? {
    switch style.form {
    case .ellipse: area.part(34, 13, 66, 32)
    case .cutOut(let template): template.captionArea(area)
    case .rectangle, .rounded, .pointed, .octagon:
      style.band == nil ? nil : area.part(12, 9, 88, 24)
    }
  }

  /// The face with its rim.
  ///
  /// Rims of plates lie within the face, as on signs.
  private mutating func drawFace(_ area: ShieldArea) {
    let outline = style.form.path(area)
    let thickness = isPanel ? 5.0 : 4
    if style.form.isPlate {
      drawing.elements.append(.fill(outline, colour: hex(style.face)))
      if let band = style.band {
        let path = ShieldPath.top(
          of: area, height: Self.bandShare * area.height, radius: area.height * 0.22)
        drawing.elements.append(.fill(path, colour: hex(band)))
      }
      let line = style.form.path(area.inset(isPanel ? 7 : 5.5))
      edge(line, style.rim, thickness)
      if !isPanel || style.face == .white { edge(outline, mapEdge, 2) }
    } else if isSilhouette {
      drawing.elements.append(.fill(outline, colour: hex(style.face)))
    } else {
      drawing.elements.append(.fill(outline, colour: hex(style.rim)))
      // Thin next to a plate of the rim's own colour, which continues it.
      let by = style.plate == style.rim && isPanel ? 0 : thickness + 0.5
      drawing.elements.append(.fill(style.form.path(area.inset(by)), colour: hex(style.face)))
      if style.rim == .white { edge(outline, mapEdge, 2) }
    }
  }

  /// A crown of red above a body of the style's colour, both within a white line.
  private mutating func drawCrowned(_ area: ShieldArea) {
    let outline = style.form.path(area)
    drawing.elements.append(.fill(outline, colour: hex(style.rim)))
    edge(outline, mapEdge, 2)
    let inner = area.inset(isPanel ? 4.5 : 4)
    let crown: SignColour = style.face == .green ? .green : .red
    drawing.elements.append(.fill(ShieldTemplate.crown.fitted(to: inner), colour: hex(crown)))
    drawing.elements.append(
      .fill(ShieldTemplate.crownedBody.fitted(to: inner), colour: hex(style.face)))
  }

  /// Signs with a white edge need a thin dark line around them to be visible on a light map.
  private var mapEdge: SignColour { .black }

  private mutating func edge(_ path: ShieldPath, _ colour: SignColour, _ width: Double) {
    drawing.elements.append(.stroke(path, colour: hex(colour), width: width))
  }

  // MARK: Direction

  private mutating func draw(banner: String, width: Double) {
    let area = ShieldArea(x: 1.5, y: 1.5, width: width - 3, height: 33)
    let face: SignColour =
      switch style.face {
      case .blue: .blue
      case .green: .green
      default: .white
      }
    let ink: SignColour = face == .white ? .black : .white
    let path = ShieldPath.rectangle(area, radius: 6)
    drawing.elements.append(.fill(path, colour: hex(face)))
    edge(.rectangle(area.inset(1.5), radius: 5), ink, 2)
    drawing.elements.append(
      .text(ShieldText(banner, in: area.part(8, 22, 92, 78), colour: hex(ink))))
  }

  /// The word on the plate above; nil for directions that are not shown on signs.
  private static func banner(_ direction: String?) -> String? {
    switch direction {
    case "north", "south", "east", "west", "inner", "outer": direction?.uppercased()
    default: nil
    }
  }
}

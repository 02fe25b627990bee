/// The look of the signs of one network.
struct ShieldStyle: Sendable {
  var form: ShieldForm
  var face: SignColour
  /// The line around the face.
  var rim: SignColour
  /// The colour of the number.
  var ink: SignColour
  /// Words on the sign in addition to the number, shown on panels: `TEXAS`.
  var caption: String?
  /// A square behind a cut-out sign, on panels.
  var plate: SignColour?
  /// A band across the top of a plate.
  var band: SignColour?
  /// Whether signs show the direction on a plate above.
  var hasDirection = false

  /// Reads `FORM FACE RIM INK`, then `caption=WORDS`, `plate=COLOUR`, `band=COLOUR`,
  /// `direction`; nil for anything else.
  ///
  /// `_` stands for a space in a caption, and `caption=STATE` for the letters of the network's state.
  init?(_ text: Substring) {
    let words = text.split(separator: " ")
    guard words.count >= 4, let form = ShieldForm(String(words[0])),
      let face = SignColour(rawValue: String(words[1])),
      let rim = SignColour(rawValue: String(words[2])),
      let ink = SignColour(rawValue: String(words[3]))
    else { return nil }
    (self.form, self.face, self.rim, self.ink) = (form, face, rim, ink)
    for word in words.dropFirst(4) {
      let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
      switch sides[0] {
      case "caption" where sides.count == 2: caption = sides[1].replacing("_", with: " ")
      case "plate" where sides.count == 2:
        guard let colour = SignColour(rawValue: sides[1]) else { return nil }
        plate = colour
      case "band" where sides.count == 2:
        guard let colour = SignColour(rawValue: sides[1]) else { return nil }
        band = colour
      case "direction": hasDirection = true
      default: return nil
      }
    }
  }

  init(form: ShieldForm, face: SignColour, rim: SignColour, ink: SignColour) {
    (self.form, self.face, self.rim, self.ink) = (form, face, rim, ink)
  }
}

/// The outline of a sign.
enum ShieldForm: Sendable, Hashable {
  case rectangle
  case rounded
  case pointed
  case octagon
  case ellipse
  case cutOut(ShieldTemplate)

  init?(_ name: String) {
    switch name {
    case "rectangle": self = .rectangle
    case "rounded": self = .rounded
    case "pointed": self = .pointed
    case "octagon": self = .octagon
    case "ellipse": self = .ellipse
    default:
      guard let template = ShieldTemplate(rawValue: name) else { return nil }
      self = .cutOut(template)
    }
  }

  /// The outline in an area.
  func path(_ area: ShieldArea) -> ShieldPath {
    switch self {
    case .rectangle: .rectangle(area, radius: area.height * 0.07)
    case .rounded: .rectangle(area, radius: area.height * 0.22)
    case .pointed: .pointed(area)
    case .octagon: .octagon(area)
    case .ellipse: .ellipse(area)
    case .cutOut(let template): template.outline.fitted(to: area)
    }
  }

  /// The position of the number, in hundredths of the sides: left, top, right, bottom.
  ///
  /// Plates are as wide as their text, so only their padding counts.
  func numberArea(_ area: ShieldArea, hasCaption: Bool) -> ShieldArea {
    switch self {
    case .rectangle, .rounded:
      ShieldArea(
        x: area.x + 16, y: area.y + 22, width: area.width - 32, height: area.height - 44)
    case .pointed:
      ShieldArea(
        x: area.x + 25, y: area.y + 23, width: area.width - 50, height: area.height - 46)
    case .octagon:
      ShieldArea(
        x: area.x + 22, y: area.y + 23, width: area.width - 44, height: area.height - 46)
    case .ellipse: area.part(15, hasCaption ? 38 : 27, 85, hasCaption ? 80 : 73)
    case .cutOut(let template): template.numberArea(area, hasCaption: hasCaption)
    }
  }

  /// Whether the sign is as wide as its text; others have one or two fixed widths.
  var isPlate: Bool {
    switch self {
    case .rectangle, .rounded, .pointed, .octagon: true
    case .ellipse, .cutOut: false
    }
  }

  /// The width of the padding next to the text of a plate.
  var paddingX: Double {
    switch self {
    case .rectangle, .rounded: 32
    case .pointed: 50
    case .octagon: 44
    case .ellipse, .cutOut: 0
    }
  }
}

public import RoadNumbering

/// The content of a shield: from a road's number, or set manually.
public struct ShieldProperties: Hashable, Sendable {
  /// The number, such as `B 3`; of several (`A 5;B 3`) the first counts.
  public var number: String?
  /// The text inside the sign; nil for the part of `number` that the country's sign shows.
  public var shieldText: String?
  /// The extent of the number, 1 to 6; nil to derive it from the number.
  public var level: Int?
  /// ISO 3166-1 letters.
  public var country: String?
  /// ISO 3166-2 code: `US-CA`; nil if unknown.
  public var state: String?
  /// `north`, `east`; nil if unknown.
  public var direction: String?
  /// The network, such as `US:I`; nil to derive it from the number and the level.
  public var network: String?

  public init(
    number: String? = nil, shieldText: String? = nil, level: Int? = nil, country: String? = nil,
    state: String? = nil, direction: String? = nil, network: String? = nil
  ) {
    self.number = number
    self.shieldText = shieldText
    self.level = level
    self.country = country
    self.state = state
    self.direction = direction
    self.network = network
  }

  /// The shield of one number of a road.
  public init(_ number: RoadNumber, country: String?, state: String? = nil) {
    self.init(
      number: number.text, shieldText: number.shieldText, level: number.level, country: country,
      state: state, direction: number.direction, network: number.network)
  }
}

/// The use of a shield: small on a map, or large as a sign in a panel.
public enum ShieldScheme: String, Hashable, Sendable, CaseIterable {
  /// The bare sign with a thin outline.
  case map
  /// The whole sign with its border, its caption, and the direction above it if signs have one.
  case panel
}

/// The space for a shield in pixels.
public struct ShieldBox: Hashable, Sendable {
  public var widthPx: Double
  public var heightPx: Double

  public init(widthPx: Double, heightPx: Double) {
    self.widthPx = widthPx
    self.heightPx = heightPx
  }

  /// Smallest and largest side, pixels.
  public static let sides = 8.0...4096.0
}

/// Why no shield could be drawn.
public enum ShieldFault: Error, Hashable, Sendable, CustomStringConvertible {
  case noNumber
  case noCountry
  case invalid(field: String, reason: String)

  /// The code in the API: `no_number`, `no_country` or `invalid`.
  public var code: String {
    switch self {
    case .noNumber: "no_number"
    case .noCountry: "no_country"
    case .invalid: "invalid"
    }
  }

  /// The field of the request with the problem; nil if there is none.
  public var field: String? {
    switch self {
    case .noNumber: "number"
    case .noCountry: "country"
    case .invalid(let field, _): field
    }
  }

  public var description: String {
    switch self {
    case .noNumber: "the road has no number, so there is no shield; set number or shield_text"
    case .noCountry:
      "the country is unknown, but shields differ by country; set country to its two-letter code"
    case .invalid(let field, let reason): "\(field) \(reason)"
    }
  }
}

import RoadNumbering

/// The content of a shield, after the rules of its country have completed the properties.
struct ResolvedShield {
  /// The text inside the sign.
  var text: String
  /// The number as written without a sign.
  var plain: String
  var network: String?
  var level: Int
  var country: String
  /// ISO 3166-2 code; nil if unknown.
  var state: String?
  var direction: String?

  /// Completes the properties.
  ///
  /// - Throws: `ShieldFault` if number or country are missing, or a field is out of range.
  init(_ properties: ShieldProperties) throws(ShieldFault) {
    let number = properties.number.flatMap { RoadNumber.split($0).first }
    let shown = properties.shieldText.flatMap { $0.contains { $0 != " " } ? $0 : nil }
    guard let plain = number ?? shown else { throw .noNumber }
    try Self.check(plain, field: "number")
    if let shown { try Self.check(shown, field: "shield_text") }
    guard let letters = properties.country, !letters.isEmpty else { throw .noCountry }
    guard letters.utf8.count == 2, letters.utf8.allSatisfy(Self.isLetter) else {
      throw .invalid(
        field: "country", reason: "must be two letters of ISO 3166-1, as in DE")
    }
    if let level = properties.level, !(1...6).contains(level) {
      throw .invalid(field: "level", reason: "must be from 1 to 6, not \(level)")
    }
    if let direction = properties.direction { try Self.check(direction, field: "direction") }
    let country = RoadNumberNetwork.numberingCountry(of: letters.uppercased())
    self.country = country
    state = properties.state
    direction = properties.direction.flatMap { $0.isEmpty ? nil : $0.lowercased() }
    self.plain = plain
    let found = RoadNumberNetwork(
      number: plain, country: country, state: properties.state, routeNetwork: properties.network,
      classLevel: properties.level)
    // For a number given as `3`, only the level determines the network.
    let byLevel = properties.level.flatMap {
      RoadNumberNetwork.id(country: country, level: $0, state: properties.state)
    }
    let isOfLevel = properties.level == nil || found?.level == properties.level
    if let found, found.isExplicit || properties.network != nil || isOfLevel || byLevel == nil {
      network = found.id
      text = shown ?? found.shieldText
    } else {
      network = byLevel
      text = shown ?? plain
    }
    level = properties.level ?? found?.level ?? 6
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
  }

  private static func check(_ text: String, field: String) throws(ShieldFault) {
    guard text.count <= 24 else {
      throw .invalid(field: field, reason: "must be 24 characters or fewer, not \(text.count)")
    }
    let isPrintable = text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .surrogate
        && $0.value != 0xFFFE && $0.value != 0xFFFF
    }
    guard isPrintable else {
      throw .invalid(field: field, reason: "must not contain control characters")
    }
  }
}

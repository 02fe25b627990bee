/// One number of a road, as shown on signs.
public struct RoadNumber: Codable, Hashable, Sendable {
  /// The whole number: `B 3`.
  public var text: String
  /// BCP 47 tag of the language of `text`; nil for the number as signed on the spot.
  public var language: String?
  /// The extent of the number, 1 for the whole country to 6 for a part of a town.
  public var level: Int
  /// Direction of the numbered route by its signs: `north`; nil if it is not known.
  public var direction: String?
  /// The network of the number, country first: `US:I`, `DE:B`, `e-road`; nil if it is not known.
  public var network: String?
  /// The text inside the sign: `3` for `B 3`, `A6` if the sign shows the letter as well.
  public var shieldText: String

  public init(
    text: String, language: String? = nil, level: Int, direction: String? = nil,
    network: String? = nil, shieldText: String
  ) {
    self.text = text
    self.language = language
    self.level = level
    self.direction = direction
    self.network = network
    self.shieldText = shieldText
  }
}

extension RoadNumber {
  /// Describes one number.
  ///
  /// - Parameters:
  ///   - text: One number, as `B 3`.
  ///   - country: ISO 3166-1 letters; nil unknown.
  ///   - state: ISO 3166-2 code (`US-CA`); nil unknown.
  ///   - classLevel: The level that the road's class alone suggests, 1 to 6.
  ///   - route: What a route relation reports of this number.
  ///   - language: BCP 47 tag of the text; nil for the number as signed on the spot.
  public init(
    _ text: String, country: String?, state: String? = nil, classLevel: Int,
    route: RouteRelationNumber = RouteRelationNumber(), language: String? = nil
  ) {
    let network = RoadNumberNetwork(
      number: text, country: country, state: state, routeNetwork: route.network,
      classLevel: classLevel)
    self.init(
      text: text, language: language, level: network?.level ?? classLevel,
      direction: route.direction, network: network?.id,
      shieldText: network?.shieldText ?? text)
  }

  /// Describes each of several numbers; `routes` are in the order of `texts`, missing ones are
  /// empty.
  public static func list(
    _ texts: [String], country: String?, state: String? = nil, classLevel: Int,
    routes: [RouteRelationNumber] = [], language: String? = nil
  ) -> [RoadNumber] {
    texts.enumerated().map { index, text in
      RoadNumber(
        text, country: country, state: state, classLevel: classLevel,
        route: index < routes.count ? routes[index] : RouteRelationNumber(), language: language)
    }
  }

  /// The parts of a text that OpenStreetMap separates by semicolons, without surrounding spaces.
  public static func split(_ text: String) -> [String] {
    let bytes = text.utf8
    if bytes.isEmpty { return [] }
    // Nearly all texts have one part without surrounding spaces.
    let space = UInt8(ascii: " ")
    if bytes.first != space, bytes.last != space, !bytes.contains(UInt8(ascii: ";")) {
      return [text]
    }
    return text.split(separator: ";").map { part in
      var part = part[...]
      while part.first == " " { part.removeFirst() }
      while part.last == " " { part.removeLast() }
      return String(part)
    }.filter { !$0.isEmpty }
  }

  /// Whether a number and the `ref` of a route relation name the same number: `I 80` and `80`.
  public static func isSame(_ number: String, routeRef: String) -> Bool {
    let (whole, part) = (RoadNumberParts(number).compact, RoadNumberParts(routeRef).compact)
    guard !part.isEmpty, whole.hasSuffix(part) else { return false }
    guard let first = part.first, RoadNumberParts.isDigit(first),
      let before = whole.dropLast(part.count).last
    else { return true }
    return !RoadNumberParts.isDigit(before)
  }
}

/// The network of a road number: its name, its extent, and the text on its sign.
///
/// The network follows from the country's rules for the number's letters and digits
/// (`RoadNumberTable`), or from the `network` tag of a route relation if that names a known one.
public struct RoadNumberNetwork: Hashable, Sendable {
  /// Country and network, such as `US:I` or `DE:B`; `e-road` and `AsianHighway` belong to no
  /// country.
  public var id: String
  /// The extent of the number, 1 for the whole country to 6 for a part of a town.
  public var level: Int
  /// The text inside the sign.
  public var shieldText: String
  /// Whether the number's own letters determine the network: true for `B 3` in Germany, false for a
  /// bare `3`.
  public var isExplicit: Bool

  /// Finds the network of a number; nil if neither the number nor the relation tells it.
  ///
  /// A few comparisons per rule of the country.
  ///
  /// - Parameters:
  ///   - number: One number, as `B 3`.
  ///   - country: ISO 3166-1 letters; nil unknown.
  ///   - state: ISO 3166-2 code (`US-CA`); nil unknown.
  ///   - routeNetwork: `network` of the route relation of this number; nil unknown.
  ///   - classLevel: The level that the road's class alone suggests; nil unknown.
  public init?(
    number: String, country: String?, state: String? = nil, routeNetwork: String? = nil,
    classLevel: Int? = nil
  ) {
    let country = country.map { Self.numberingCountry(of: $0) }
    let (parts, ofText) = Self.read(number, country: country, classLevel: classLevel)
    if let routeNetwork, let known = Self.known(routeNetwork, classLevel: classLevel) {
      id = known.id
      level = known.level
      // The rule for the text determines how the sign of this network shows it.
      let rule = known.rule ?? ofText?.rule
      shieldText = rule?.shieldText(parts, whole: number) ?? number
      isExplicit = ofText?.rule.namesNetwork ?? false
      return
    }
    if let ofText, let country {
      let rule = ofText.rule
      id = ofText.isShared ? rule.network : Self.id(rule.network, country: country, state: state)
      level = rule.level(classLevel: classLevel)
      shieldText = rule.shieldText(parts, whole: number)
      isExplicit = rule.namesNetwork && !id.hasSuffix(":state")
      return
    }
    guard let routeNetwork, let level = Self.levelByWords(routeNetwork) else { return nil }
    id = routeNetwork
    self.level = level
    shieldText = number
    isExplicit = false
  }

  /// The network of the table for a route relation's `network` tag; nil for others.
  public static func id(routeNetwork: String) -> String? {
    known(routeNetwork, classLevel: nil)?.id
  }

  /// The country whose numbers a dependency uses: `FR` for Réunion; otherwise the country itself.
  public static func numberingCountry(of country: String) -> String {
    RoadNumberTable.territories[country] ?? country
  }

  /// The first network in a country's table for a level; nil if there is none.
  public static func id(country: String, level: Int, state: String? = nil) -> String? {
    let country = numberingCountry(of: country)
    let rule = RoadNumberTable.rules[country]?.first {
      $0.letters != .any && $0.levels.contains(level)
    }
    return rule.map { id($0.network, country: country, state: state) }
  }

  /// `STATE` in a row stands for the letters of the road's state, or for nothing if it is not
  /// known.
  private static func id(_ network: String, country: String, state: String?) -> String {
    guard network == "STATE" else { return "\(country):\(network)" }
    guard let state, state.hasPrefix("\(country)-") else { return "\(country):state" }
    return "\(country):\(state.dropFirst(country.utf8.count + 1))"
  }

  /// Splits a number and finds its rule: by all its letters, otherwise by those of its first word.
  private static func read(
    _ number: String, country: String?, classLevel: Int?
  ) -> (parts: RoadNumberParts, found: (rule: RoadNumberRule, isShared: Bool)?) {
    let parts = RoadNumberParts(number)
    guard let country else { return (parts, nil) }
    if let found = rule(of: parts, country: country, classLevel: classLevel) {
      return (parts, found)
    }
    // `FL A1A`: letters may belong to the number itself.
    guard let first = RoadNumberParts(firstWordOf: number),
      let found = rule(of: first, country: country, classLevel: classLevel)
    else { return (parts, nil) }
    return (first, found)
  }

  /// The first row that covers a number; `isShared` for a network of several countries.
  private static func rule(
    of parts: RoadNumberParts, country: String, classLevel: Int?
  ) -> (rule: RoadNumberRule, isShared: Bool)? {
    guard let own = RoadNumberTable.rules[country] else { return nil }
    func first(_ rules: [RoadNumberRule], named: Bool) -> RoadNumberRule? {
      rules.first { ($0.letters != .any) == named && $0.covers(parts, classLevel: classLevel) }
    }
    // Rows for any letters come last: `E 35` is not a district road of Germany.
    if let rule = first(own, named: true) { return (rule, false) }
    if let rule = first(RoadNumberTable.shared, named: true) { return (rule, true) }
    return first(own, named: false).map { ($0, false) }
  }

  /// A `network` tag that the table knows.
  private static func known(
    _ network: String, classLevel: Int?
  ) -> (id: String, level: Int, rule: RoadNumberRule?)? {
    let name = RoadNumberTable.aliases[network] ?? network
    if let shared = RoadNumberTable.shared.first(where: { $0.network == name }) {
      return (name, shared.level(classLevel: classLevel), shared)
    }
    var words = name.split(separator: ":").map(String.init)
    guard words.count >= 2 else { return nil }
    words[0] = words[0].uppercased()
    guard let rules = RoadNumberTable.rules[words[0]] else { return nil }
    // `AT:B-road` and `AT:B` are one network; a state may stand between: `AU:QLD:M`.
    words[1] = words[1].replacing("-road", with: "")
    let whole = words.dropFirst().joined(separator: ":")
    let last = words[words.count - 1]
    for candidate in [whole, words[1], last] {
      // A part of a state's network (`US:NY:Truck`) counts as the state's; a county's does not.
      guard let rule = rules.first(where: { $0.network == candidate }) else { continue }
      let isCounty =
        candidate == words[1] && words.count > 2 && words[0] == "US"
        && !RoadNumberTable.routeKinds.contains(last)
      let level = isCounty ? 5 : rule.level(classLevel: classLevel)
      let id = "\(words[0]):\(isCounty || candidate == last ? whole : candidate)"
      return (id, level, rule)
    }
    return nil
  }

  /// The level by words that are common to all countries; nil for others.
  private static func levelByWords(_ network: String) -> Int? {
    let words = network.split(separator: ":").map { $0.lowercased() }
    if words.contains(where: { $0 == "motorway" || $0 == "expressway" }) { return 1 }
    if words.contains("national") { return 2 }
    if words.contains("regional") { return 3 }
    if words.contains("local") || words.contains("county") { return 5 }
    return nil
  }
}

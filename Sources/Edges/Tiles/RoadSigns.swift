import RoadGraph
import RoadNumbering

/// The properties of a road that decide its shields, besides number and class; empty for a road without a number.
///
/// Roads without a number do not differ by it, so they are joined across borders.
struct RoadSignSource: Hashable {
  var routes = TextID.empty
  var state = TextID.empty
  /// Two letters of ISO 3166-1; 0 if unknown.
  var country: UInt16 = 0

  init(_ attributes: RoadAttributes) {
    guard !attributes.number.isEmpty else { return }
    routes = attributes.numberRoutes
    country = UInt16(attributes.countryCode.0) << 8 | UInt16(attributes.countryCode.1)
    if let letters = attributes.country, Self.withStates.contains(letters) {
      state = attributes.stateName
    }
  }

  /// Countries whose states have shields of their own.
  private static let withStates: Set<String> = ["US", "CA"]
}

/// The tags of a road's shields: country, state, and network and level of each of its numbers.
struct RoadSignTags: Hashable {
  var country: String
  /// ISO 3166-2 code; empty if shields do not depend on it.
  var state: String
  /// In the order of the numbers, separated by `;`; an unknown network is empty.
  var networks: String
  var levels: String

  /// Finds the networks of a road's numbers; nil without a number or a country.
  init?(_ appearance: RoadAppearance, in graph: RoadGraph) {
    let (high, low) = (UInt8(appearance.sign.country >> 8), UInt8(appearance.sign.country & 0xFF))
    guard !appearance.number.isEmpty, high != 0 else { return nil }
    country = String(decoding: [high, low], as: UTF8.self)
    // The second line of a state's text is its code.
    let lines = graph.text(appearance.sign.state).split(separator: "\n")
    state = lines.count > 1 ? String(lines[1]) : ""
    let numbers = RoadNumber.list(
      RoadNumber.split(graph.text(appearance.number)), country: country,
      state: state.isEmpty ? nil : state, classLevel: appearance.roadClass.numberLevel,
      routes: RouteRelationNumber.decode(graph.text(appearance.sign.routes)))
    networks = numbers.map { $0.network ?? "" }.joined(separator: ";")
    levels = numbers.map { String($0.level) }.joined(separator: ";")
  }
}

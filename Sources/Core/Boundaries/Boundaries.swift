public import Geodesy

/// The built-in countries of the world with their time zones, and the states of the United States.
///
/// They serve for map data that lacks the boundary of its country, as in extracts, and for the
/// local time of a place. Lines between countries are within about 250 m of OpenStreetMap's, lines
/// between zones of one country within 550 m, limits at sea within 4 km, and lines between states
/// within 350 m. The table is decoded once and takes about 4 MB; a look-up costs a binary search
/// and a few comparisons.
///
/// Sources: © OpenStreetMap contributors (ODbL 1.0, openstreetmap.org/copyright) by way of
/// timezone-boundary-builder; US Census Bureau (public domain). `Launch/make-boundaries` generates
/// them. Codes are those of the time zone database: dependencies such as Puerto Rico and Hong Kong
/// have their own, Kosovo has none, Crimea has Ukraine's. Antarctica is left out.
public struct Boundaries: Sendable {
  /// A state: `US-CA`, California.
  public struct State: Hashable, Sendable {
    /// ISO 3166-2.
    public var code: String
    public var name: String
  }

  /// A time zone of a country: Europe/Berlin of DE.
  public struct Zone: Hashable, Sendable {
    /// ISO 3166-1 letters.
    public var country: String
    /// The IANA name.
    public var name: String
  }

  /// Sorted by country, with the main zone of each country first.
  public let zones: [Zone]
  private let zoneLines: BoundaryLayer
  private let states: [State]
  private let stateLines: BoundaryLayer

  /// The built-in table; empty if its text were damaged, which a test rules out.
  public static let builtIn: Boundaries = {
    do throws(BoundaryFault) {
      return try Boundaries(
        zones: BoundaryData.zones, zoneArcs: BoundaryData.zoneArcs,
        states: BoundaryData.states, stateArcs: BoundaryData.stateArcs)
    } catch {
      return Boundaries()
    }
  }()

  /// A table without any country.
  init() {
    (zones, states) = ([], [])
    (zoneLines, stateLines) = (BoundaryLayer(), BoundaryLayer())
  }

  /// Reads a table: one line for each zone and state, with arcs as described in `BoundaryLayer`.
  ///
  /// - Throws: `BoundaryFault` with the byte at which a text is damaged. Linear.
  init(
    zones: String, zoneArcs: String, states: String, stateArcs: String
  ) throws(BoundaryFault) {
    self.zones = zones.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      return Zone(country: String(words.first ?? ""), name: String(words.last ?? ""))
    }
    self.states = states.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      return State(code: String(words.first ?? ""), name: String(words.last ?? ""))
    }
    zoneLines = try BoundaryLayer(base64: zoneArcs, areaCount: self.zones.count)
    stateLines = try BoundaryLayer(base64: stateArcs, areaCount: self.states.count)
  }

  public var countryCount: Int { Set(zones.map(\.country)).count }
  public var stateCount: Int { states.count }

  /// ISO 3166-1 letters of the country of a place, including its territorial waters; nil elsewhere.
  public func country(at place: Coordinate) -> String? { zone(at: place)?.country }

  /// The time zone of a place, including territorial waters; nil elsewhere, at sea and in
  /// Antarctica.
  public func zone(at place: Coordinate) -> Zone? {
    let area = zoneLines.area(at: place, toleranceM: Self.countryToleranceM)
    return area > 0 ? zones[area - 1] : nil
  }

  /// The state of a place in the United States; nil elsewhere.
  public func state(at place: Coordinate) -> State? {
    country(at: place).flatMap { state(at: place, country: $0) }
  }

  /// The state of a place in a known country; nil for countries without built-in states.
  public func state(at place: Coordinate, country: String) -> State? {
    guard country == "US" else { return nil }
    let area = stateLines.area(at: place, toleranceM: Self.stateToleranceM)
    return area > 0 ? states[area - 1] : nil
  }

  /// Gaps between two simplified lines are narrower than this.
  private static let countryToleranceM = 1_500.0
  /// States end at the coast, while countries extend into the sea.
  private static let stateToleranceM = 25_000.0
}

/// Why a text is not a table of boundaries.
public enum BoundaryFault: Error, Hashable, Sendable, CustomStringConvertible {
  case character(byte: Int)
  case ended(byte: Int)
  case value(byte: Int, value: Int)

  public var description: String {
    switch self {
    case .character(let byte): "byte \(byte) of the boundaries is not base64; generate them again"
    case .ended(let byte):
      "the boundaries end at byte \(byte) where more bytes are expected; generate them again"
    case .value(let byte, let value):
      "byte \(byte) of the boundaries: \(value) is out of range; generate them again"
    }
  }
}

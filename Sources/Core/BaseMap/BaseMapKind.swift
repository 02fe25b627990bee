/// The kind of an area or a line of the base map.
///
/// The raw values are stored in map files: new kinds get new numbers.
public enum BaseMapKind: UInt8, Hashable, Sendable, CaseIterable {
  // Areas, drawn in this order.
  case residential = 1
  case industrial = 2
  case institution = 3
  case farmland = 4
  case grass = 5
  case wood = 6
  case wetland = 7
  case sand = 8
  case glacier = 9
  case park = 10
  case cemetery = 11
  case sports = 12
  case parking = 13
  case airport = 14
  case apron = 15
  case water = 16
  case building = 17

  // Lines.
  case coastline = 32
  case river = 33
  case canal = 34
  case stream = 35
  case railway = 40
  case lightRail = 41
  case runway = 44
  case taxiway = 45
  case countryBorder = 48
  case stateBorder = 49

  public var isArea: Bool { rawValue < 32 }

  /// The lowest zoom of a web map (tiles of 512 pixels) at which it is shown at all.
  public var firstZoom: Int {
    switch self {
    case .coastline, .countryBorder: 0
    case .stateBorder: 4
    case .water, .glacier: 4
    case .wood: 7
    case .river: 8
    case .railway, .residential: 9
    case .farmland, .grass, .wetland, .sand, .park, .airport, .industrial, .runway: 10
    case .canal: 11
    case .cemetery, .institution, .lightRail: 12
    case .sports, .apron, .stream, .taxiway: 13
    case .parking, .building: 14
    }
  }

  /// Its word in vector tiles.
  public var word: String {
    switch self {
    case .lightRail: "light_rail"
    case .countryBorder: "country"
    case .stateBorder: "state"
    default: "\(self)"
    }
  }
}

import Places
import RoadGraph

/// The rules for what is drawn at which zoom.
///
/// Names of classes are those of the OSM `highway` tag, as in all messages.
enum TileRules {
  /// Maximum zoom of tiles; beyond it the page enlarges them (0.3 m per unit at the equator).
  static let maximumZoom = 15
  /// Tile units along each side.
  static let extent = 4096
  /// Units drawn beyond the sides, so that wide lines and labels meet at the seams.
  static let buffer = 96
  /// Maximum number of points of one tile; beyond it, the least important roads are omitted.
  static let pointLimit = 250_000
  /// Maximum number of points of a joined line.
  static let joinLimit = 512

  static func firstZoom(of roadClass: RoadClass, isLink: Bool) -> Int {
    switch roadClass {
    case .motorway, .trunk: isLink ? 10 : 4
    case .primary: isLink ? 11 : 7
    case .secondary: isLink ? 12 : 9
    case .tertiary: isLink ? 12 : 10
    case .ferry, .shuttleTrain: 8
    case .unclassified, .residential: 12
    case .livingStreet, .pedestrian: 13
    case .service, .track, .cycleway, .path, .steps: 14
    }
  }

  /// Maximum distance of a simplified line from its points, in tile units: half a pixel of a
  /// 512-pixel tile.
  static func toleranceUnits(zoom: Int) -> Double { zoom >= maximumZoom ? 0 : 4 }

  static func firstZoom(ofPlace kind: String) -> Int {
    switch kind {
    case "country", "state": return 2
    case "city": return 4
    case "town": return 8
    case "village", "suburb", "island": return 11
    default: break
    }
    switch PlaceCategory(kind: kind) {
    case .settlement, .district, .station, .health: return 13
    default: return 14
    }
  }

  /// Two places of one name closer than this many tile units have one label: 200 pixels of a
  /// 512-pixel tile.
  static let sameNameUnits = 1600.0

  static func word(_ roadClass: RoadClass) -> String {
    switch roadClass {
    case .motorway: "motorway"
    case .trunk: "trunk"
    case .primary: "primary"
    case .secondary: "secondary"
    case .tertiary: "tertiary"
    case .unclassified: "unclassified"
    case .residential: "residential"
    case .livingStreet: "living_street"
    case .service: "service"
    case .track: "track"
    case .pedestrian: "pedestrian"
    case .cycleway: "cycleway"
    case .path: "path"
    case .steps: "steps"
    case .ferry: "ferry"
    case .shuttleTrain: "shuttle_train"
    }
  }
}

/// The attributes that determine the appearance of a road on the map.
struct RoadAppearance: Hashable, Comparable {
  var roadClass: RoadClass
  var layer: Int8
  var flags: RoadFlags
  var name: TextID
  var number: TextID
  /// The properties that decide the sign of its number.
  var sign: RoadSignSource

  static let shownFlags: RoadFlags = [.oneWay, .link, .tunnel, .bridge, .toll, .roundabout]

  init(_ attributes: RoadAttributes) {
    roadClass = attributes.roadClass
    layer = attributes.layer
    flags = attributes.flags.intersection(Self.shownFlags)
    name = attributes.name
    number = attributes.number
    sign = RoadSignSource(attributes)
  }

  /// Drawing order: the lower layer first, then the less important road.
  static func < (a: Self, b: Self) -> Bool { a.order < b.order }

  private var order: (Int8, UInt8, UInt32, UInt64, UInt16, UInt64) {
    (
      layer, ~roadClass.rawValue, flags.rawValue,
      UInt64(name.rawValue) << 32 | UInt64(number.rawValue), sign.country,
      UInt64(sign.routes.rawValue) << 32 | UInt64(sign.state.rawValue)
    )
  }
}

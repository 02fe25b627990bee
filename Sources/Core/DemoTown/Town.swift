import Foundations
public import Geodesy
public import MapMaking

/// The demo town: a small town of OSM data, made from a seed, in the middle of the ocean.
///
/// It has one of each feature that a navigation system must handle: a motorway with numbered exits,
/// roundabouts, one-way streets, turn restrictions, turn lanes, signposts, a tunnel with a fork, a
/// ferry, a toll road and cameras. It also has a school zone, a border, a place far from any road,
/// a frontage road next to the motorway, a bridge over streets, a market where rules change with
/// the hour, and two good routes from one end to the other.
public struct Town: Sendable {
  /// The middle of the town: in the Atlantic, so that it cannot be mistaken for a real place.
  public static let origin = Coordinate(latitudeDeg: 47, longitudeDeg: -30)

  public let data: OSMData
  /// Places to drive from and to: the keys are the same for every seed, the positions differ by
  /// some metres.
  public let places: [TownPlace]

  /// Builds the town; the same seed gives the same objects.
  public init(seed: UInt64) {
    var maker = TownMaker(seed: seed)
    maker.build()
    data = maker.canvas.data
    places = maker.places
  }

  /// The OSM objects of the town for a seed.
  public static func osm(seed: UInt64) -> OSMData { Town(seed: seed).data }
}

/// A place of the town with a key for launch files.
public struct TownPlace: Hashable, Sendable {
  /// A word for launch files, such as `home`, `office`, `harbour`, `cabin`.
  public var key: String
  public var name: String
  public var coordinate: Coordinate
}

/// Everything that the parts of the town share while it is built.
struct TownMaker {
  var canvas = TownCanvas(origin: Town.origin)
  var random: SplitMix64
  var names = TownNames()
  var places: [TownPlace] = []
  var grid = TownGrid()

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func build() {
    layGrid()
    buildGrid()
    buildMotorway()
    buildHarbour()
    buildBorder()
    buildExtras()
    buildPlaces()
    buildMarket()
    buildLand()
  }
}

public import BaseMap
import Cartography
import Foundations
public import Geodesy
import RoadFile
public import RoadGraph
import Tiles

/// A map that pictures are drawn from: its roads, and its base map if it has one.
public final class PictureMap {
  /// The day of the map's data, as in 2026-11-26; nil if the map does not contain it.
  public let day: String?
  /// The box of the map's roads; nil for an empty map.
  public let bounds: BoundingBox?
  private let maker: TileMaker
  private var tiles: [TileAddress: (tile: MapTile, use: Int)] = [:]
  private var signatures = SignatureTable()
  private var uses = 0

  /// Opens a `.navmap`, or builds one from an OSM file through the cache of built maps.
  ///
  /// - Throws: `PictureFault` if there is none.
  public convenience init(path: String) throws(PictureFault) {
    do throws(RoadFileError) {
      self.init(
        graph: try RoadFile.open(path: path), baseMap: try RoadFile.openBaseMap(path: path))
    } catch {
      throw PictureFault("map: \(error.description)")
    }
  }

  /// A map in memory.
  public init(graph: RoadGraph, baseMap: BaseMap?) {
    maker = TileMaker(graph: graph, baseMap: baseMap)
    day = graph.dataTime.map { String(TimeText.utc($0).prefix(10)) }
    bounds = graph.boundingBox
  }

  /// Number of tiles that are kept; a frame shows some dozens.
  private static let tileLimit = 160

  var signatureCount: Int { signatures.properties.count }

  func properties(of signature: Int) -> StyleProperties { signatures.properties[signature] }

  func tile(_ address: TileAddress) -> MapTile {
    uses += 1
    if let known = tiles[address] {
      tiles[address]?.use = uses
      return known.tile
    }
    let made = MapTile(address, maker.features(address), &signatures)
    if tiles.count >= Self.tileLimit {
      // A quarter is removed at once, so that sorting is rare.
      for (old, _) in tiles.sorted(by: { $0.value.use < $1.value.use }).prefix(Self.tileLimit / 4) {
        tiles[old] = nil
      }
    }
    tiles[address] = (made, uses)
    return made
  }

  /// The tiles that a view shows, from the north-west on.
  func tiles(of projection: ScreenProjection) -> [MapTile] {
    let zoom = min(
      TileFeature.maximumZoom, max(TileFeature.minimumZoom, Int(projection.zoom.rounded(.down))))
    let side = Double(1 << zoom)
    let corners = projection.visibleGround
    let points = corners.map { projection.map($0) }
    guard let west = points.map(\.x).min(), let east = points.map(\.x).max(),
      let north = points.map(\.y).min(), let south = points.map(\.y).max()
    else { return [] }
    func index(_ value: Double) -> Int {
      min(max(Int((value * side).rounded(.down)), 0), (1 << zoom) - 1)
    }
    var shown: [MapTile] = []
    for row in index(north)...max(index(north), index(south)) {
      for column in index(west)...max(index(west), index(east)) {
        let box = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map {
          projection.ground(
            MapPoint(x: (Double(column) + $0.0) / side, y: (Double(row) + $0.1) / side))
        }
        guard Self.touches(box, corners),
          let address = TileAddress(zoom: zoom, column: column, row: row)
        else { continue }
        shown.append(tile(address))
      }
    }
    return shown
  }

  /// Whether two convex polygons may have a point in common: no side of either separates them.
  private static func touches(_ a: [GroundPoint], _ b: [GroundPoint]) -> Bool {
    for (first, second) in [(a, b), (b, a)] {
      for (index, from) in first.enumerated() {
        let to = first[(index + 1) % first.count]
        let normal = (x: to.y - from.y, y: from.x - to.x)
        func range(_ points: [GroundPoint]) -> ClosedRange<Double> {
          let along = points.map { $0.x * normal.x + $0.y * normal.y }
          return (along.min() ?? 0)...(along.max() ?? 0)
        }
        if !range(first).overlaps(range(second)) { return false }
      }
    }
    return true
  }
}

/// The distinct tags of features, names and numbers left out: looks are computed once for each.
struct SignatureTable {
  private(set) var properties: [StyleProperties] = []
  private var indices: [StyleProperties: Int] = [:]

  /// Tags that are texts or quantities of a single feature; only their presence counts.
  private static let own: Set<String> = ["name", "ref", "height"]

  mutating func index(of tags: StyleProperties) -> Int {
    var common = tags
    for key in Self.own where common[key] != nil { common[key] = .text("") }
    if let known = indices[common] { return known }
    properties.append(common)
    indices[common] = properties.count - 1
    return properties.count - 1
  }
}

public import BaseMap
import Geodesy
import Places
public import RoadGraph

/// Makes vector tiles (Mapbox Vector Tile 2.1) from a road graph.
///
/// Layers: those of `LandLayers` below; `roads` with `class`, `name`, `ref` and the tags of its shields (`RoadSignTags`),
/// and where they apply `oneway`, `link`, `tunnel`, `bridge`, `toll`, `roundabout` (1) and `layer`; `places` with `name`, `kind`,
/// `category` and `rank` (0 the most important). The same graph
/// and address give the same bytes. A tile costs n log n in the roads that it shows. The roads of
/// the zooms below 12, where a tile covers much of the map, are selected once.
public struct TileMaker: Sendable {
  public static let maximumZoom = TileRules.maximumZoom

  let graph: RoadGraph
  private let land: LandLayers?
  private let major: MajorPieces

  /// Creates a maker for `graph`, with its base map if it has one; linear in the
  /// segments.
  public init(graph: RoadGraph, baseMap: BaseMap? = nil) {
    self.graph = graph
    land = baseMap.map { LandLayers($0, bounds: graph.boundingBox) }
    major = MajorPieces(graph)
  }

  /// The tile's bytes; empty if nothing is visible, or beyond `maximumZoom`.
  public func tile(_ address: TileAddress) -> [UInt8] {
    guard address.zoom <= TileRules.maximumZoom else { return [] }
    let writer = TileWriter(extent: TileRules.extent)
    write(TileFrame(address), to: writer)
    return writer.bytes()
  }

  /// The same as values, for programs that draw by themselves, in the order of the tile; empty as
  /// `tile` is.
  public func features(_ address: TileAddress) -> [TileFeature] {
    guard address.zoom <= TileRules.maximumZoom else { return [] }
    let list = TileFeatureList()
    write(TileFrame(address), to: list)
    return list.features
  }

  private func write<Sink: TileSink & ~Copyable>(_ frame: TileFrame, to writer: borrowing Sink) {
    let lines = roadLines(in: frame)
    let places = places(in: frame)
    land?.write(frame, to: writer)
    var signs: [SignKey: RoadSignTags?] = [:]
    for (appearance, _) in lines where !appearance.number.isEmpty {
      let key = SignKey(appearance)
      if signs[key] == nil { signs[key] = .some(RoadSignTags(appearance, in: graph)) }
    }
    writer.layer("roads") {
      for (appearance, points) in lines {
        let sign = appearance.number.isEmpty ? nil : signs[SignKey(appearance)] ?? nil
        writer.line(points) { tag(appearance, sign, in: writer) }
      }
    }
    writer.layer("places") {
      for place in places {
        writer.point(place.point) {
          writer.tag("name", place.name)
          writer.tag("kind", place.kind)
          writer.tag("category", place.category.rawValue)
          writer.tag("rank", place.category.rank)
        }
      }
    }
  }

  /// Roads with equal keys have equal shields.
  private struct SignKey: Hashable {
    var number: TextID
    var source: RoadSignSource
    var level: Int

    init(_ appearance: RoadAppearance) {
      number = appearance.number
      source = appearance.sign
      level = appearance.roadClass.numberLevel
    }
  }

  private func tag<Sink: TileSink & ~Copyable>(
    _ appearance: RoadAppearance, _ sign: RoadSignTags?, in writer: borrowing Sink
  ) {
    writer.tag("class", TileRules.word(appearance.roadClass))
    if !appearance.name.isEmpty { writer.tag("name", graph.text(appearance.name)) }
    if !appearance.number.isEmpty { writer.tag("ref", graph.text(appearance.number)) }
    if let sign {
      writer.tag("country", sign.country)
      if !sign.state.isEmpty { writer.tag("state", sign.state) }
      // Networks that are not known would be separators alone.
      if sign.networks.contains(where: { $0 != ";" }) { writer.tag("network", sign.networks) }
      writer.tag("level", sign.levels)
    }
    if appearance.flags.contains(.oneWay) { writer.tag("oneway", 1) }
    if appearance.flags.contains(.link) { writer.tag("link", 1) }
    if appearance.flags.contains(.tunnel) { writer.tag("tunnel", 1) }
    if appearance.flags.contains(.bridge) { writer.tag("bridge", 1) }
    if appearance.flags.contains(.toll) { writer.tag("toll", 1) }
    if appearance.flags.contains(.roundabout) { writer.tag("roundabout", 1) }
    if appearance.layer != 0 { writer.tag("layer", Int(appearance.layer)) }
  }

  // MARK: Roads

  private func roadLines(in frame: TileFrame) -> [(RoadAppearance, [TilePoint])] {
    let tolerance = TileRules.toleranceUnits(zoom: frame.address.zoom)
    let low = -Double(TileRules.buffer)
    let high = Double(TileRules.extent + TileRules.buffer)
    var lines: [(RoadAppearance, [TilePoint])] = []
    for chain in RoadChains.chains(of: shownPieces(in: frame), in: graph) {
      let line = TileLine.simplified(points(of: chain, in: frame), tolerance: tolerance)
      for part in TileLine.clipped(line, from: low, to: high) {
        lines.append((chain.appearance, part))
      }
    }
    return withinPointLimit(lines)
  }

  /// The road segments of a tile that are visible at its zoom.
  func shownPieces(in frame: TileFrame) -> [(piece: Int, appearance: RoadAppearance)] {
    var pieces: [(piece: Int, appearance: RoadAppearance)] = []
    func consider(_ piece: Int) {
      let appearance = RoadAppearance(graph.attributes(graph.columns.pieceEdge[piece]))
      let first = TileRules.firstZoom(
        of: appearance.roadClass, isLink: appearance.flags.contains(.link))
      if first <= frame.address.zoom { pieces.append((piece, appearance)) }
    }
    if frame.address.zoom >= 12 {
      graph.forEachPiece(in: frame.box) { consider($0) }
    } else {
      major.forEach(in: frame) { consider($0) }
    }
    return pieces
  }

  private func points(of chain: RoadChains.Chain, in frame: TileFrame) -> [TilePoint] {
    var points: [TilePoint] = []
    for link in chain.links {
      let shape = graph.shape(graph.columns.pieceEdge[link.piece])
      let placed = (link.isReversed ? shape.reversed() : shape).map { frame.point($0) }
      points.append(contentsOf: points.isEmpty ? placed[...] : placed.dropFirst())
    }
    return points
  }

  /// Omits the least important classes of a tile that would contain too many points.
  private func withinPointLimit(_ lines: [(RoadAppearance, [TilePoint])]) -> [(
    RoadAppearance, [TilePoint]
  )] {
    var counts = [Int](repeating: 0, count: RoadClass.allCases.count)
    for (appearance, points) in lines { counts[Int(appearance.roadClass.rawValue)] += points.count }
    var total = 0
    let last = counts.firstIndex { count in
      total += count
      return total > TileRules.pointLimit
    }
    guard let last else { return lines }
    return lines.filter { $0.0.roadClass.rawValue < UInt8(last) }
  }

  // MARK: Places

  private struct ShownPlace {
    var point: TilePoint
    var name: String
    var kind: String
    var category: PlaceCategory
  }

  /// The places of a tile, the most important ones first; each name once within a neighbourhood.
  private func places(in frame: TileFrame) -> [ShownPlace] {
    let columns = graph.columns
    var places: [ShownPlace] = []
    for index in 0..<columns.placeLatitude.count {
      let place = Coordinate(
        latitudeDeg: Double(columns.placeLatitude[index]) / 1e7,
        longitudeDeg: Double(columns.placeLongitude[index]) / 1e7)
      guard frame.box.contains(place) else { continue }
      let kind = graph.text(columns.placeKind[index])
      guard TileRules.firstZoom(ofPlace: kind) <= frame.address.zoom else { continue }
      places.append(
        ShownPlace(
          point: frame.point(place), name: graph.text(columns.placeName[index]), kind: kind,
          category: PlaceCategory(kind: kind)))
    }
    var shown: [String: [TilePoint]] = [:]
    return places.sorted { ($0.category, $0.name, $0.point.x) < ($1.category, $1.name, $1.point.x) }
      .filter { place in
        let isNear = shown[place.name, default: []].contains {
          max(abs($0.x - place.point.x), abs($0.y - place.point.y)) < TileRules.sameNameUnits
        }
        if !isNear { shown[place.name, default: []].append(place.point) }
        return !isNear
      }
  }
}

/// The coordinate frame of a tile.
struct TileFrame {
  let address: TileAddress
  /// The tile's box with its buffer.
  let box: BoundingBox

  init(_ address: TileAddress) {
    self.address = address
    box = address.boundingBox(
      buffer: Double(TileRules.buffer) / Double(TileRules.extent))
  }

  func point(_ place: Coordinate) -> TilePoint {
    let point = MercatorPoint(place)
    let side = Double(1 << address.zoom)
    return TilePoint(
      x: (point.x * side - Double(address.column)) * Double(TileRules.extent),
      y: (point.y * side - Double(address.row)) * Double(TileRules.extent))
  }
}

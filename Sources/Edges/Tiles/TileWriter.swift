import COsmium

/// A vector tile that is being written; the bytes depend on the calls only.
struct TileWriter: TileSink, ~Copyable {
  private let tile: OpaquePointer?

  init(extent: Int) {
    tile = nav_tile_create(UInt32(extent))
  }

  deinit { nav_tile_destroy(tile) }

  /// Writes a layer with the features that `body` writes; omitted if it writes none.
  borrowing func layer(_ name: String, _ body: () -> Void) {
    nav_tile_begin_layer(tile, name)
    body()
    nav_tile_end_layer(tile)
  }

  /// Writes a line with the tags that `body` writes; omitted if it has no length.
  borrowing func line(_ points: [TilePoint], _ body: () -> Void) {
    var xy: [Int32] = []
    xy.reserveCapacity(points.count * 2)
    for point in points {
      xy.append(Int32(point.x.rounded()))
      xy.append(Int32(point.y.rounded()))
    }
    guard nav_tile_begin_line(tile, xy, points.count) else { return }
    body()
    nav_tile_end_feature(tile)
  }

  /// Writes a polygon, its outer ring first, with the tags that `body` writes; omitted if it has no
  /// area.
  borrowing func polygon(_ rings: [[TilePoint]], _ body: () -> Void) {
    var xy: [Int32] = []
    xy.reserveCapacity(rings.reduce(0) { $0 + $1.count } * 2)
    for ring in rings {
      for point in ring {
        xy.append(Int32(point.x.rounded()))
        xy.append(Int32(point.y.rounded()))
      }
    }
    guard nav_tile_begin_polygon(tile, xy, rings.map(\.count), rings.count) else { return }
    body()
    nav_tile_end_feature(tile)
  }

  borrowing func point(_ point: TilePoint, _ body: () -> Void) {
    nav_tile_begin_point(tile, Int32(point.x.rounded()), Int32(point.y.rounded()))
    body()
    nav_tile_end_feature(tile)
  }

  borrowing func tag(_ key: String, _ value: String) { nav_tile_tag_text(tile, key, value) }
  borrowing func tag(_ key: String, _ value: Int) { nav_tile_tag_integer(tile, key, Int64(value)) }

  /// The tile's bytes; empty for an empty tile.
  consuming func bytes() -> [UInt8] {
    var size = 0
    guard let start = nav_tile_bytes(tile, &size) else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: size))
  }
}

/// The target to which the layers of a tile are written.
protocol TileSink: ~Copyable {
  /// Writes a layer with the features that `body` writes.
  borrowing func layer(_ name: String, _ body: () -> Void)
  /// Writes a line with the tags that `body` writes.
  borrowing func line(_ points: [TilePoint], _ body: () -> Void)
  /// Writes a polygon, its outer ring first, with the tags that `body` writes.
  borrowing func polygon(_ rings: [[TilePoint]], _ body: () -> Void)
  borrowing func point(_ point: TilePoint, _ body: () -> Void)
  borrowing func tag(_ key: String, _ value: String)
  borrowing func tag(_ key: String, _ value: Int)
}

/// A feature of a tile as a value.
public struct TileFeature: Hashable, Sendable {
  public enum Shape: Hashable, Sendable {
    case point(TilePoint)
    case line([TilePoint])
    /// The outer ring first, of any orientation.
    case polygon([[TilePoint]])
  }

  public enum Tag: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  /// Tile units along each side of a tile.
  public static let extent = TileRules.extent
  /// The least zoom of tiles with roads.
  public static let minimumZoom = 4
  /// The greatest zoom of tiles.
  public static let maximumZoom = TileRules.maximumZoom

  public var layer: String
  public var shape: Shape
  public var tags: [String: Tag]
}

/// Collects the features of a tile.
final class TileFeatureList: TileSink {
  private(set) var features: [TileFeature] = []
  private var layer = ""

  func layer(_ name: String, _ body: () -> Void) {
    layer = name
    body()
  }

  func line(_ points: [TilePoint], _ body: () -> Void) { add(.line(points), body) }
  func polygon(_ rings: [[TilePoint]], _ body: () -> Void) { add(.polygon(rings), body) }
  func point(_ point: TilePoint, _ body: () -> Void) { add(.point(point), body) }

  private func add(_ shape: TileFeature.Shape, _ body: () -> Void) {
    features.append(TileFeature(layer: layer, shape: shape, tags: [:]))
    body()
  }

  func tag(_ key: String, _ value: String) { set(key, .text(value)) }
  func tag(_ key: String, _ value: Int) { set(key, .number(value)) }

  private func set(_ key: String, _ value: TileFeature.Tag) {
    guard let last = features.indices.last else { return }
    features[last].tags[key] = value
  }
}

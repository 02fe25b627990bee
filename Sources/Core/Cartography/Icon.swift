/// A small picture of filled and stroked paths, from back to front.
public struct Icon: Hashable, Sendable {
  public enum Paint: Hashable, Sendable {
    case fill
    /// With round ends and joins.
    case stroke(width: Double)
  }

  public struct Shape: Hashable, Sendable {
    public var path: VectorPath
    public var paint: Paint
    public var opacity = 1.0
    /// `#rrggbb`; nil for the colour that the icon is drawn in.
    public var colour: String?

    public init(
      _ svg: String, _ paint: Paint = .stroke(width: 8), opacity: Double = 1,
      colour: String? = nil
    ) {
      self.init(VectorPath(svg: svg), paint, opacity: opacity, colour: colour)
    }

    public init(
      _ path: VectorPath, _ paint: Paint, opacity: Double = 1, colour: String? = nil
    ) {
      self.path = path
      self.paint = paint
      self.opacity = opacity
      self.colour = colour
    }
  }

  /// A bold text in the middle of a point.
  public struct Caption: Hashable, Sendable {
    public var text: String
    public var center: ScreenPoint
    public var size: Double
  }

  public var width: Double
  public var height: Double
  public var shapes: [Shape]
  public var caption: Caption?
  /// Whether it is drawn as its mirror image, the caption excepted.
  public var isMirrored = false

  public init(width: Double, height: Double, _ shapes: [Shape]) {
    self.width = width
    self.height = height
    self.shapes = shapes
  }
}

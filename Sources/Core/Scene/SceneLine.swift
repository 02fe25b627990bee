import Geodesy

/// An additional line on the map with its own colours.
public struct SceneLine: Codable, Hashable, Sendable {
  /// Range of line widths, in pixels.
  public static let widthsPx = 1.0...40.0

  public var id: String
  /// Polyline with six decimals of at least two points.
  public let shape: String
  public var colour: ARGB
  /// nil for no outline.
  public var outline: ARGB?
  public var widthPx: Double

  /// - Throws: `SceneFault` with the field: `shape` for a text that is not a line, `id` for an
  ///   empty one.
  public init(
    id: String, shape: String, colour: ARGB, outline: ARGB? = nil, widthPx: Double = 6
  ) throws(SceneFault) {
    guard !id.isEmpty else {
      throw SceneFault(
        field: "id", message: "a line needs an id, by which it can be replaced and removed")
    }
    guard Self.widthsPx.contains(widthPx) else {
      throw SceneFault(field: "width_px", message: "\(widthPx) is not between 1 and 40 pixels")
    }
    let count: Int
    do throws(PolylineError) {
      count = try EncodedPolyline.decode(shape).count
    } catch {
      throw SceneFault(field: "shape", message: "not a polyline with six decimals: \(error.text)")
    }
    guard count >= 2 else {
      throw SceneFault(
        field: "shape", message: "a line needs at least two points, this one has \(count)")
    }
    self.id = id
    self.shape = shape
    self.colour = colour
    self.outline = outline
    self.widthPx = widthPx
  }
}

extension PolylineError {
  fileprivate var text: String {
    switch self {
    case .breaksOff(let byte): "it ends in the middle of a number, at byte \(byte)"
    case .notPolyline(let byte): "byte \(byte) is not a character of a polyline"
    case .leavesGlobe(let byte): "the point at byte \(byte) is not on the globe"
    }
  }
}

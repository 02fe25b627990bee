/// How the location indicator is drawn.
public struct IndicatorSettings: Codable, Hashable, Sendable {
  public enum Look: String, Codable, Hashable, Sendable, CaseIterable {
    /// By the mode of the route, or like `tracking` without a route.
    case auto
    case tracking
    case car
    case truck
    case bus
    case scooter
    case pedestrian
    case bicycle
    case grey
    /// The picture supplied by a caller.
    case picture
    case hidden

    /// The style of this look; nil if the mode of the route decides.
    var style: IndicatorStyle? { IndicatorStyle(rawValue: rawValue) }
  }

  public var look = Look.auto
  /// Kept while another look is shown; nil for none.
  public var picture: IndicatorPicture?

  public init() {}
}

/// A picture or model for the indicator, which points up on the screen.
public struct IndicatorPicture: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case png
    case svg
    /// A three-dimensional model: glTF in its binary form.
    case glb
  }

  /// Maximum size of a picture in bytes.
  public static let byteLimit = 256 * 1024
  /// Maximum width and height of a PNG, so that a small file does not become a huge picture.
  public static let sideLimitPx = 2048

  public let kind: Kind
  public let bytes: [UInt8]

  /// Checks the size and the first bytes; the drawing program validates the rest.
  ///
  /// - Throws: `SceneFault` with the field `indicator_picture`.
  public init(kind: Kind, bytes: [UInt8]) throws(SceneFault) {
    guard bytes.count <= Self.byteLimit else {
      throw Self.fault("\(bytes.count) bytes; the maximum is \(Self.byteLimit)")
    }
    switch kind {
    case .png:
      guard let (width, height) = Self.pngSize(bytes) else { throw Self.fault("not a PNG") }
      guard (1...Self.sideLimitPx).contains(width), (1...Self.sideLimitPx).contains(height) else {
        throw Self.fault(
          "\(width) x \(height) pixels; each side of a PNG must be 1 to \(Self.sideLimitPx)")
      }
    case .svg:
      guard let text = String(validating: bytes, as: UTF8.self), text.contains("<svg") else {
        throw Self.fault("not an SVG: not UTF-8 text with an svg element")
      }
    case .glb:
      guard bytes.starts(with: Array("glTF".utf8)) else {
        throw Self.fault("not a binary glTF: the first bytes are not \"glTF\"")
      }
    }
    self.kind = kind
    self.bytes = bytes
  }

  private static func fault(_ text: String) -> SceneFault {
    SceneFault(field: "indicator_picture", message: text)
  }

  /// Width and height from the header chunk; nil for bytes that do not begin like a PNG.
  ///
  /// Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 5.2 and 11.2.1.
  private static func pngSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    let opening: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    guard bytes.count >= 24, bytes.starts(with: opening),
      bytes[12..<16].elementsEqual(Array("IHDR".utf8))
    else { return nil }
    func number(at start: Int) -> Int {
      bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return (number(at: 16), number(at: 20))
  }
}

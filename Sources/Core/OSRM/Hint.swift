public import RoadGraph

/// A road position that a client may send back to save the search for it.
///
/// It contains the map's hash, and a hint from another map is ignored. Base 64 (RFC 4648, URL-safe,
/// no padding) of 20 bytes: hash, edge, millimetres along it, check.
public struct OSRMHint: Hashable, Sendable {
  public var mapHash: UInt64
  public var edge: EdgeID
  public var offsetMM: UInt32

  public init(mapHash: UInt64, position: RoadPosition) {
    self.mapHash = mapHash
    edge = position.edge
    offsetMM = UInt32(Double.maximum(0, Double.minimum(4e9, position.offsetM * 1000)))
  }

  /// nil for a text that is not a hint of this server.
  public init?(_ text: String) {
    guard let bytes = Self.bytes(text), bytes.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    mapHash = number(0..<8)
    edge = EdgeID(rawValue: UInt32(number(8..<12)))
    offsetMM = UInt32(number(12..<16))
    guard UInt32(number(16..<20)) == check else { return nil }
  }

  public var text: String {
    var bytes: [UInt8] = []
    func add(_ value: UInt64, _ count: Int) {
      for shift in (0..<count).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift)))
      }
    }
    add(mapHash, 8)
    add(UInt64(edge.rawValue), 4)
    add(UInt64(offsetMM), 4)
    add(UInt64(check), 4)
    return Self.text(bytes)
  }

  /// The position on a map; nil if the hint is from another map, or invalid.
  public func position(in graph: RoadGraph) -> RoadPosition? {
    guard mapHash == graph.hash, edge.index < graph.edgeCount else { return nil }
    let offsetM = Double(offsetMM) / 1000
    guard offsetM <= graph.lengthM(edge) + 0.002 else { return nil }
    return RoadPosition(edge: edge, offsetM: Double.minimum(offsetM, graph.lengthM(edge)))
  }

  // Prevents truncated texts, or those of another server, from being accepted as hints; not a
  // secret.
  private var check: UInt32 {
    var mixed = mapHash ^ (UInt64(edge.rawValue) << 32 | UInt64(offsetMM)) ^ 0x6e61_7673_7461_636b
    mixed ^= mixed >> 33
    mixed &*= 0xff51_afd7_ed55_8ccd
    mixed ^= mixed >> 33
    return UInt32(truncatingIfNeeded: mixed)
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(held >> bits & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(held << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for character in text.utf8 {
      guard let digit = alphabet.firstIndex(of: character) else { return nil }
      held = held << 6 | UInt32(digit)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: held >> bits))
    }
    return bytes
  }
}

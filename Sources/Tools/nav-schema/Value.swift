import Documents
import Yams

/// An example or default as a value to encode; maps keep the order of the fields.
indirect enum Value: Equatable {
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case null
  case list([Value])
  case map([Pair])

  struct Pair: Equatable {
    var key: String
    var value: Value
  }

  subscript(key: String) -> Value? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}

/// An example as written in the file, not yet checked against the fields.
struct Example {
  var node: Node
  var place: Place
}

extension Value {
  /// The shortest MessagePack encoding.
  ///
  /// It is implemented here again, so that the golden bytes test the packer of the structs
  /// independently.
  var messagePack: [UInt8] {
    switch self {
    case .null: return [0xc0]
    case .bool(let value): return [value ? 0xc3 : 0xc2]
    case .int(let value): return Self.pack(value)
    case .double(let value): return [0xcb] + Self.bigEndian(value.bitPattern, 8)
    case .string(let value):
      let text = Array(value.utf8)
      let head: [UInt8] =
        text.count < 32 ? [0xa0 | UInt8(text.count)] : Self.head(text.count, [0xd9, 0xda, 0xdb])
      return head + text
    case .bytes(let value): return Self.head(value.count, [0xc4, 0xc5, 0xc6]) + value
    case .list(let values):
      let head: [UInt8] =
        values.count < 16 ? [0x90 | UInt8(values.count)] : Self.head(values.count, [0xdc, 0xdd])
      return head + values.flatMap(\.messagePack)
    case .map(let pairs):
      let head: [UInt8] =
        pairs.count < 16 ? [0x80 | UInt8(pairs.count)] : Self.head(pairs.count, [0xde, 0xdf])
      return head + pairs.flatMap { Value.string($0.key).messagePack + $0.value.messagePack }
    }
  }

  private static func pack(_ value: Int64) -> [UInt8] {
    let bits = UInt64(bitPattern: value)
    switch value {
    case 0..<128, -32..<0: return [UInt8(truncatingIfNeeded: value)]
    case 128...0xff: return [0xcc] + bigEndian(bits, 1)
    case 0x100...0xffff: return [0xcd] + bigEndian(bits, 2)
    case 0x1_0000...0xffff_ffff: return [0xce] + bigEndian(bits, 4)
    case 0x1_0000_0000...: return [0xcf] + bigEndian(bits, 8)
    case -128..<(-32): return [0xd0] + bigEndian(bits, 1)
    case -0x8000..<(-128): return [0xd1] + bigEndian(bits, 2)
    case -0x8000_0000..<(-0x8000): return [0xd2] + bigEndian(bits, 4)
    default: return [0xd3] + bigEndian(bits, 8)
    }
  }

  private static func bigEndian(_ bits: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
  }

  /// The shortest of up to three heads; the last marks have lengths of 2 and 4 bytes.
  private static func head(_ count: Int, _ marks: [UInt8]) -> [UInt8] {
    if marks.count == 3, count <= 0xff { return [marks[0], UInt8(count)] }
    let wide = marks.suffix(2).map { $0 }
    if count <= 0xffff { return [wide[0]] + bigEndian(UInt64(count), 2) }
    return [wide[1]] + bigEndian(UInt64(count), 4)
  }

  /// A column of integers as bytes: zigzag differences as varints.
  static func packed(_ values: [Int64]) -> Value {
    var bytes: [UInt8] = []
    var previous: Int64 = 0
    for value in values {
      let difference = value &- previous
      previous = value
      var rest = UInt64(bitPattern: (difference << 1) ^ (difference >> 63))
      while rest > 0x7f {
        bytes.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return .bytes(bytes)
  }
}

extension Value {
  /// JSON; `indent` is the level, nil for one line.
  func json(_ indent: Int? = 0) -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .string(let value): return Self.quoted(value)
    case .bytes(let value):
      let digits = value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return "{\"$bytes\": \"\(digits)\"}"
    case .list(let values):
      let isFlat = values.allSatisfy(\.isScalar)
      let inner = isFlat ? nil : indent.map { $0 + 1 }
      return Self.wrap("[", values.map { $0.json(inner) }, "]", isFlat ? nil : indent)
    case .map(let pairs):
      let inner = indent.map { $0 + 1 }
      let parts = pairs.map { "\(Self.quoted($0.key)): \($0.value.json(inner))" }
      return Self.wrap("{", parts, "}", indent)
    }
  }

  private var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  private static func wrap(
    _ open: String, _ parts: [String], _ close: String, _ indent: Int?
  ) -> String {
    guard let indent, !parts.isEmpty else {
      return open + parts.joined(separator: ", ") + close
    }
    let pad = String(repeating: "  ", count: indent + 1)
    return open + "\n" + parts.map { pad + $0 }.joined(separator: ",\n") + "\n"
      + String(repeating: "  ", count: indent) + close
  }

  static func quoted(_ text: String) -> String { JSONString.quoted(text) }
}

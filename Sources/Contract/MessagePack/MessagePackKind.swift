/// The kind of a value, from its first byte.
enum MessagePackKind {
  case null
  case boolean
  case integer
  case float
  case string
  case binary
  case array
  case map
  case extended
  case reserved

  init(_ byte: UInt8) {
    switch byte {
    case 0...0x7f, 0xe0...0xff, 0xcc...0xd3: self = .integer
    case 0x80...0x8f, 0xde, 0xdf: self = .map
    case 0x90...0x9f, 0xdc, 0xdd: self = .array
    case 0xa0...0xbf, 0xd9...0xdb: self = .string
    case 0xc0: self = .null
    case 0xc2, 0xc3: self = .boolean
    case 0xc4...0xc6: self = .binary
    case 0xca, 0xcb: self = .float
    case 0xc7...0xc9, 0xd4...0xd8: self = .extended
    default: self = .reserved
    }
  }

  /// With its article, for messages.
  var name: String {
    switch self {
    case .null: "nil"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .float: "a float"
    case .string: "a string"
    case .binary: "bytes"
    case .array: "a list"
    case .map: "a map"
    case .extended: "an extension"
    case .reserved: "the byte 0xc1"
    }
  }
}

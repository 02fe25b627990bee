/// Strings of JSON (RFC 8259): quotes, backslashes and control characters are escaped.
///
/// All JSON that the stack writes itself gets its strings from here.
public enum JSONString {
  /// A text as a JSON string, with its quotes.
  public static func quoted(_ text: String) -> String {
    var quoted = ""
    append(text, to: &quoted)
    return quoted
  }

  /// Appends a text as a JSON string, with its quotes.
  public static func append(_ text: String, to json: inout String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    write(text) { bytes.append($0) }
    json += String(decoding: bytes, as: UTF8.self)
  }

  /// Passes the bytes of a JSON string to `put`, one after the other, in UTF-8 and with its quotes.
  @inlinable
  public static func write(_ text: String, _ put: (UInt8) -> Void) {
    put(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: escape(byte, put)
      case 0x0A: escape(0x6E, put)
      case 0x0D: escape(0x72, put)
      case 0x09: escape(0x74, put)
      case 0..<0x20:
        escape(0x75, put)
        put(0x30)
        put(0x30)
        put(0x30 + (byte >> 4))
        put(byte & 15 < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15))
      default: put(byte)
      }
    }
    put(0x22)
  }

  @inlinable
  static func escape(_ byte: UInt8, _ put: (UInt8) -> Void) {
    put(0x5C)
    put(byte)
  }
}

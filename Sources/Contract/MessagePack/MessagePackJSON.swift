extension MessagePackValue {
  /// The value as JSON on one line, or indented by two spaces per level.
  ///
  /// Bytes become `{"$bytes": "00ff10"}`; NaN and infinities, which JSON lacks, become null.
  public func json(indented: Bool = false) -> String {
    var text = ""
    write(to: &text, indent: indented ? 0 : nil)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .uint(let value): text += "\(value)"
    case .double(let value): text += value.isFinite ? Self.jsonNumber(value) : "null"
    case .string(let value): Self.quote(value, to: &text)
    case .bytes(let value):
      let digits = Array("0123456789abcdef")
      text += "{\"$bytes\": \""
      for byte in value {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
      text += "\"}"
    case .array(let values):
      Self.list(values, "[", "]", &text, indent) { $0.write(to: &$1, indent: $2) }
    case .map(let entries):
      Self.list(entries, "{", "}", &text, indent) {
        Self.quote($0.key, to: &$1)
        $1 += ": "
        $0.value.write(to: &$1, indent: $2)
      }
    }
  }

  private static func list<T>(
    _ items: [T], _ open: String, _ close: String, _ text: inout String, _ indent: Int?,
    _ write: (T, inout String, Int?) -> Void
  ) {
    text += open
    let inner = indent.map { $0 + 1 }
    for (index, item) in items.enumerated() {
      if index > 0 { text += inner == nil ? ", " : "," }
      if let inner { text += "\n" + String(repeating: "  ", count: inner) }
      write(item, &text, inner)
    }
    if let indent, !items.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  /// The shortest text that gives the same number again; integers keep their `.0`.
  private static func jsonNumber(_ value: Double) -> String { "\(value)" }

  static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}

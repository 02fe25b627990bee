public import Documents

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
    case .string(let value): JSONString.append(value, to: &text)
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
        JSONString.append($0.key, to: &$1)
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
}

extension MessagePackValue {
  /// The value of a JSON document: whole numbers become integers, and keys are sorted.
  ///
  /// The same object gives the same bytes, because JSON objects have no order.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value):
      self = Int64(exactly: value).map { MessagePackValue.int($0) } ?? .double(value)
    case .integer(let value): self = .int(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .array(values.map { MessagePackValue($0) })
    case .object(let members):
      self = .map(
        members.sorted { $0.key < $1.key }.map { Entry($0.key, MessagePackValue($0.value)) })
    }
  }
}

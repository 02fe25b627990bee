/// An event of an XML document.
public enum XMLEvent: Hashable, Sendable {
  /// Local name without its prefix, and the attributes by their local names; namespaces are left out.
  case start(String, [String: String])
  case end(String)
  case text(String)
}

/// A small strict XML reader.
///
/// Tags must nest, and entities must be known. A document type with declarations is refused.
///
/// Enough for GPX and DATEX II, which use no more. UTF-8 only: see `DocumentText`. Errors name line and column.
public struct XMLReader {
  private let bytes: [UInt8]
  private var at = 0
  private var open: [String] = []
  /// The pending end event of an element written as `<a/>`.
  private var pendingEnd: String?
  private var hasRoot = false

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
  }

  /// The next event; nil after the last element.
  public mutating func next() throws(DocumentFault) -> XMLEvent? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while at < bytes.count {
      if bytes[at] != 0x3c {
        if let text = try text() { return .text(text) }
        continue
      }
      if skips("<!--") {
        try skip(past: "-->")
      } else if skips("<?") {
        try skip(past: "?>")
      } else if skips("<![CDATA[") {
        let start = at
        try skip(past: "]]>")
        return .text(String(decoding: bytes[start..<(at - 3)], as: UTF8.self))
      } else if skips("<!") {
        try skipDocumentType()
      } else if skips("</") {
        return .end(try closeTag())
      } else {
        return try openTag()
      }
    }
    if let name = open.last { throw fault("the file is truncated inside <\(name)>") }
    guard hasRoot else { throw fault("the file contains no element") }
    return nil
  }

  /// A problem at the current position of the reader.
  public func fault(_ problem: String) -> DocumentFault {
    DocumentFault(problem, at: at, of: bytes)
  }

  /// Skips a document type without declarations, such as `<!DOCTYPE gpx>`.
  ///
  /// One with declarations is refused, because it could be an entity-expansion attack.
  private mutating func skipDocumentType() throws(DocumentFault) {
    guard !hasRoot, skips("DOCTYPE") else { throw fault("declarations are not supported") }
    let start = at
    while at < bytes.count, bytes[at] != 0x3e {
      guard bytes[at] != 0x5b, bytes[at] != 0x3c else {
        at = start
        throw fault("a document type with declarations is not supported")
      }
      at += 1
    }
    guard at < bytes.count else { throw fault("no > follows") }
    at += 1
  }

  private mutating func text() throws(DocumentFault) -> String? {
    let start = at
    while at < bytes.count, bytes[at] != 0x3c { at += 1 }
    let raw = bytes[start..<at]
    let isBlank = raw.allSatisfy { Self.isSpace($0) }
    guard !open.isEmpty else {
      if isBlank { return nil }
      at = start
      throw fault("text outside of all elements; this is not XML")
    }
    return isBlank ? nil : try decoded(raw)
  }

  private mutating func openTag() throws(DocumentFault) -> XMLEvent {
    guard !open.isEmpty || !hasRoot else { throw fault("a second root element") }
    at += 1
    let name = try self.name()
    var attributes: [String: String] = [:]
    var qualified: Set<String> = []
    while true {
      let hadSpace = skipSpace()
      guard at < bytes.count else { throw fault("the file is truncated inside a tag") }
      if skips("/>") {
        pendingEnd = name
        break
      }
      if skips(">") {
        open.append(name)
        break
      }
      guard hadSpace else { throw fault("expected a space before an attribute") }
      let (key, prefix, value) = try attribute()
      guard qualified.insert("\(prefix):\(key)").inserted else {
        throw fault("the attribute \"\(key)\" is given twice")
      }
      // A prefix may be any word, also that of an attribute; of two that differ by prefix alone the first counts.
      if prefix == "xmlns" || key == "xmlns" || attributes[key] != nil { continue }
      attributes[key] = value
    }
    hasRoot = true
    guard open.count < 256 else { throw fault("elements are nested deeper than 256") }
    return .start(name, attributes)
  }

  private mutating func closeTag() throws(DocumentFault) -> String {
    let name = try self.name()
    _ = skipSpace()
    guard skips(">") else { throw fault("expected > at the end of </\(name)") }
    guard let expected = open.popLast() else { throw fault("</\(name)> closes nothing") }
    guard expected == name else {
      throw fault("expected </\(expected)>, found </\(name)>")
    }
    return name
  }

  private mutating func attribute() throws(DocumentFault) -> (
    key: String, prefix: String, value: String
  ) {
    let start = at
    let key = try name()
    let colon = bytes[start..<at].lastIndex(of: 0x3a) ?? start
    let prefix = String(decoding: bytes[start..<colon], as: UTF8.self)
    _ = skipSpace()
    guard skips("=") else { throw fault("expected = after the attribute \"\(key)\"") }
    _ = skipSpace()
    guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else {
      throw fault("the value of \"\(key)\" must be in quotes")
    }
    let quote = bytes[at]
    at += 1
    let valueStart = at
    while at < bytes.count, bytes[at] != quote, bytes[at] != 0x3c { at += 1 }
    guard at < bytes.count, bytes[at] == quote else {
      throw fault("the value of \"\(key)\" has no end")
    }
    let value = try decoded(bytes[valueStart..<at])
    at += 1
    return (key, prefix, value)
  }

  /// A name without its prefix.
  private mutating func name() throws(DocumentFault) -> String {
    var start = at
    while at < bytes.count, Self.isName(bytes[at]) {
      if bytes[at] == 0x3a { start = at + 1 }
      at += 1
    }
    guard at > start else { throw fault("expected a name") }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private func decoded(_ raw: ArraySlice<UInt8>) throws(DocumentFault) -> String {
    guard raw.contains(0x26) else { return String(decoding: raw, as: UTF8.self) }
    var result: [UInt8] = []
    var rest = raw
    while let first = rest.first {
      guard first == 0x26 else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      guard let end = rest.firstIndex(of: 0x3b), end - rest.startIndex <= 10 else {
        throw fault("an & that starts no entity")
      }
      let entity = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      guard let scalar = Self.scalar(of: entity) else {
        throw fault("the entity &\(entity); is unknown")
      }
      result.append(contentsOf: String(Character(scalar)).utf8)
      rest = rest[(end + 1)...]
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func scalar(of entity: String) -> Unicode.Scalar? {
    switch entity {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard entity.hasPrefix("#") else { return nil }
      let digits = entity.dropFirst()
      let value =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      return value.flatMap { Unicode.Scalar($0) }
    }
  }

  private mutating func skip(past end: StaticString) throws(DocumentFault) {
    let start = at
    while at < bytes.count {
      if skips(end) { return }
      at += 1
    }
    at = start
    throw fault("no \(end) follows")
  }

  private mutating func skips(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at + length <= bytes.count else { return false }
    for i in 0..<length where bytes[at + i] != text.utf8Start[i] { return false }
    at += length
    return true
  }

  private mutating func skipSpace() -> Bool {
    let start = at
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
    return at > start
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
      || (byte >= 0x30 && byte <= 0x3a) || byte == 0x5f || byte == 0x2d || byte == 0x2e
      || byte >= 0x80
  }
}

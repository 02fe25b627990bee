/// Converts documents in the usual encodings to UTF-8.
public enum DocumentText {
  /// The document as UTF-8; the encoding follows from the byte order mark or the XML declaration.
  ///
  /// UTF-8, UTF-16, US-ASCII and ISO 8859-1 are read. Linear.
  ///
  /// - Throws: `DocumentFault` for any other encoding, and for UTF-16 with half a character at its end.
  public static func utf8(_ bytes: [UInt8]) throws(DocumentFault) -> [UInt8] {
    if let isLittleEndian = utf16Order(bytes) { return try utf16(bytes, isLittleEndian) }
    switch declaredEncoding(bytes)?.lowercased() {
    case nil, "utf-8", "utf8", "us-ascii", "ascii": return bytes
    // windows-1252 differs from Latin-1 only in characters that no number and no key contains.
    case "iso-8859-1", "latin1", "windows-1252", "cp1252": return latin1(bytes)
    case let name?:
      throw DocumentFault(
        line: 1, column: 1,
        problem: "the encoding \(name.prefix(40)) is not supported; write the file as UTF-8")
    }
  }

  private static func utf16Order(_ bytes: [UInt8]) -> Bool? {
    guard bytes.count >= 2 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0xff, 0xfe), (0x3c, 0): return true
    case (0xfe, 0xff), (0, 0x3c): return false
    default: return nil
    }
  }

  private static func utf16(
    _ bytes: [UInt8], _ isLittleEndian: Bool
  ) throws(DocumentFault) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else {
      throw DocumentFault("the UTF-16 ends inside a character", at: bytes.count, of: bytes)
    }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittleEndian ? first | second << 8 : first << 8 | second)
    }
    // The byte order mark is no longer needed.
    if units.first == 0xfeff { units.removeFirst() }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(0xc0 | byte >> 6)
        text.append(0x80 | byte & 0x3f)
      }
    }
    return text
  }

  /// The value of `encoding=` in an XML declaration; nil if there is none.
  private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard head.hasPrefix("<?xml"), let end = head.firstIndex(of: ">") else { return nil }
    let words = head[..<end].split(whereSeparator: { " \t\r\n=?".contains($0) })
    guard let key = words.firstIndex(of: "encoding"), key + 1 < words.count else { return nil }
    return words[key + 1].filter { $0 != "\"" && $0 != "'" }
  }
}

extension Unpacker {
  /// Keys and indices that lead to the value at byte `place`.
  ///
  /// They are found by parsing the bytes again, so that reading valid messages has no extra cost.
  static func path(to place: Int, in bytes: [UInt8]) -> String {
    var reader = Unpacker(bytes)
    var path = ""
    reader.walk(to: place, &path, depth: 0)
    return path
  }

  /// Advances until `place` is reached (true) or the next value is over (false).
  @discardableResult
  private mutating func walk(to place: Int, _ path: inout String, depth: Int) -> Bool {
    guard offset < place, offset < bytes.count, depth < Self.maximumDepth else {
      return offset >= place
    }
    let kind = MessagePackKind(bytes[offset])
    guard kind == .map || kind == .array else {
      guard (try? skipHead()) != nil else { return true }
      return offset > place
    }
    guard let count = kind == .map ? try? mapHeader() : try? arrayHeader() else { return true }
    for index in 0..<count {
      let length = path.utf8.count
      if kind == .map {
        if offset >= place { return true }
        guard let key = try? string() else { return true }
        path += path.isEmpty ? key : ".\(key)"
      } else {
        path += "[\(index)]"
      }
      if walk(to: place, &path, depth: depth + 1) { return true }
      path = String(decoding: path.utf8.prefix(length), as: UTF8.self)
    }
    return false
  }
}

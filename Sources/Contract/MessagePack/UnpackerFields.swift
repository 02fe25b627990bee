extension Unpacker {
  /// Reads a list of values of one kind.
  public mutating func list<T: Packable>(of _: T.Type = T.self) throws(DecodeError) -> [T] {
    let count = try arrayHeader()
    var values: [T] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try T(from: &self)) }
    return values
  }

  /// Reads a list of values of one kind, any of which may be nil.
  public mutating func gappedList<T: Packable>(of _: T.Type = T.self) throws(DecodeError) -> [T?] {
    let count = try arrayHeader()
    var values: [T?] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(consumeNil() ? nil : try T(from: &self)) }
    return values
  }

  /// Reads a map from names to values of one kind.
  public mutating func map<T: Packable>(of _: T.Type = T.self) throws(DecodeError) -> [String: T] {
    let count = try mapHeader()
    var values: [String: T] = [:]
    for _ in 0..<count {
      let start = offset
      let name = try string()
      let value = try T(from: &self)
      guard values.updateValue(value, forKey: name) == nil else {
        throw fault(.duplicateField, at: start, "\"\(name)\" is listed twice")
      }
    }
    return values
  }

  /// Reads the fields of a struct.
  ///
  /// `read` is called with the index of each known field that has a value; nil counts as absent.
  ///
  /// Unknown fields are skipped, or rejected if `refusesUnknownFields` is set.
  ///
  /// - Throws: `DecodeError` if one of the `required` fields (one bit each) is missing, or a field
  ///   occurs twice.
  public mutating func fields(
    _ keys: [StaticString], required: UInt64,
    _ read: (Int, inout Unpacker) throws(DecodeError) -> Void
  ) throws(DecodeError) {
    let start = offset
    var seen: UInt64 = 0
    var guess = 0
    for _ in 0..<(try mapHeader()) {
      let place = offset
      guard let index = try key(in: keys, guess: guess) else {
        if refusesUnknownFields { throw try unknownField(at: place, among: keys) }
        try skip()
        continue
      }
      guess = index + 1
      guard seen & 1 << UInt64(index) == 0 else {
        throw fault(.duplicateField, at: place, field: keys[index], "is listed twice")
      }
      if consumeNil() { continue }
      seen |= 1 << UInt64(index)
      try read(index, &self)
    }
    let missing = required & ~seen
    guard missing == 0 else {
      throw fault(
        .missingField, at: start, field: keys[missing.trailingZeroBitCount], "is missing")
    }
  }

  /// Maximum length of a name, in bytes, that an error repeats in full and compares with the known
  /// names.
  private static let longestName = 64

  /// The error for the unknown field whose name starts at byte `place`.
  ///
  /// It contains the path, and the nearest known name, or all known names if none is near.
  private func unknownField(
    at place: Int, among keys: [StaticString]
  ) throws(DecodeError) -> DecodeError {
    var reader = self
    reader.rewind(to: place)
    let name = try reader.string()
    let known = keys.map { "\($0)" }
    let isLong = name.utf8.count > Self.longestName
    let shown = isLong ? "\(name.prefix(32))…" : name
    let hint =
      if !isLong, let nearest = Suggestion.nearest(to: name, among: known) {
        "did you mean \"\(nearest)\"?"
      } else if known.isEmpty {
        "no fields are known here"
      } else {
        "known fields are \(known.joined(separator: ", "))"
      }
    var error = fault(.unknownField, at: place, "unknown field \"\(shown)\"; \(hint)")
    error.path += error.path.isEmpty ? shown : ".\(shown)"
    return error
  }

  /// Checks that the columns of a table have the same length.
  public func equal(_ counts: [Int], at start: Int, _ keys: [StaticString]) throws(DecodeError) {
    guard let odd = counts.firstIndex(where: { $0 != counts[0] }) else { return }
    throw fault(
      .unequalColumns, at: start, field: keys[odd],
      "\(counts[odd]) entries where \(keys[0]) has \(counts[0])")
  }
}

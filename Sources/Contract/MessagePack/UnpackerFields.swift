extension Unpacker {
  /// A list of values of one kind.
  public mutating func list<T: Packable>(of _: T.Type = T.self) throws(DecodeError) -> [T] {
    let count = try arrayHeader()
    var values: [T] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try T(from: &self)) }
    return values
  }

  /// A list of values of one kind, any of which may be nil.
  public mutating func gappedList<T: Packable>(of _: T.Type = T.self) throws(DecodeError) -> [T?] {
    let count = try arrayHeader()
    var values: [T?] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(takesNil() ? nil : try T(from: &self)) }
    return values
  }

  /// Values of one kind by their names.
  public mutating func map<T: Packable>(of _: T.Type = T.self) throws(DecodeError) -> [String: T] {
    let count = try mapHeader()
    var values: [String: T] = [:]
    for _ in 0..<count {
      let start = offset
      let name = try string()
      let value = try T(from: &self)
      guard values.updateValue(value, forKey: name) == nil else {
        throw fault(.duplicateField, at: start, "\"\(name)\" is there twice")
      }
    }
    return values
  }

  /// Reads the fields of a struct: `read` is called with the index of each known field that has a
  /// value, unknown ones are skipped, nil counts as absent.
  ///
  /// - Throws: `DecodeError` when one of the `required` fields (a bit each) is missing, or a field is there twice.
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
        try skip()
        continue
      }
      guess = index + 1
      guard seen & 1 << UInt64(index) == 0 else {
        throw fault(.duplicateField, at: place, field: keys[index], "is there twice")
      }
      if takesNil() { continue }
      seen |= 1 << UInt64(index)
      try read(index, &self)
    }
    let missing = required & ~seen
    guard missing == 0 else {
      throw fault(
        .missingField, at: start, field: keys[missing.trailingZeroBitCount], "is missing")
    }
  }

  /// Checks that the columns of a table are equally long.
  public func equal(_ counts: [Int], at start: Int, _ keys: [StaticString]) throws(DecodeError) {
    guard let odd = counts.firstIndex(where: { $0 != counts[0] }) else { return }
    throw fault(
      .unequalColumns, at: start, field: keys[odd],
      "\(counts[odd]) entries where \(keys[0]) has \(counts[0])")
  }
}

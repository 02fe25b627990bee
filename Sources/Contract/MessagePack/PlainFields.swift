// Fields of the plain types, written out: compiled once here, they are as fast as specialised
// generics, and the structs of the contract stay small in code.

extension Packer {
  /// Writes one entry of a map.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: Bool) {
    map.count += 1
    pack(key)
    pack(value)
  }

  /// Writes one entry of a map, or nothing for a value that is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    field(&map, key, value)
  }

  /// Writes one entry of a map whose value is a list.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ list: [Bool]) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list { pack(value) }
  }
}

extension Unpacker {
  /// A list of values of one kind.
  public mutating func list() throws(DecodeError) -> [Bool] {
    let count = try arrayHeader()
    var values: [Bool] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try bool()) }
    return values
  }
}

extension Packer {
  /// Writes one entry of a map.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: Int64) {
    map.count += 1
    pack(key)
    pack(value)
  }

  /// Writes one entry of a map, or nothing for a value that is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    field(&map, key, value)
  }

  /// Writes one entry of a map whose value is a list.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ list: [Int64]) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list { pack(value) }
  }
}

extension Unpacker {
  /// A list of values of one kind.
  public mutating func list() throws(DecodeError) -> [Int64] {
    let count = try arrayHeader()
    var values: [Int64] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try int()) }
    return values
  }
}

extension Packer {
  /// Writes one entry of a map.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: UInt64) {
    map.count += 1
    pack(key)
    pack(value)
  }

  /// Writes one entry of a map, or nothing for a value that is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: UInt64?) {
    guard let value else { return }
    field(&map, key, value)
  }

  /// Writes one entry of a map whose value is a list.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ list: [UInt64]) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list { pack(value) }
  }
}

extension Unpacker {
  /// A list of values of one kind.
  public mutating func list() throws(DecodeError) -> [UInt64] {
    let count = try arrayHeader()
    var values: [UInt64] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try uint()) }
    return values
  }
}

extension Packer {
  /// Writes one entry of a map.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: Double) {
    map.count += 1
    pack(key)
    pack(value)
  }

  /// Writes one entry of a map, or nothing for a value that is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: Double?) {
    guard let value else { return }
    field(&map, key, value)
  }

  /// Writes one entry of a map whose value is a list.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ list: [Double]) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list { pack(value) }
  }
}

extension Unpacker {
  /// A list of values of one kind.
  public mutating func list() throws(DecodeError) -> [Double] {
    let count = try arrayHeader()
    var values: [Double] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try double()) }
    return values
  }
}

extension Packer {
  /// Writes one entry of a map.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: String) {
    map.count += 1
    pack(key)
    pack(value)
  }

  /// Writes one entry of a map, or nothing for a value that is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: String?) {
    guard let value else { return }
    field(&map, key, value)
  }

  /// Writes one entry of a map whose value is a list.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ list: [String]) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list { pack(value) }
  }
}

extension Unpacker {
  /// A list of values of one kind.
  public mutating func list() throws(DecodeError) -> [String] {
    let count = try arrayHeader()
    var values: [String] = []
    values.reserveCapacity(Swift.min(count, 1024))
    for _ in 0..<count { values.append(try string()) }
    return values
  }
}

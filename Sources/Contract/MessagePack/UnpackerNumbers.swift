extension Unpacker {
  /// Reads an integer of any width and sign that fits.
  public mutating func int() throws(DecodeError) -> Int64 {
    let start = offset
    switch try integer() {
    case .negative(let value): return value
    case .positive(let value):
      guard let fitting = Int64(exactly: value) else {
        throw fault(.outOfRange, at: start, "\(value) exceeds the range of i64")
      }
      return fitting
    }
  }

  /// Reads a non-negative integer of any width.
  public mutating func uint() throws(DecodeError) -> UInt64 {
    let start = offset
    switch try integer() {
    case .positive(let value): return value
    case .negative(let value): throw fault(.outOfRange, at: start, "\(value) is below 0")
    }
  }

  /// Reads an integer between `low` and `high`, inclusive.
  public mutating func int(_ low: Int64, _ high: Int64) throws(DecodeError) -> Int64 {
    let start = offset
    let value = try int()
    guard value >= low, value <= high else {
      throw fault(.outOfRange, at: start, Self.outside("\(value)", Double(low), Double(high)))
    }
    return value
  }

  /// Reads an integer that is not below `low`.
  public mutating func int(atLeast low: Int64) throws(DecodeError) -> Int64 {
    try int(low, .max)
  }

  /// Reads an integer between `low` and `high`, inclusive.
  public mutating func uint(_ low: UInt64, _ high: UInt64) throws(DecodeError) -> UInt64 {
    let start = offset
    let value = try uint()
    guard value >= low, value <= high else {
      throw fault(.outOfRange, at: start, Self.outside("\(value)", Double(low), Double(high)))
    }
    return value
  }

  /// Reads a finite number that is not below `low`; an integer is accepted for a float.
  public mutating func double(atLeast low: Double) throws(DecodeError) -> Double {
    try double(low, .greatestFiniteMagnitude)
  }

  /// Reads a finite number; an integer is accepted for a float.
  public mutating func double() throws(DecodeError) -> Double {
    try double(-.greatestFiniteMagnitude, .greatestFiniteMagnitude)
  }

  /// Reads a finite number between `low` and `high`, inclusive; an integer is accepted for a float.
  public mutating func double(_ low: Double, _ high: Double) throws(DecodeError) -> Double {
    let start = offset
    let value: Double
    switch try peek() {
    case 0xca, 0xcb: value = try anyDouble()
    case 0...0x7f, 0xe0...0xff, 0xcc...0xd3:
      switch try integer() {
      case .positive(let whole): value = Double(whole)
      case .negative(let whole): value = Double(whole)
      }
    default: throw wrongType("a number")
    }
    guard value >= low, value <= high else {
      throw fault(.outOfRange, at: start, Self.outside("\(value)", low, high))
    }
    return value
  }

  /// Reads a float, including NaN and infinity.
  mutating func anyDouble() throws(DecodeError) -> Double {
    let isSingle = try peek() == 0xca
    let bits = try number(isSingle ? 4 : 8, after: 1)
    advance(isSingle ? 5 : 9)
    return isSingle
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private enum Whole {
    case positive(UInt64)
    case negative(Int64)
  }

  private mutating func integer() throws(DecodeError) -> Whole {
    let byte = try peek()
    switch byte {
    case 0...0x7f:
      advance(1)
      return .positive(UInt64(byte))
    case 0xe0...0xff:
      advance(1)
      return .negative(Int64(Int8(bitPattern: byte)))
    case 0xcc...0xcf:
      let width = 1 << Int(byte - 0xcc)
      let value = try number(width, after: 1)
      advance(1 + width)
      return .positive(value)
    case 0xd0...0xd3:
      let width = 1 << Int(byte - 0xd0)
      let shift = UInt64(64 - 8 * width)
      let value = Int64(bitPattern: try number(width, after: 1) << shift) >> Int64(shift)
      advance(1 + width)
      return value < 0 ? .negative(value) : .positive(UInt64(value))
    default: throw wrongType("an integer")
    }
  }

  private static func outside(_ value: String, _ low: Double, _ high: Double) -> String {
    let greatest = Double.greatestFiniteMagnitude
    if low > -greatest, high < greatest { return "\(value) is outside \(low) to \(high)" }
    if low > -greatest { return "\(value) is not a number of at least \(low)" }
    return high < greatest
      ? "\(value) is not a number of at most \(high)" : "\(value) is not a finite number"
  }
}

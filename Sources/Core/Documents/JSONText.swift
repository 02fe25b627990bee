/// Writes JSON text piece by piece, without an intermediate tree.
///
/// The caller determines the order of fields; commas are inserted here. Numbers that are not finite
/// become `null`.
public struct JSONText: Sendable {
  public private(set) var bytes: [UInt8] = []
  /// Whether a value has been written at this depth, so that the next one needs a comma.
  private var needsComma = false

  public init() { bytes.reserveCapacity(4096) }

  public mutating func object(_ body: (inout JSONText) -> Void) { nest(0x7B, 0x7D, body) }

  public mutating func array(_ body: (inout JSONText) -> Void) { nest(0x5B, 0x5D, body) }

  public mutating func object(_ name: StaticString, _ body: (inout JSONText) -> Void) {
    key(name)
    object(body)
  }

  public mutating func array(_ name: StaticString, _ body: (inout JSONText) -> Void) {
    key(name)
    array(body)
  }

  public mutating func list<Item>(
    _ name: StaticString, _ items: some Sequence<Item>, _ body: (inout JSONText, Item) -> Void
  ) {
    key(name)
    array { json in for item in items { body(&json, item) } }
  }

  public mutating func field(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  public mutating func field(_ name: StaticString, _ value: Int) {
    key(name)
    number(value)
  }

  public mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// A number rounded to `decimals` digits, 0 to 9.
  public mutating func field(_ name: StaticString, _ value: Double, decimals: Int = 1) {
    key(name)
    number(value, decimals: decimals)
  }

  /// A number with all its digits; whole numbers without a fraction.
  public mutating func field(_ name: StaticString, exact value: Double) {
    key(name)
    exact(value)
  }

  /// The name of a field whose value is written next.
  public mutating func key(_ name: StaticString) {
    comma()
    bytes.append(0x22)
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes += [0x22, 0x3A]
    needsComma = false
  }

  public mutating func null() { word("null") }

  /// A value that is JSON already.
  public mutating func raw(_ json: String) { word(json) }

  public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

  public mutating func number(_ value: Int) {
    comma()
    digits(UInt64(value.magnitude), isNegative: value < 0)
  }

  /// A number rounded to `decimals` digits, without trailing zeros.
  public mutating func number(_ value: Double, decimals: Int = 1) {
    var scale: UInt64 = 1
    for _ in 0..<max(0, min(9, decimals)) { scale *= 10 }
    let scaled = (value.magnitude * Double(scale)).rounded()
    guard scaled.isFinite, scaled < 9e18 else {
      if value.isFinite { word("\(value)") } else { null() }
      return
    }
    comma()
    let whole = UInt64(scaled)
    digits(whole / scale, isNegative: value < 0 && whole > 0)
    var rest = whole % scale
    guard rest > 0 else { return }
    bytes.append(0x2E)
    while rest > 0 {
      scale /= 10
      bytes.append(0x30 + UInt8(rest / scale))
      rest %= scale
    }
  }

  /// A number with all its digits; whole numbers without a fraction.
  public mutating func exact(_ value: Double) {
    guard value.isFinite else { return null() }
    word(Int64(exactly: value).map { "\($0)" } ?? "\(value)")
  }

  public mutating func string(_ value: String) {
    comma()
    JSONString.write(value) { bytes.append($0) }
  }

  private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONText) -> Void) {
    comma()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func comma() {
    if needsComma { bytes.append(0x2C) }
    needsComma = true
  }

  private mutating func word(_ text: String) {
    comma()
    bytes += Array(text.utf8)
  }

  private mutating func digits(_ value: UInt64, isNegative: Bool) {
    if isNegative { bytes.append(0x2D) }
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(0x30 + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }
}

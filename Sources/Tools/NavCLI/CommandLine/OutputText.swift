import Documents
import Foundation

/// UTF-8 text that is appended to; numbers are written digit by digit.
///
/// It owns its memory and cannot be copied, so that a write never needs a check for other
/// references.
struct OutputText: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 1 << 14) {
    self.capacity = max(64, capacity)
    memory = .allocate(capacity: self.capacity)
  }

  deinit { memory.deallocate() }

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }
  var data: Data { Data(bytes: memory, count: count) }

  mutating func removeAll() { count = 0 }

  private mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(2 * capacity, count + more)
    let greater = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    greater.update(from: memory, count: count)
    memory.deallocate()
    memory = greater
  }

  // MARK: Text

  @inline(__always) mutating func byte(_ byte: UInt8) {
    reserve(1)
    memory[count] = byte
    count += 1
  }

  @inline(__always) mutating func text(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    (memory + count).update(from: text.utf8Start, count: length)
    count += length
  }

  mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return }
      reserve(bytes.count)
      (memory + count).update(from: start, count: bytes.count)
      count += bytes.count
    }
  }

  mutating func text(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      reserve(bytes.count)
      (memory + count).update(from: start, count: bytes.count)
      count += bytes.count
    }
  }

  // MARK: Numbers

  mutating func integer(_ value: Int64) {
    if value < 0 { byte(0x2d) }
    digits(value.magnitude, least: 1)
  }

  mutating func integer(_ value: Int) { integer(Int64(value)) }

  /// Appends the digits of a number, with leading zeros up to a minimum count.
  private mutating func digits(_ value: UInt64, least: Int) {
    var length = 1
    var power: UInt64 = 10
    while length < 20, value >= power {
      length += 1
      let (next, isTooMuch) = power.multipliedReportingOverflow(by: 10)
      if isTooMuch { break }
      power = next
    }
    length = max(least, length)
    reserve(length)
    var rest = value
    var at = count + length
    while at > count {
      at -= 1
      let tenth = rest / 10
      memory[at] = 0x30 + UInt8(truncatingIfNeeded: rest - 10 * tenth)
      rest = tenth
    }
    count += length
  }

  private static let powers: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// Appends a number rounded to a fixed number of decimals, 0 to 9.
  ///
  /// A number that is not finite is written as 0.
  mutating func fixed(_ value: Double, _ decimals: Int) {
    let power = Self.powers[decimals]
    let scaled = (value.magnitude * Double(power)).rounded()
    guard scaled < 9e18 else {
      // Larger than all quantities that are written here.
      text(value.isFinite ? "\(value)" : "0")
      return
    }
    let whole = UInt64(scaled)
    if value < 0, whole > 0 { byte(0x2d) }
    digits(whole / power, least: 1)
    guard decimals > 0 else { return }
    byte(0x2e)
    digits(whole % power, least: decimals)
  }

  /// Appends a number of hundredths as a number with two decimals.
  mutating func hundredths(_ value: Int64) {
    if value < 0 { byte(0x2d) }
    digits(value.magnitude / 100, least: 1)
    byte(0x2e)
    digits(value.magnitude % 100, least: 2)
  }

  /// Appends nanoseconds as seconds with three to six decimals, without further trailing zeros.
  mutating func seconds(_ nanoseconds: Int64) {
    let micros = (nanoseconds.magnitude + 500) / 1000
    if nanoseconds < 0, micros > 0 { byte(0x2d) }
    digits(micros / 1_000_000, least: 1)
    byte(0x2e)
    let rest = micros % 1_000_000
    if rest.isMultiple(of: 1000) {
      digits(rest / 1000, least: 3)
    } else {
      digits(rest, least: 6)
    }
  }

  // MARK: JSON

  /// Appends a text in quotes.
  mutating func json(_ text: String) {
    JSONString.write(text) { byte($0) }
  }

  mutating func json(_ value: Double?, _ decimals: Int) {
    guard let value, value.isFinite else { return null() }
    fixed(value, decimals)
  }

  mutating func json(_ value: Bool) { text(value ? "true" as StaticString : "false") }

  mutating func null() { text("null" as StaticString) }
}

/// The reason why a decoded message is not a valid route: the field, and what is wrong with it.
public struct RouteWireFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Path of the field from the route's root: `spans.road`.
  public var field: String
  /// A sentence.
  public var message: String

  public init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  public var description: String { "\(field): \(message)" }
}

/// Checks of indices from untrusted input.
enum IndexChecks {
  static func index(_ value: Int64, below limit: Int, _ field: String) throws(RouteWireFault) -> Int
  {
    guard value >= 0, value < Int64(limit) else {
      throw RouteWireFault(field: field, message: "\(value) is not an index below \(limit)")
    }
    return Int(value)
  }

  static func range(
    first: Int64, count: Int64, within limit: Int, _ field: String
  ) throws(RouteWireFault) -> Range<Int> {
    guard first >= 0, count >= 0, first <= Int64(limit), count <= Int64(limit) - first else {
      throw RouteWireFault(
        field: field, message: "\(count) entries from \(first) on exceed the \(limit) that exist")
    }
    return Int(first)..<Int(first + count)
  }

  static func finite(_ values: [Double], _ field: String) throws(RouteWireFault) {
    guard let bad = values.firstIndex(where: { !($0 >= 0 && $0 < .infinity) }) else { return }
    throw RouteWireFault(
      field: field, message: "entry \(bad) is \(values[bad]), not a number of 0 or more")
  }
}

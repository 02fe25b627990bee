/// A value of a map style: a property of a feature, or the result of an expression.
public enum StyleValue: Hashable, Sendable {
  case none
  case bool(Bool)
  case number(Double)
  case text(String)
  /// A list of numbers, such as the lengths of dashes.
  case list([Double])

  public var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  public var isTrue: Bool { self == .bool(true) }

  /// As `concat` writes it: whole numbers without a fraction.
  var written: String {
    switch self {
    case .none, .list: ""
    case .bool(let value): value ? "true" : "false"
    case .number(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    case .text(let value): value
    }
  }
}

/// The tags of a feature by name, as a vector tile contains them.
public typealias StyleProperties = [String: StyleValue]

/// Any JSON value.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As a `Double`: whole numbers are exact up to 2^53.
  case number(Double)
  /// A whole number beyond 2^53, which a `Double` might not represent.
  case integer(Int64)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  public var array: [JSONValue]? {
    guard case .array(let values) = self else { return nil }
    return values
  }

  public var object: [String: JSONValue]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  public var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The value of a whole number; nil for anything else.
  public var integer: Int64? {
    switch self {
    case .number(let number): Int64(exactly: number)
    case .integer(let number): number
    default: nil
    }
  }

  public var bool: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  /// The text of a string, or of a number as it is usually written; nil for anything else.
  public var label: String? {
    switch self {
    case .string(let text): text
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .integer(let number): "\(number)"
    default: nil
    }
  }

  /// The member of an object; nil if it is missing or null.
  public subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[key], value != .null else {
      return nil
    }
    return value
  }
}

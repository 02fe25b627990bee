/// The reason why bytes could not be decoded as the expected value, and where.
public struct DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A reason that is used as the name of a counter.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The bytes end before the value does.
    case truncated
    /// A length is greater than the number of remaining bytes.
    case lengthOverflow = "length_overflow"
    /// 0xc1, which MessagePack never uses.
    case invalidByte = "invalid_byte"
    /// A string that is not UTF-8.
    case invalidText = "invalid_text"
    /// Bytes after the end of the value.
    case trailingBytes = "trailing_bytes"
    case tooDeep = "too_deep"
    case wrongType = "wrong_type"
    case outOfRange = "out_of_range"
    case unknownWord = "unknown_word"
    case missingField = "missing_field"
    case duplicateField = "duplicate_field"
    /// A field that the struct does not have, if such fields are rejected.
    case unknownField = "unknown_field"
    /// More bytes than the contract allows.
    case tooLarge = "too_large"
    /// Columns of one table have different lengths.
    case unequalColumns = "unequal_columns"
  }

  public var reason: Reason
  /// Keys and indices from the root, such as `raw.lat_deg` or `lanes[2].directions[0]`; empty at
  /// the root.
  public var path: String
  /// Byte offset in the payload at which the invalid value starts.
  public var byteOffset: Int
  /// A sentence with the field and the byte.
  public var message: String

  public init(reason: Reason, path: String, byteOffset: Int, message: String) {
    self.reason = reason
    self.path = path
    self.byteOffset = byteOffset
    self.message = message
  }

  public var description: String { message }

  /// The path of the invalid field; nil if it is the whole value.
  public var field: String? { path.isEmpty ? nil : path }
}

/// A number that may be missing, in eight bytes.
///
/// An optional takes sixteen bytes, and fixes are copied by the thousand. One particular NaN value
/// means that the number is missing. All other values are kept as they are, so that they can be
/// rejected.
@propertyWrapper @frozen
public struct CompactOptional: Sendable, BitwiseCopyable {
  @usableFromInline var number: Double

  /// A bit pattern that no arithmetic produces.
  @inlinable static var nothing: UInt64 { 0x7ffc_746f_6c64_2e2e }

  @inlinable public init(wrappedValue: Double?) {
    number = wrappedValue ?? Double(bitPattern: Self.nothing)
  }

  @inlinable public var wrappedValue: Double? {
    get { number.bitPattern == Self.nothing ? nil : number }
    set { self = Self(wrappedValue: newValue) }
  }
}

extension CompactOptional: Hashable {
  @inlinable public static func == (a: CompactOptional, b: CompactOptional) -> Bool {
    a.wrappedValue == b.wrappedValue
  }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension CompactOptional: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Double?.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a missing key as a missing number, like an optional.
  public func decode(_: CompactOptional.Type, forKey key: Key) throws -> CompactOptional {
    CompactOptional(wrappedValue: try decodeIfPresent(Double.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Leaves out a missing number, like an optional.
  public mutating func encode(_ reported: CompactOptional, forKey key: Key) throws {
    try encodeIfPresent(reported.wrappedValue, forKey: key)
  }
}

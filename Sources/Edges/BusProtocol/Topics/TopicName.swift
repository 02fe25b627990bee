/// The valid contents of the first frame: `<vehicle>/<token>/<token>…`, or `_system/…`, at most 200
/// bytes.
public enum TopicName {
  @inlinable public static var maximumLength: Int { 200 }

  /// Whether `name` is a whole topic name.
  ///
  /// A vehicle is `[a-z0-9][a-z0-9._-]{0,62}`; tokens are `[a-z0-9][a-z0-9_.-]*`. A name that
  /// starts with `_` belongs to the system and needs no vehicle.
  @inlinable public static func isValid(_ name: some Sequence<UInt8>) -> Bool {
    var length = 0
    var tokens = 0
    var tokenLength = 0
    var isSystem = false
    for byte in name {
      length += 1
      guard length <= maximumLength else { return false }
      if length == 1, byte == UInt8(ascii: "_") {
        isSystem = true
      } else if byte == UInt8(ascii: "/") {
        guard tokenLength > 0, isSystem || tokens > 0 || tokenLength <= 63 else { return false }
        tokens += 1
        tokenLength = 0
      } else {
        guard isLetterOrDigit(byte) || (tokenLength > 0 && isMark(byte)) else { return false }
        tokenLength += 1
      }
    }
    return tokenLength > 0 && tokens >= (isSystem ? 0 : 1)
  }

  public static func isValid(_ name: String) -> Bool { isValid(name.utf8) }

  public static func isValidVehicle(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 63 else { return false }
    return isLetterOrDigit(first) && name.utf8.allSatisfy { isLetterOrDigit($0) || isMark($0) }
  }

  @usableFromInline static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  @usableFromInline static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The vehicle and the rest of `ego/location/raw`; no vehicle for `_clock`.
  public static func split(_ name: String) -> (vehicle: String?, leaf: String) {
    guard !name.hasPrefix("_"), let slash = name.firstIndex(of: "/") else { return (nil, name) }
    return (String(name[..<slash]), String(name[name.index(after: slash)...]))
  }

  /// Stands for every vehicle in a list of vehicles.
  public static let anyVehicle = "*"

  /// The prefix of a pattern for one topic of every vehicle: `*/location/raw`.
  package static let everyVehicle = "*/"

  /// The topic without the vehicle that a pattern wants for every vehicle; nil for other patterns.
  package static func leafOfEveryVehicle(_ pattern: String) -> String? {
    pattern.hasPrefix(everyVehicle) ? String(pattern.dropFirst(everyVehicle.utf8.count)) : nil
  }

  /// Whether `pattern` matches `name`.
  ///
  /// A pattern is an exact name, a subtree that ends in `/`, or "" for all. `*/` and a topic mean
  /// that topic of every vehicle.
  public static func matches(_ pattern: String, _ name: String) -> Bool {
    if pattern.isEmpty || pattern.hasSuffix("/") { return name.hasPrefix(pattern) }
    guard pattern.hasPrefix(everyVehicle) else { return name == pattern }
    return !name.hasPrefix("_")
      && name.utf8.drop(while: { $0 != UInt8(ascii: "/") }).elementsEqual(pattern.utf8.dropFirst())
  }
}

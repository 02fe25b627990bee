/// Names of topics and calls on the bus, without the vehicle: `location/raw`.
///
/// The bus checks whole names; a stack file contains only the part that is the same for each vehicle.
enum BusName {
  /// Maximum length in bytes: 200 for the whole name, minus those of a vehicle such as `ego/`.
  static let maximumLength = 196

  /// Whether `name` is one or more words `[a-z0-9][a-z0-9_.-]*`, separated by slashes.
  static func isValid(_ name: String) -> Bool {
    name.utf8.count <= maximumLength
      && name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy { word in
          word.first.map(isLetterOrDigit) == true
            && word.allSatisfy { isLetterOrDigit($0) || "_.-".utf8.contains($0) }
        }
  }

  /// The rest of `ego/location/raw` after the vehicle; a system name or a single word as it is.
  static func withoutVehicle(_ name: String) -> String {
    guard !name.hasPrefix("_"), let slash = name.firstIndex(of: "/") else { return name }
    return String(name[name.index(after: slash)...])
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

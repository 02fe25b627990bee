import RoadGraph

extension VehicleSize {
  /// Reads the value of an option for a size or load: metres, tonnes, a count, or true; false for
  /// other options.
  ///
  /// - Throws: `InvalidQuery` for text that is not a number, `InvalidOptions` for a number out of
  ///   its range.
  mutating func read(_ name: String, _ scanner: inout OSRMScanner) throws(OSRMFault) -> Bool {
    switch name {
    case "height": heightM = try Self.number(name, &scanner, most: 100)
    case "width": widthM = try Self.number(name, &scanner, most: 100)
    case "length": lengthM = try Self.number(name, &scanner, most: 1000)
    case "weight": weightT = try Self.number(name, &scanner, most: 10_000)
    case "axle_load": axleLoadT = try Self.number(name, &scanner, most: 1000)
    case "axle_count", "axles": axles = Int(try Self.number(name, &scanner, most: 100))
    case "trailers": trailers = Int(try Self.number(name, &scanner, most: 10))
    case "hazmat":
      guard let flag = scanner.bool() else { throw OSRMParser.badQuery(scanner) }
      carriesHazardousGoods = flag
    default: return false
    }
    return true
  }

  private static func number(
    _ name: String, _ scanner: inout OSRMScanner, most: Double
  ) throws(OSRMFault) -> Double {
    guard let value = scanner.number() else { throw OSRMParser.badQuery(scanner) }
    guard (0...most).contains(value) else {
      throw OSRMFault(.invalidOptions, "\(name) is \(value); it is 0 to \(Int(most)).")
    }
    return value
  }
}

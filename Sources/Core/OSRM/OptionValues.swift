import Geodesy
import Route

/// Parsers for the kinds of option values.
extension OSRMOptions {
  /// Values separated by semicolons; an empty one is nil.
  func list<Value>(
    _ scanner: inout OSRMScanner, _ value: (inout OSRMScanner) -> Value?
  ) throws(OSRMFault) -> [Value?] {
    var values: [Value?] = []
    repeat {
      if scanner.isAtEnd || scanner.next == 0x3B || scanner.next == 0x26 {
        values.append(nil)
      } else {
        guard let read = value(&scanner) else { throw OSRMParser.badQuery(scanner) }
        values.append(read)
      }
    } while scanner.consume(";")
    return values
  }

  static func bearing(_ scanner: inout OSRMScanner) -> OSRMPlace.Bearing? {
    guard let deg = scanner.number(), scanner.consume(","), let range = scanner.number() else {
      return nil
    }
    return OSRMPlace.Bearing(deg: deg, rangeDeg: range)
  }

  static func radius(_ scanner: inout OSRMScanner) -> Double?? {
    if scanner.consume("unlimited") { return .some(nil) }
    guard let radius = scanner.number(), radius >= 0 else { return nil }
    return radius
  }

  static func approach(_ scanner: inout OSRMScanner) -> OSRMPlace.Approach? {
    if scanner.consume("unrestricted") { return .unrestricted }
    if scanner.consume("curb") { return .curb }
    return scanner.consume("opposite") ? .opposite : nil
  }

  static func exclusions(_ scanner: inout OSRMScanner) throws(OSRMFault) -> Set<Avoidance> {
    var all: Set<Avoidance> = []
    repeat {
      let word = scanner.text(until: ",&")
      switch word {
      case "toll": all.insert(.tolls)
      case "motorway": all.insert(.motorways)
      case "ferry": all.insert(.ferries)
      case "tunnel": all.insert(.tunnels)
      default:
        throw OSRMFault(
          .invalidValue,
          "Exclude flag \(word) is not supported. It is one of toll, motorway, ferry, tunnel.")
      }
    } while scanner.consume(",")
    return all
  }

  static func annotations(_ scanner: inout OSRMScanner) throws(OSRMFault) -> Set<OSRMAnnotation> {
    if let all = scanner.bool() { return all ? Set(OSRMAnnotation.allCases) : [] }
    var wanted: Set<OSRMAnnotation> = []
    repeat {
      let start = scanner
      guard let word = OSRMAnnotation(rawValue: scanner.text(until: ",&")) else {
        throw OSRMParser.badQuery(start)
      }
      wanted.insert(word)
    } while scanner.consume(",")
    return wanted
  }

  static func indices(_ scanner: inout OSRMScanner) throws(OSRMFault) -> [Int]? {
    if scanner.consume("all") { return nil }
    var all: [Int] = []
    repeat { all.append(try count(&scanner)) } while scanner.consume(";")
    return all
  }

  static func count(_ scanner: inout OSRMScanner) throws(OSRMFault) -> Int {
    guard let count = scanner.count() else { throw OSRMParser.badQuery(scanner) }
    return count
  }

  static func flag(_ scanner: inout OSRMScanner) throws(OSRMFault) -> Bool {
    guard let flag = scanner.bool() else { throw OSRMParser.badQuery(scanner) }
    return flag
  }

  static func word<Value>(
    _ scanner: inout OSRMScanner, _ words: [String: Value]
  ) throws(OSRMFault) -> Value {
    let start = scanner
    guard let value = words[scanner.text(until: "&")] else { throw OSRMParser.badQuery(start) }
    return value
  }

  static func named<Value: RawRepresentable>(
    _ scanner: inout OSRMScanner
  ) throws(OSRMFault) -> Value where Value.RawValue == String {
    let start = scanner
    guard let value = Value(rawValue: scanner.text(until: "&")) else {
      throw OSRMParser.badQuery(start)
    }
    return value
  }
}

extension OSRMTableOptions {
  /// Reads the value of the option `name`; false if a table has no such option.
  mutating func read(
    _ name: String, _ scanner: inout OSRMScanner
  ) throws(OSRMFault) -> Bool {
    switch name {
    case "sources": sources = try OSRMOptions.indices(&scanner)
    case "destinations": destinations = try OSRMOptions.indices(&scanner)
    case "annotations":
      let start = scanner
      let words = scanner.text(until: "&").split(separator: ",", omittingEmptySubsequences: false)
      guard words.allSatisfy({ $0 == "duration" || $0 == "distance" }) else {
        throw OSRMParser.badQuery(start)
      }
      durations = words.contains("duration")
      distances = words.contains("distance")
    case "fallback_speed":
      guard let speed = scanner.number() else { throw OSRMParser.badQuery(scanner) }
      guard speed > 0 else { throw OSRMFault(.invalidOptions, "fallback_speed must be > 0") }
      fallbackSpeedMps = speed
    case "fallback_coordinate":
      fallbackIsSnapped = try OSRMOptions.word(&scanner, ["input": false, "snapped": true])
    case "scale_factor":
      guard let factor = scanner.number() else { throw OSRMParser.badQuery(scanner) }
      guard factor > 0 else { throw OSRMFault(.invalidOptions, "scale_factor must be > 0") }
      scaleFactor = factor
    default: return false
    }
    return true
  }

  /// The table options for `count` places, with at most `most` rows and columns.
  ///
  /// Places may be listed repeatedly, so the table can be larger than the number of places.
  func checked(_ count: Int, most: Int) throws(OSRMFault) -> OSRMTableOptions {
    for named in [sources, destinations] where named?.count ?? 0 > most {
      throw OSRMFault(
        .tooBig,
        "Number of entries \(named?.count ?? 0) is higher than current maximum (\(most))")
    }
    for index in (sources ?? []) + (destinations ?? []) where index >= count {
      throw OSRMFault(
        .invalidOptions, "Index \(index) is none of the \(count) coordinates' indices.")
    }
    return self
  }
}

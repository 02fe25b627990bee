import Geodesy
import RoadGraph
import Route

/// Parses a request from the target of an HTTP request.
///
///     /{service}/v1/{profile}/{lon},{lat};{lon},{lat}[.json]?option=value&…
///
/// Strict and total: every target is either a request within the limits or a fault that names the
/// place. Linear in the bytes.
public struct OSRMParser: Sendable {
  public let limits: OSRMLimits

  public init(limits: OSRMLimits = OSRMLimits()) { self.limits = limits }

  /// The request in `target`.
  ///
  /// - Throws: `OSRMFault` with OSRM's code for the problem.
  public func query(_ target: some Collection<UInt8>) throws(OSRMFault) -> OSRMRequest {
    var scanner = OSRMScanner(try OSRMScanner.decoded(Array(target)))
    guard scanner.consume("/") else { throw Self.badURL(scanner) }
    let service = scanner.text(until: "/?")
    guard scanner.consume("/") else { throw Self.badURL(scanner) }
    let version = scanner.text(until: "/?")
    guard scanner.consume("/") else { throw Self.badURL(scanner) }
    let profile = scanner.text(until: "/?")
    guard scanner.consume("/"), !profile.isEmpty else { throw Self.badURL(scanner) }
    try Self.check(service: service, version: version)
    var query = OSRMRequest(
      mode: try Self.mode(profile), service: .nearest(count: 1),
      places: try Self.places(&scanner).map { OSRMPlace($0) })
    if scanner.consume(".") {
      guard scanner.consume("json") else { throw Self.badQuery(scanner) }
    }
    var options = OSRMOptions()
    if scanner.consume("?") {
      repeat { try options.read(&scanner, service: service) } while scanner.consume("&")
    }
    guard scanner.isAtEnd else { throw Self.badQuery(scanner) }
    try options.finish(&query, service: service, limits: limits)
    return query
  }

  // MARK: Parts

  private static func check(service: String, version: String) throws(OSRMFault) {
    guard ["route", "nearest", "table", "match", "trip", "tile"].contains(service) else {
      throw OSRMFault(.invalidService, "Service \(service) not found!")
    }
    guard version == "v1" else {
      throw OSRMFault(
        .invalidVersion, "Version \(version) of service \(service) not found! This is v1.")
    }
    switch service {
    case "trip":
      throw OSRMFault(
        .notImplemented,
        "This server orders no stops: the trip service is not there. It has route, nearest, table and match."
      )
    case "tile":
      throw OSRMFault(
        .notImplemented,
        "This server draws no debug tiles: the tile service is not there. It has route, nearest, table and match."
      )
    default: return
    }
  }

  private static func mode(_ profile: String) throws(OSRMFault) -> TravelMode {
    switch profile {
    case "car", "driving", "driving-traffic", "auto": return .car
    case "bike", "bicycle", "cycling": return .bicycle
    case "foot", "walking", "pedestrian": return .pedestrian
    default:
      guard let mode = TravelMode(word: profile) else {
        throw OSRMFault(
          .invalidValue,
          "Profile \(profile) not found! It is one of driving, car, truck, bus, taxi, scooter, bike, foot."
        )
      }
      return mode
    }
  }

  private static func places(_ scanner: inout OSRMScanner) throws(OSRMFault) -> [Coordinate] {
    for (prefix, decimals) in [("polyline6(", 6), ("polyline(", 5)] as [(StaticString, Int)]
    where scanner.consume(prefix) {
      let start = scanner.at
      let text = scanner.text(until: ")")
      guard scanner.consume(")") else { throw badQuery(scanner) }
      do throws(PolylineError) {
        return try EncodedPolyline.decode(text, decimals: decimals)
      } catch {
        switch error {
        case .leavesGlobe: throw OSRMFault(.invalidValue, "Invalid coordinate value.")
        case .breaksOff(let byte), .notPolyline(let byte):
          throw OSRMFault(
            .invalidQuery, "Query string malformed close to position \(start + byte)")
        }
      }
    }
    var places: [Coordinate] = []
    repeat {
      guard let place = scanner.coordinate() else { throw badQuery(scanner) }
      guard place.isValid else { throw OSRMFault(.invalidValue, "Invalid coordinate value.") }
      places.append(place)
    } while scanner.consume(";")
    return places
  }

  private static func badURL(_ scanner: OSRMScanner) -> OSRMFault {
    OSRMFault(.invalidUrl, "URL string malformed close to position \(scanner.at)")
  }

  static func badQuery(_ scanner: OSRMScanner) -> OSRMFault {
    OSRMFault(.invalidQuery, "Query string malformed close to position \(scanner.at)")
  }
}

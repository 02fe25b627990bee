import Geodesy
import RoadGraph
import Route

/// The options of a request as parsed, before they are checked against its places.
struct OSRMOptions {
  private var bearings: [OSRMPlace.Bearing?]?
  private var radiuses: [Double?]?
  private var hints: [OSRMHint?]?
  private var approaches: [OSRMPlace.Approach]?
  private var exclude: Set<Avoidance> = []
  private var vehicle = VehicleSize()
  private var snapsAnywhere = false
  private var givesHints = true
  private var givesWaypoints = true
  private var format = OSRMOutputFormat()
  private var waypoints: [Int]?
  private var alternatives = 0
  private var goesOn: Bool?
  private var number = 1
  private var table = OSRMTableOptions()
  private var timesS: [Double]?
  private var splits = true
  private var tidies = false

  /// Reads one `name=value`.
  mutating func read(_ scanner: inout OSRMScanner, service: String) throws(OSRMFault) {
    let start = scanner
    let name = scanner.text(until: "=&")
    guard scanner.consume("=") else { throw OSRMParser.badQuery(start) }
    var isKnown = try readCommon(name, &scanner)
    if !isKnown { isKnown = try readOwn(name, service, &scanner) }
    guard isKnown else { throw OSRMParser.badQuery(start) }
    guard scanner.isAtEnd || scanner.next == 0x26 else { throw OSRMParser.badQuery(scanner) }
  }

  private mutating func readCommon(
    _ name: String, _ scanner: inout OSRMScanner
  ) throws(OSRMFault) -> Bool {
    switch name {
    case "bearings": bearings = try list(&scanner, Self.bearing)
    case "radiuses": radiuses = try list(&scanner, Self.radius).map { $0 ?? nil }
    case "hints":
      // A hint from another server is not a fault; it just saves no time.
      hints = try list(&scanner) { scanner -> OSRMHint?? in
        .some(OSRMHint(scanner.text(until: ";&")))
      }.map { $0 ?? nil }
    case "approaches":
      approaches = try list(&scanner, Self.approach).map { $0 ?? .unrestricted }
    case "exclude": exclude = try Self.exclusions(&scanner)
    case "snapping": snapsAnywhere = try Self.word(&scanner, ["default": false, "any": true])
    case "generate_hints": givesHints = try Self.flag(&scanner)
    case "skip_waypoints": givesWaypoints = !(try Self.flag(&scanner))
    default: return try vehicle.read(name, &scanner)
    }
    return true
  }

  private mutating func readOwn(
    _ name: String, _ service: String, _ scanner: inout OSRMScanner
  ) throws(OSRMFault) -> Bool {
    switch (service, name) {
    case ("route", "alternatives"):
      if let flag = scanner.bool() {
        alternatives = flag ? 1 : 0
      } else {
        alternatives = try Self.count(&scanner)
      }
    case ("route", "continue_straight"):
      goesOn = scanner.consume("default") ? nil : try Self.flag(&scanner)
    case ("route", "steps"), ("match", "steps"): format.steps = try Self.flag(&scanner)
    case ("route", "annotations"), ("match", "annotations"):
      format.annotations = try Self.annotations(&scanner)
    case ("route", "geometries"), ("match", "geometries"):
      format.geometry = try Self.named(&scanner)
    case ("route", "overview"), ("match", "overview"): format.overview = try Self.named(&scanner)
    case ("route", "waypoints"), ("match", "waypoints"):
      waypoints = try Self.indices(&scanner)
    case ("nearest", "number"): number = try Self.count(&scanner)
    case ("table", _): return try table.read(name, &scanner)
    case ("match", "timestamps"): timesS = try list(&scanner) { $0.number() }.map { $0 ?? .nan }
    case ("match", "gaps"): splits = try Self.word(&scanner, ["split": true, "ignore": false])
    case ("match", "tidy"): tidies = try Self.flag(&scanner)
    default: return false
    }
    return true
  }

  /// Applies the options to the request.
  func finish(
    _ query: inout OSRMRequest, service: String, limits: OSRMLimits
  ) throws(OSRMFault) {
    let count = query.places.count
    try Self.check(service: service, count: count, limits: limits)
    try check(bearings?.count, "bearings", count)
    for bearing in (bearings ?? []).compactMap({ $0 })
    where !(0...360).contains(bearing.deg) || !(0...180).contains(bearing.rangeDeg) {
      throw OSRMFault(
        .invalidOptions, "A bearing is 0 to 360 degrees, and its range 0 to 180.")
    }
    try check(radiuses?.count, "radiuses", count)
    try check(hints?.count, "hints", count)
    try check(approaches?.count, "approaches", count)
    for index in 0..<count {
      query.places[index].bearing = bearings?[index]
      query.places[index].radiusM = radiuses?[index]
      query.places[index].hint = hints?[index]
      query.places[index].approach = approaches?[index] ?? .unrestricted
    }
    query.exclude = exclude
    query.vehicle = vehicle
    query.snapsAnywhere = snapsAnywhere
    query.givesHints = givesHints
    query.givesWaypoints = givesWaypoints
    query.format = format
    query.waypoints = try checkedWaypoints(count)
    query.service = try checkedService(service, count, limits)
  }

  private func checkedService(
    _ service: String, _ count: Int, _ limits: OSRMLimits
  ) throws(OSRMFault) -> OSRMRequest.Service {
    switch service {
    case "route":
      guard alternatives <= limits.alternatives else {
        throw OSRMFault(
          .tooBig,
          "Requested number of alternatives is higher than current maximum (\(limits.alternatives))"
        )
      }
      return .route(alternatives: alternatives, goesOn: goesOn)
    case "table":
      return .table(try table.checked(count, most: limits.tablePlaces))
    case "match":
      try check(timesS?.count, "timestamps", count)
      if let timesS, !zip(timesS, timesS.dropFirst()).allSatisfy({ $0 <= $1 }) {
        throw OSRMFault(.invalidValue, "Timestamps need to be monotonically increasing.")
      }
      return .match(timesS: timesS ?? [], splits: splits, tidies: tidies)
    default:
      guard number > 0 else {
        throw OSRMFault(.invalidOptions, "number must be greater than zero")
      }
      guard number <= limits.nearestCount else {
        throw OSRMFault(
          .tooBig,
          "Number of results \(number) is higher than current maximum (\(limits.nearestCount))")
      }
      return .nearest(count: number)
    }
  }

  private func checkedWaypoints(_ count: Int) throws(OSRMFault) -> [Int]? {
    guard let waypoints else { return nil }
    guard waypoints.allSatisfy({ $0 < count }) else {
      throw OSRMFault(.invalidOptions, "Waypoints correspond with indices of coordinates.")
    }
    let sorted = Set(waypoints).sorted()
    guard sorted.first == 0, sorted.last == count - 1 else {
      throw OSRMFault(
        .invalidValue, "First and last coordinates must be specified as waypoints.")
    }
    return sorted
  }

  private static func check(
    service: String, count: Int, limits: OSRMLimits
  ) throws(OSRMFault) {
    let most: Int
    switch service {
    case "nearest":
      guard count == 1 else {
        throw OSRMFault(.invalidOptions, "Only one input coordinate is supported")
      }
      return
    case "table": most = limits.tablePlaces
    case "match": most = limits.matchPlaces
    default: most = limits.routePlaces
    }
    guard count >= 2 else {
      throw OSRMFault(.invalidOptions, "Number of coordinates needs to be at least two.")
    }
    guard count <= most else {
      throw OSRMFault(
        .tooBig, "Number of entries \(count) is higher than current maximum (\(most))")
    }
  }

  private func check(_ found: Int?, _ name: String, _ count: Int) throws(OSRMFault) {
    guard let found, found != count else { return }
    throw OSRMFault(
      .invalidOptions,
      "Number of elements in \(name) size \(found) does not match coordinate size \(count)")
  }
}

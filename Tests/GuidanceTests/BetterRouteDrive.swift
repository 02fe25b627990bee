import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import Route

extension Route {
  /// The same route to the last stops of another one, as many as it has itself.
  func leading(toStopsOf other: Route) -> Route {
    var route = self
    let count = route.waypoints.count - 1
    for (index, stop) in zip(1..., other.waypoints.suffix(count)) {
      route.waypoints[index].original = stop.original
    }
    return route
  }
}

/// A drive along 12 km at 10 m/s for which better routes are found.
struct BetterRouteDrive {
  /// 20 minutes; a maneuver only at the end.
  static let letters = String(repeating: "abcdefghijkl", count: 10)
  static let long = drawn(letters, id: "r-1", secondsPerSegment: 10)

  var drive: Following
  private let letters: String
  private let route: Route

  init(
    adopt: BetterRoutePolicy.Adopt = .ask, letters: String = Self.letters, maneuvers: [Int] = [],
    stops: [Int] = [], _ change: (inout Navigator.Settings) -> Void = { _ in }
  ) {
    var settings = Navigator.Settings()
    settings.better.adopt = adopt
    change(&settings)
    self.letters = letters
    route = drawn(letters, stops: stops, id: "r-1", maneuvers: maneuvers, secondsPerSegment: 10)
    drive = Following(route, settings: settings)
    sees(0, t: 0)
  }

  /// A way that leaves the route by `detour` after `fork` segments, and starts after `from` segments.
  func better(
    _ id: String, _ detour: String, fork: Int = 10, from: Int = 0, gainS: Double = 150,
    thresholdS: Double? = 120, handle: String? = "h-2", stops: [Int] = []
  ) -> BetterRoute {
    let way =
      letters.dropFirst(from).prefix(fork - from + 1) + detour
      + letters.dropFirst(fork + 1 + detour.count)
    let new = drawn(
      String(way), stops: stops.map { $0 - from }, id: "r-\(id)", handle: handle,
      secondsPerSegment: 10)
    return BetterRoute(
      id: id, routeID: "r-1", route: new.leading(toStopsOf: route), gainS: gainS, longerM: 0,
      shapeChanged: true, thresholdS: thresholdS)
  }

  @discardableResult mutating func finds(_ found: BetterRoute, t: Double) -> [NavigatorOutput] {
    drive.navigator.handle(.betterFound(found, at: Instant(seconds: t)))
  }

  /// The vehicle is so many metres along its first route.
  @discardableResult mutating func sees(
    _ metres: Double, t: Double, speedMps: Double = 10
  ) -> [NavigatorOutput] {
    drive.sees(
      on(
        route, Int(metres / 100), metres.truncatingRemainder(dividingBy: 100), t: t,
        speedMps: speedMps))
  }

  mutating func ticks(_ t: Double) -> [NavigatorOutput] {
    drive.navigator.handle(.tick(at: Instant(seconds: t)))
  }

  mutating func commands(_ command: NavigatorCommand, t: Double) -> [NavigatorOutput] {
    drive.navigator.handle(.command(command, call: "c", at: Instant(seconds: t)))
  }

  /// The router's prices of the route being followed and of the better one, in seconds.
  mutating func prices(
    _ outputs: [NavigatorOutput], current: Double, better: Double, t: Double
  ) -> [NavigatorOutput] {
    zip(outputs.priceTokens, [current, better]).flatMap { token, seconds in
      drive.navigator.handle(
        .betterPriced(token: token, .success(seconds), at: Instant(seconds: t)))
    }
  }
}

extension [NavigatorOutput] {
  var priceTokens: [UInt64] {
    compactMap { if case .requestPrice(let token, _, _, _) = $0 { token } else { nil } }
  }
  var gains: [Double] {
    compactMap { if case .better(let found, _, _) = $0 { found.gainS } else { nil } }
  }
  var answers: [Result<CommandAnswer, NavigatorProblem>] {
    compactMap { if case .answer(_, let result) = $0 { result } else { nil } }
  }
  var refusals: [String] {
    answers.compactMap { if case .failure(let problem) = $0 { problem.code } else { nil } }
  }
  var activated: [String] {
    compactMap { if case .activate(let route?, _, _, _) = $0 { route.id } else { nil } }
  }
}

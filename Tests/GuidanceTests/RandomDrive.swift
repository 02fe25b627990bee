import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route

/// A drive by a seed: along routes with loops and roads driven twice, off them, with gaps, late
/// fixes, crashes, commands, and answers that come late, never, or for what is over.
struct RandomDrive {
  private var random: SplitMix64
  private var navigator: Navigator
  private var ledger = InvariantChecker()
  private var route: Route
  private var routes = 1
  private var atM = 0.0
  private var t = 0.0
  private var open: [UInt64] = []
  private var openPrices: [UInt64] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    navigator = Navigator()
    route = drawn("ab")
    var settings = Navigator.Settings()
    settings.reroute.mode = pick([.automatic, .automatic, .ask, .off])
    settings.onMissed = pick(Navigator.MissedStopPolicy.allCases)
    settings.skipsCoincidentStops = chance(2)
    settings.reportsPassThrough = chance(2)
    settings.better.adopt = pick([.ask, .auto, .never])
    settings.trafficIntervalS = chance(2) ? 30 : 600
    navigator = Navigator(settings: settings)
    ledger.skipsCoincident = settings.skipsCoincidentStops
    change()
  }

  /// What was broken, in words; empty where all held.
  mutating func run(steps: Int) -> [String] {
    for _ in 0..<steps { step() }
    return ledger.faults
  }

  // MARK: Dice

  private mutating func chance(_ one: Int) -> Bool { random.next() % UInt64(one) == 0 }
  private mutating func pick<T>(_ all: [T]) -> T { all[Int(random.next() % UInt64(all.count))] }
  private mutating func share() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  private mutating func newRoute() -> Route {
    routes += 1
    let count = 4 + Int(random.next() % 20)
    var letters = "a"
    while letters.count <= count {
      // Few letters, so that roads come again, both ways.
      let next = pick(Array("abcdefgh"))
      if next != letters.last { letters.append(next) }
    }
    var stops = Set(
      (0..<Int(random.next() % 4)).map { _ in 1 + Int(random.next() % UInt64(count - 1)) })
    stops.remove(count)
    var route = drawn(
      letters, stops: stops.sorted(), id: "r-\(routes)",
      maneuvers: (1..<count).filter { _ in chance(3) })
    for index in route.waypoints.indices.dropFirst().dropLast() where chance(4) {
      route.waypoints[index].original.kind = .passThrough
    }
    for at in 1..<count where chance(6) {
      route.addedStops.append(
        AddedStop(
          kind: .ferry, name: "", place: place(Double(at) * 100), offsetM: Double(at) * 100,
          lengthM: 100, section: 0, shapeIndex: at))
    }
    return route
  }

  // MARK: Steps

  private mutating func process(_ outputs: [NavigatorOutput]) {
    for output in outputs {
      switch output {
      case .requestRoute(let token, _, _, _, _), .requestTraffic(let token, _, _, _):
        open.append(token)
      case .requestPrice(let token, _, _, _):
        openPrices.append(token)
      case .activate(let new, _, _, _):
        if let new, new.id != route.id {
          route = new
          atM = 0
        }
      default: break
      }
    }
    ledger.check(outputs)
  }

  private mutating func change() {
    let next = newRoute()
    process(navigator.handle(.command(.setRoute(next), call: "set", at: now)))
  }

  private var now: Instant { Instant(seconds: t) }

  private mutating func step() {
    t += pick([1, 1, 1, 2, 5, 30])
    switch random.next() % 32 {
    case 0: change()
    case 1: crash()
    case 2: command()
    case 3, 4: reply()
    case 5: late()
    case 6:
      process(
        navigator.handle(
          .located(VehicleLocation(time: now, match: nil, raw: place(atM, north: share() * 120)))))
    case 7, 8, 9:
      process(navigator.handle(.located(elsewhere(atM, t: t, northM: 20 + share() * 100))))
    case 10, 12: better()
    case 13: price()
    case 14: setClock()
    case 11: process(navigator.handle(.tick(at: now)))
    default: drive()
    }
  }

  private mutating func drive() {
    atM += share() * pick([10, 40, 60, 250])
    if atM >= route.lengthM { atM = chance(3) ? route.lengthM - 1 : 0 }
    process(navigator.handle(.located(sighting(atM + (share() - 0.5) * 30, t: t))))
  }

  private mutating func late() {
    process(navigator.handle(.located(sighting(atM - share() * 100, t: t - share() * 20))))
  }

  private mutating func sighting(_ metres: Double, t: Double) -> VehicleLocation {
    let metres = min(max(0, metres), route.lengthM - 1)
    var sighting = on(
      route, Int(metres / 100), metres.truncatingRemainder(dividingBy: 100), t: t,
      speedMps: chance(6) ? 0 : 12)
    sighting.isEstimated = chance(8)
    return sighting
  }

  private mutating func crash() {
    var next = Navigator(settings: navigator.settings)
    next.recall(navigator.memory)
    navigator = next
    ledger.crashed()
    // Answers to what was asked before come all the same.
  }

  private mutating func command() {
    let commands: [NavigatorCommand] = [
      .pause, .resume, .resume, .skipWaypoint(.next), .orderWaypoints([2, 1]), .keepRoute,
      .acceptReroute, .rejectReroute,
      .cancelReroute, .setRerouting(.automatic, nil), .acceptBetter(id: nil),
      .rejectBetter(id: nil), .addWaypoint(Waypoint(place: place(50)), at: 0), .stop,
      .start(RouteRequest(waypoints: [Waypoint(place: place(500))]), fromHere: true),
    ]
    let call = "c-\(random.next())"
    ledger.asked(call)
    process(navigator.handle(.command(pick(commands), call: call, at: now)))
  }

  private mutating func reply() {
    guard !open.isEmpty else { return }
    let token = open.remove(at: Int(random.next() % UInt64(open.count)))
    if chance(8) { open.append(token) }
    switch random.next() % 4 {
    case 0:
      let problem = NavigatorProblem(code: "no_route_found", sentence: "No way.")
      process(navigator.handle(.routed(token: token, .failure(problem), at: now)))
    case 1:
      process(
        navigator.handle(
          .priced(
            token: token, routeID: route.id, prices(), trafficTime: now, at: now)))
    default:
      process(navigator.handle(.routed(token: token, .success(newRoute()), at: now)))
    }
  }

  // Now and then more spans than the route has, or none.
  private mutating func prices() -> SpanTraffic {
    let count = Int(random.next() % 12)
    return SpanTraffic(
      firstSpan: Int(random.next() % 5),
      entries: (0..<count).map { index in
        SpanTraffic.Entry(
          lengthM: index == 0 ? share() * 100 : 100, latestS: share() * 60,
          delayS: share() * 60 - 10)
      })
  }

  private mutating func better() {
    let found = BetterRoute(
      id: "b-\(random.next())", routeID: chance(4) ? "r-0" : route.id,
      route: chance(3) ? newRoute() : detour(), gainS: share() * 900, longerM: 0,
      shapeChanged: true, thresholdS: chance(2) ? 120 : nil)
    process(navigator.handle(.betterFound(found, at: now)))
  }

  /// A way that leaves the rest of the route somewhere, to the stops that are left.
  private mutating func detour() -> Route {
    routes += 1
    let nodes = [route.segments[0].reference.from] + route.segments.map(\.reference.to)
    let letters = nodes.compactMap { UnicodeScalar(UInt32($0)).map(Character.init) }
    let first = min(Int(max(0, atM) / 100), letters.count - 2)
    let fork = first + 1 + Int(random.next() % 8)
    var way = letters[first...].prefix(fork - first)
    for letter in ["x", "y", "z", "x", "y", "z"] as [Character] { way.append(letter) }
    let left = max(1, route.waypoints.count - navigator.memory.nextMilestone)
    let stops = (1..<max(1, left)).map { min($0, way.count - 2) }
    return drawn(String(way), stops: Set(stops).sorted(), id: "r-\(routes)")
      .leading(toStopsOf: route)
  }

  private mutating func price() {
    guard let token = openPrices.popLast() else { return }
    let problem = NavigatorProblem(code: "unavailable", sentence: "No router.")
    process(
      navigator.handle(
        .betterPriced(
          token: token, chance(4) ? .failure(problem) : .success(share() * 900), at: now)))
  }

  private mutating func setClock() {
    guard chance(4) else { return }
    let stepS = pick([-1800.0, 86_400])
    t = max(0, t + stepS)
    process(navigator.handle(.clockSet(bySeconds: stepS)))
  }
}

import ArgumentParser
import Foundation
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadFile
import RoadGraph
import Route

/// Whether guidance says that a vehicle has left its route when it has, and only then (P7).
struct Departures: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Drive true ways as routes: departures told must be true, and true ones told at once.",
    discussion: """
      Each true way of a set becomes a route by route/import, and is driven by the simulated driver at one fix a second: \
      without error, and with an error of first order (0.9 from fix to fix) by two seeds. Drives that stay on their \
      route must tell of no departure. Then drives leave it, one by one, at junctions some kilometres apart: the \
      departure must be reported by the third fix that was taken 30 m or more from the route. With --faults the receiver is \
      frozen, far off, or has a constant or wrong speed or course every two minutes; fixes with a wrong place do not count then.
      """)

  @Option(help: "The list of cases.") var list: String
  @Option(help: "Sets of the list, with commas between.") var sets = "kubicka"
  @Option(help: "Only the first so many cases; 0 for all.") var first = 0
  @Option(help: "Only the cases of these names, with commas between.") var only = ""
  @Option(help: "Metres of sigma of the error.") var sigma = 5.0
  @Option(help: "Seeds of the error, with commas between.") var seeds = "1,2"
  @Option(help: "Metres between the departures of a way; 0 for none.") var departEvery = 4000.0
  @Option(help: "A number of the tuning, as in --set routeNats=1.") var set: [String] = []
  @Flag(help: "Fixes tell their place and time alone.") var bare = false

  @Flag(help: "The receiver is wrong now and then: frozen, far off, constant, in another unit.")
  var faults = false

  @Flag(help: "Print the fixes that led to each report.") var explain = false

  func run() throws {
    var cases = try MatchingCase.read(list: list, sets: sets.split(separator: ",").map(String.init))
    let names = only.split(separator: ",").map(String.init)
    if !names.isEmpty { cases = cases.filter { names.contains($0.id) } }
    if first > 0 { cases = Array(cases.prefix(first)) }
    var total = DepartureTally()
    for one in cases {
      let tally = try drive(one)
      print("\(one.id): \(tally.row)")
      for report in tally.reports { print("  \(report)") }
      total.add(tally)
    }
    print("all: \(total.row)")
    guard total.isRight else { throw ExitCode.failure }
  }

  private func drive(_ one: MatchingCase) throws -> DepartureTally {
    let graph = try RoadFile.open(path: one.map)
    let stack = try GuidedDrive(
      graph: graph, tuning: try TuningNames.apply(set, to: MatcherTuning()))
    let route = try stack.imported(TrueWay(graph).segments(along: one.truth))
    let truth = RouteMismatch(truth: one.truth)
    let score = truth.score([route.shape])
    var tally = DepartureTally()
    tally.explains = explain
    tally.truthM = truth.truthM
    tally.importErrorM = score.addedM + score.missedM
    let streets = StreetNetwork(graph: graph, index: SegmentIndex(graph), mode: .car)
    for noise in noises() {
      var drive = RouteDrive(
        route, streets: streets, noise: noise, isBare: bare, isFaulty: faults)
      try tally.stay(&drive, stack)
      guard departEvery > 0 else { continue }
      for turnM in stride(from: departEvery / 2, to: route.lengthM - 300, by: departEvery) {
        var drive = RouteDrive(
          route, streets: streets, noise: noise, isBare: bare, isFaulty: faults, wrongTurnAtM: turnM
        )
        try tally.leave(&drive, stack)
      }
    }
    return tally
  }

  private func noises() -> [(settings: NoiseSettings, seed: UInt64)] {
    let clean = NoiseSettings()
    var drift = NoiseSettings()
    drift.driftSigmaM = sigma
    // 0.9 from one second to the next.
    drift.driftTimeS = -1 / log(0.9)
    drift.speedSigmaMps = 0.3
    drift.bearingSigmaDeg = 3
    return [(clean, 0)] + seeds.split(separator: ",").compactMap { UInt64($0) }.map { (drift, $0) }
  }
}

/// One drive along a route, or away from it.
struct RouteDrive {
  /// A fix with the place at which it was taken.
  struct Step {
    var fix: Fix
    var time: Instant
    var truth: Coordinate
    var hasStrayed: Bool
    var drivenM: Double
    /// The fix tells another place than the one at which it was taken, by a fault.
    var isDisplaced: Bool
  }

  let route: Route
  /// Way, from and to of each of its pieces.
  let segments: Set<[Int64]>
  let seed: UInt64
  /// Metres from the route that neither the error nor the width of a road explains.
  let visibleM: Double
  private let line: Polyline
  private var simulator: RouteSimulator
  private var receiver: NoisyReceiver
  private var faults: ReceiverFaults?
  private let isBare: Bool
  private var second = 0.0

  static let start = Instant(seconds: 1_790_000_000)

  init(
    _ route: Route, streets: StreetNetwork, noise: (settings: NoiseSettings, seed: UInt64),
    isBare: Bool, isFaulty: Bool = false, wrongTurnAtM: Double? = nil
  ) {
    self.route = route
    visibleM = 2 * noise.settings.driftSigmaM + 10
    line = Polyline(route.shape)
    segments = Set(route.segments.map(\.reference).map { [$0.way, $0.from, $0.to] })
    seed = noise.seed
    self.isBare = isBare
    faults = isFaulty ? ReceiverFaults(seed: noise.seed) : nil
    var settings = RouteSimulator.Settings()
    settings.wrongTurnsAtM = wrongTurnAtM.map { [$0] } ?? []
    settings.driving.stopoverS = 0
    simulator = RouteSimulator(start: route.shape[0], streets: streets, settings: settings)
    simulator.adopt(route, at: Self.start)
    receiver = NoisyReceiver(noise.settings, seed: noise.seed)
  }

  /// Metres from the route.
  func awayM(_ place: Coordinate) -> Double { line.projection(of: place)?.distanceM ?? .infinity }

  /// The next second; nil at the end.
  mutating func next() -> Step? {
    let now = Self.start.advanced(bySeconds: second)
    guard !simulator.isStanding(at: now) else { return nil }
    second += 1
    let truth = simulator.truth(at: now)
    guard var fix = receiver.fix(of: truth, at: now) else { return next() }
    if isBare { fix = Fix(place: fix.place, time: now) }
    var isDisplaced = false
    if let reported = faults?.applied(to: fix, second: second) { (fix, isDisplaced) = reported }
    return Step(
      fix: fix, time: now, truth: truth.place, hasStrayed: simulator.hasStrayed(at: now),
      drivenM: simulator.drivenM(at: now), isDisplaced: isDisplaced)
  }
}

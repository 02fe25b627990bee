public import MapMatching
import RoadFile
public import RoadGraph
public import Stage

/// The map and the parameters shared by all vehicles of a matcher.
public struct MatcherShared: Sendable {
  let graph: RoadGraph
  let index: SegmentIndex
  let network: MatchingNetwork
  let tuning: MatcherTuning
  /// The parameters of a separate smoother; nil if the online matcher also smooths.
  private(set) var smoothing: MatcherTuning?
  var estimation = EstimationSettings()

  /// A new online matcher; if a separate one smooths, its own lag is minimal.
  var newMatcher: OnlineMatcher {
    var numbers = tuning
    if smoothing != nil { numbers.lagFixes = 1 }
    return OnlineMatcher(network: network, tuning: numbers)
  }

  /// A new separate smoother; nil if none is wanted.
  var newSmoother: OnlineMatcher? {
    smoothing.map { OnlineMatcher(network: network, tuning: $0) }
  }

  /// Creates the shared part for an open map, for tests and embedding.
  public init(graph: RoadGraph, mode: TravelMode = .car) {
    self.init(graph: graph, mode: mode, tuning: MatcherTuning())
  }

  public init(graph: RoadGraph, mode: TravelMode, tuning: MatcherTuning) {
    self.graph = graph
    self.tuning = tuning
    index = SegmentIndex(graph)
    network = MatchingNetwork(graph: graph, mode: mode)
  }

  init(_ parameters: Parameters) throws(StageFailure) {
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: parameters.string("map") ?? "")
    } catch {
      throw StageFailure("map: \(error)")
    }
    self.init(graph: graph, parameters: parameters)
  }

  /// Creates the shared part for an open map with parameters.
  public init(graph: RoadGraph, parameters: Parameters) {
    var tuning = MatcherTuning()
    tuning.defaultSigmaM = parameters.double("default_sigma_m")
    tuning.routeNats = parameters.double("route_prior")
    // Without a route prior the start of the route is no likelier than any other place.
    if tuning.routeNats == 0 { tuning.startElsewhereNats = 0 }
    let smoothing = Smoothing(parameters)
    if smoothing.rule == .lag { tuning = smoothing.tuning(tuning) }
    self.init(
      graph: graph, mode: TravelMode(word: parameters.string("mode") ?? "") ?? .car,
      tuning: tuning)
    if smoothing.rule == .agreed { self.smoothing = smoothing.tuning(tuning) }
    estimation = EstimationSettings(parameters)
  }
}

extension Smoothing {
  fileprivate init(_ parameters: Parameters) {
    let fixes = parameters.int("lag_fixes")
    let timeS = parameters.double("lag_s")
    self.init(
      Rule(rawValue: parameters.string("smoothing") ?? "") ?? .lag, fixes: fixes > 0 ? fixes : nil,
      timeS: timeS > 0 ? timeS : nil)
  }
}

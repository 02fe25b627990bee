import DrawnMaps
import Foundations
import Geodesy
import RoadAhead
import RoadGraph
import Route

/// A drive along the letters of a drawn map, and what is told on the way.
struct Drive {
  let map: RoadMap
  let drawn: DrawnMap
  var watch = RoadAheadMonitor()
  var settings = RoadAheadMonitor.Settings()
  var mode = TravelMode.car
  var route: [RouteSegment] = []
  var reported: [RoadWarning] = []
  var horizons: [Horizon] = []
  var second = 0.0

  init(
    _ drawn: DrawnMap, graph: RoadGraph? = nil, custom: [CustomPlace] = [],
    kinds: Set<WarningKind>? = nil
  ) {
    self.drawn = drawn
    let graph = graph ?? drawn.graph
    map = RoadMap(graph, custom: CustomPlaces(custom, on: graph))
    if let kinds { settings.kinds = kinds }
  }

  /// Follows a route through the letters from now on.
  mutating func follow(_ letters: String) throws {
    var startM = 0.0
    route = try drawn.edges(letters).map { edge in
      defer { startM += drawn.graph.lengthM(edge) }
      return RouteSegment(
        reference: drawn.graph.reference(edge), startM: startM,
        lengthM: drawn.graph.lengthM(edge), entryOffsetM: 0)
    }
  }

  /// Drives along the letters, one place each `stepM`, from `fromM` to `upToM` of them.
  mutating func go(
    _ letters: String, stepM: Double = 20, fromM: Double = 0, upToM: Double = .infinity,
    limitMps: Double? = 13.9,
    probability: Double = 1, isEstimated: Bool = false
  ) throws {
    var walkedM = 0.0
    for edge in try drawn.edges(letters) {
      let lengthM = drawn.graph.lengthM(edge)
      var offsetM = 0.0
      while offsetM < lengthM, walkedM + offsetM <= upToM {
        if walkedM + offsetM >= fromM {
          place(
            edge, offsetM, limitMps: limitMps, probability: probability, isEstimated: isEstimated)
        }
        offsetM += stepM
      }
      walkedM += lengthM
    }
  }

  mutating func place(
    _ edge: EdgeID, _ offsetM: Double, limitMps: Double? = 13.9, probability: Double = 1,
    driven: [EdgeID] = [], segment: Int? = nil, isEstimated: Bool = false
  ) {
    second += 1
    let reference = drawn.graph.reference(edge)
    let current = segment ?? route.firstIndex { $0.reference == reference }
    let ahead = current.map { RouteAhead(segments: route, current: $0) }
    let outputs = watch.moved(
      RoadAheadMonitor.Place(
        position: RoadPosition(edge: edge, offsetM: offsetM), time: Instant(seconds: second),
        probability: probability, driven: driven, speedMps: 13, limitMps: limitMps,
        isEstimated: isEstimated), on: map, mode: mode, route: ahead, settings: settings)
    for output in outputs {
      switch output {
      case .warning(let warning): reported.append(warning)
      case .horizon(let horizon): horizons.append(horizon)
      }
    }
  }

  /// What was told, as words: `stop ahead 480`, `stop passed`.
  var words: [String] {
    reported.map { warning in
      let metres = warning.event == .ahead ? " \(Int(warning.distanceM.rounded()))" : ""
      return "\(warning.object.kind.rawValue) \(warning.event.rawValue)\(metres)"
    }
  }
}

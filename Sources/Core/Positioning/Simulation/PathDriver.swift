import Geodesy
public import RoadGraph

/// Drives along a path of the road graph step by step, for thousands of vehicles at once.
///
/// A `RouteSimulator` knows each moment of a drive and needs some kilobytes per kilometre. A path
/// driver knows only its position, and needs 5 bytes per edge. Like the simulator, it respects the
/// usual speed of each road, the speeds of the turns, and the acceleration and deceleration of
/// `DrivingStyle`.
public struct PathDriver: Hashable, Sendable {
  private let edges: [EdgeID]
  /// Maximum speed at the end of each edge in quarters of a metre per second.
  ///
  /// It includes braking for what comes after it.
  private let exits: [UInt8]
  /// Metres from the start of the last edge to the end of the drive.
  private let endM: Double
  private var index = 0
  private var offsetM: Double
  public private(set) var speedMps = 0.0
  public private(set) var isAtEnd = false

  /// Maximum length of a step in seconds.
  private static let stepS = 0.5
  /// Minimum speed near the end, since braking alone would never reach it.
  private static let crawlMps = 0.5

  /// A driver at the start of `path`, standing if no speed is given; nil for a path without edges.
  ///
  /// Linear in the path.
  public init?(
    path: RoadPath, on graph: RoadGraph, mode: TravelMode, driving: DrivingStyle,
    speedMps: Double = 0
  ) {
    guard !path.edges.isEmpty else { return nil }
    edges = path.edges
    offsetM = path.startOffsetM
    endM = path.endOffsetM
    var exits = [UInt8](repeating: 0, count: path.edges.count)
    var nextExitMps = 0.0
    for i in path.edges.indices.dropLast().reversed() {
      let next = path.edges[i + 1]
      let nextM = i + 2 == path.edges.count ? path.endOffsetM : graph.lengthM(next)
      let turn = Angle.differenceDeg(
        graph.endBearings(path.edges[i]).last, graph.endBearings(next).first)
      let reach =
        (nextExitMps * nextExitMps + 2 * driving.decelerationMps2 * Double.maximum(0, nextM))
        .squareRoot()
      let speed = Double.minimum(
        Double.minimum(driving.turnSpeedMps(angleDeg: turn), reach),
        Self.cruiseMps(next, graph, mode, driving))
      exits[i] = UInt8(Double.minimum(255, Double.maximum(0, speed * 4)))
      nextExitMps = Double(exits[i]) / 4
    }
    self.exits = exits
    self.speedMps = speedMps
  }

  /// The current position of the drive.
  public var position: RoadPosition { RoadPosition(edge: edges[index], offsetM: offsetM) }

  /// Number of edges of the whole path.
  public var edgeCount: Int { edges.count }

  /// Continues for `seconds`; stands once the path has ended.
  public mutating func advance(
    byS seconds: Double, on graph: RoadGraph, mode: TravelMode, driving: DrivingStyle
  ) {
    var left = seconds
    while left > 1e-9, !isAtEnd {
      let step = Double.minimum(left, Self.stepS)
      self.step(step, graph, mode, driving)
      left -= step
    }
  }

  private mutating func step(
    _ seconds: Double, _ graph: RoadGraph, _ mode: TravelMode, _ driving: DrivingStyle
  ) {
    let aheadM = Double.maximum(0, lengthM(graph) - offsetM)
    let exit = Double(exits[index]) / 4
    let allowed = (exit * exit + 2 * driving.decelerationMps2 * aheadM).squareRoot()
    let wanted = Double.minimum(
      Double.minimum(speedMps + driving.accelerationMps2 * seconds, allowed),
      Self.cruiseMps(edges[index], graph, mode, driving))
    let next = Double.maximum(wanted, Self.crawlMps)
    offsetM += (speedMps + next) / 2 * seconds
    speedMps = next
    while offsetM >= lengthM(graph) {
      guard index + 1 < edges.count else {
        offsetM = endM
        speedMps = 0
        isAtEnd = true
        return
      }
      offsetM -= lengthM(graph)
      index += 1
    }
  }

  private func lengthM(_ graph: RoadGraph) -> Double {
    index + 1 == edges.count ? endM : graph.lengthM(edges[index])
  }

  private static func cruiseMps(
    _ edge: EdgeID, _ graph: RoadGraph, _ mode: TravelMode, _ driving: DrivingStyle
  ) -> Double {
    Double.maximum(1, graph.attributes(edge).freeFlowMps(mode) * driving.speedFactor)
  }

  /// The true state of the vehicle.
  public func truth(on graph: RoadGraph) -> VehicleTruth {
    VehicleTruth(
      at: position, speedMps: speedMps, on: graph)
  }
}

extension VehicleTruth {
  /// A vehicle at a position of the road graph, heading along its edge; linear in the edge's
  /// points.
  public init(at position: RoadPosition, speedMps: Double, on graph: RoadGraph) {
    var before: Coordinate?
    var leftM = Double.maximum(0, position.offsetM)
    var found: (place: Coordinate, bearingDeg: Double)?
    var end: (place: Coordinate, bearingDeg: Double)?
    graph.forEachPoint(position.edge) { point in
      defer { before = point }
      guard found == nil, let from = before, from != point else { return }
      let length = from.distanceM(to: point)
      if leftM <= length, length > 0 {
        found = (
          from.interpolated(to: point, fraction: leftM / length), from.bearingDeg(to: point)
        )
      } else {
        leftM -= length
        end = (point, from.bearingDeg(to: point))
      }
    }
    // Lengths are rounded to the millimetre, so an offset at the end may lie slightly beyond the
    // shape.
    let at = found ?? end ?? (graph.coordinate(graph.tail(position.edge)), 0)
    self.init(
      place: at.place, bearingDeg: at.bearingDeg, speedMps: speedMps,
      isInTunnel: graph.attributes(position.edge).flags.contains(.tunnel))
  }
}

extension RoadGraph {
  /// Bearings of the edge's first and last piece of shape, clockwise from north.
  fileprivate func endBearings(_ edge: EdgeID) -> (first: Double, last: Double) {
    var before: Coordinate?
    var first: Double?
    var last: (from: Coordinate, to: Coordinate)?
    forEachPoint(edge) { point in
      defer { before = point }
      guard let from = before, from != point else { return }
      if first == nil { first = from.bearingDeg(to: point) }
      last = (from, point)
    }
    return (first ?? 0, last.map { $0.from.bearingDeg(to: $0.to) } ?? first ?? 0)
  }
}

import RoadGraph
import Route
import Traffic

/// Computes the costs and times of edges.
struct EdgeCosting: Sendable {
  private let key: MetricKey
  private let traffic: TrafficView?
  private let tuning: RoutingTuning
  private let capMps: Double
  /// The common values of edges with equal attributes, computed once for all of them.
  private let kinds: Column<Kind>
  private let kind: Column<UInt32>
  private let lengthMM: Column<UInt32>
  private let signs: VehicleSigns
  /// The roads of the map that the trip uses only if no other road leads there, ascending.
  let refused: [EdgeID]
  /// The nodes whose barrier bars the vehicle, ascending.
  let refusedBarriers: [NodeID]
  var refusesAny: Bool { !refused.isEmpty || !refusedBarriers.isEmpty }

  private struct Kind: BitwiseCopyable, Sendable {
    var freeFlowMps: Double
    var crossingS: Double
    var isAvoided: Bool
    /// Whether a sign bars the vehicle, or the road does not suit it.
    var isRefused: Bool
    /// Percentage of the road's time that counts for the choice of a path.
    var percent: UInt64

    init(_ road: RoadAttributes, _ key: MetricKey, _ capMps: Double, _ signs: VehicleSigns) {
      freeFlowMps = Double.minimum(road.freeFlowMps(key.mode), capMps)
      crossingS = Double(road.crossingS)
      isAvoided =
        key.avoid.contains { $0.applies(to: road) }
        || road.country.map { key.avoidCountries.contains($0) } ?? false
      isRefused =
        key.vehicle != VehicleSize() && !signs.permit(key.vehicle, key.mode, on: road)
        || key.refuses(road)
      percent = WalkingCosts.percent(road, key.mode)
    }
  }

  struct Price {
    var costMS: UInt32
    var latestMS: UInt32
  }

  /// Prices of the edges of `network`; linear in its kinds of road.
  init(network: RoadNetwork, key: MetricKey, traffic: TrafficView?, tuning: RoutingTuning) {
    self.key = key
    self.traffic = key.mode.isMotorised ? traffic : nil
    self.tuning = tuning
    let capMps = key.speedCapMps ?? .infinity
    self.capMps = capMps
    let columns = network.graph.columns
    kind = columns.attributeIndex
    lengthMM = columns.lengthMM
    let signs = network.states.signs
    self.signs = signs
    let kinds = columns.attributes.records.map { Kind($0, key, capMps, signs) }
    self.kinds = Column(kinds)
    var refused: [EdgeID] = []
    if kinds.contains(where: \.isRefused) {
      for edge in 0..<columns.attributeIndex.count
      where kinds[Int(columns.attributeIndex[edge])].isRefused
        && network.isUsable(EdgeID(edge))
      {
        refused.append(EdgeID(edge))
      }
    }
    self.refused = refused
    refusedBarriers = columns.barrierAttribute.records.indices.filter {
      kinds[Int(columns.barrierAttribute[$0])].isRefused
    }.map { columns.barrierNode[$0] }
  }

  /// The same prices under other traffic.
  init(_ base: EdgeCosting, traffic: TrafficView?) {
    key = base.key
    self.traffic = base.key.mode.isMotorised ? traffic : nil
    tuning = base.tuning
    capMps = base.capMps
    kinds = base.kinds
    kind = base.kind
    lengthMM = base.lengthMM
    signs = base.signs
    refused = base.refused
    refusedBarriers = base.refusedBarriers
  }

  /// Whether the trip uses an edge only if no other road leads there.
  func isRefused(_ edge: Int) -> Bool { kind(of: edge).isRefused }

  /// Whether a road with these attributes bars the vehicle.
  func isRefused(attribute: Int) -> Bool { kinds.records[attribute].isRefused }

  /// Milliseconds that an edge takes at free flow.
  func freeFlowMS(of edge: Int) -> UInt32 { Self.ms(freeFlowS(kind(of: edge), lengthM(edge))) }

  /// The price under known traffic; `isClosed` if something other than traffic has closed the road.
  func price(
    of edge: Int, speedFactor: Double = 1, isAvoided: Bool = false, isClosed: Bool = false
  ) -> Price {
    price(
      of: edge, under: traffic?.state(of: EdgeID(edge)), speedFactor: speedFactor,
      isAvoided: isAvoided, isBarred: isClosed)
  }

  /// The price under a state of traffic, nil if nothing is known; called for each edge of a city in
  /// a row.
  @inline(__always) func price(
    of edge: Int, under state: TrafficState?, speedFactor: Double = 1, isAvoided: Bool = false,
    isBarred: Bool = false
  ) -> Price {
    let kind = kind(of: edge)
    let lengthM = lengthM(edge)
    var (latestS, isClosed) = latest(kind, lengthM, under: state)
    if speedFactor != 1 { latestS /= speedFactor }
    let timeMS = Self.ms(latestS)
    let cost = cost(
      kind, lengthM, timeMS: UInt64(timeMS), isAvoided: isAvoided, isClosed: isClosed || isBarred)
    return Price(costMS: UInt32(min(cost, UInt64(UInt32.max - 1))), latestMS: timeMS)
  }

  /// Seconds that an edge takes under a state of traffic, and whether it is closed.
  @inline(__always) private func latest(
    _ kind: Kind, _ lengthM: Double, under state: TrafficState?
  ) -> (latestS: Double, isClosed: Bool) {
    guard let state, kind.crossingS == 0, key.mode.isMotorised else {
      return (freeFlowS(kind, lengthM), false)
    }
    if state.isClosed {
      return (freeFlowS(kind, lengthM), key.traffic == .flowAndClosures)
    }
    let speedMps = state.speedMps(freeFlowMps: kind.freeFlowMps, mode: key.mode)
    return (lengthM / Double.minimum(speedMps, capMps), false)
  }

  /// Returns the cost of an edge that takes `timeMS` milliseconds.
  @inline(__always) private func cost(
    _ kind: Kind, _ lengthM: Double, timeMS: UInt64, isAvoided: Bool, isClosed: Bool
  ) -> UInt64 {
    var cost: UInt64 =
      switch key.optimisation {
      case .fastest: timeMS
      case .shortest: UInt64(lengthMS(lengthM))
      case .balanced: (timeMS + UInt64(lengthMS(lengthM))) / 2
      }
    if kind.percent != 100 { cost = cost * kind.percent / 100 }
    if kind.isAvoided || isAvoided {
      cost *= key.excludes ? tuning.excludeFactor : tuning.avoidFactor
    }
    if kind.isRefused { cost *= tuning.closedFactor }
    if isClosed { cost = cost * tuning.closedFactor + tuning.closedMS }
    return cost
  }

  /// Milliseconds that a whole edge takes under a state of traffic, and whether it is closed.
  ///
  /// `road` contains its attributes at the moment; nil for those of the map.
  func flow(
    of edge: Int, under state: TrafficState?, road: RoadAttributes? = nil, speedFactor: Double = 1
  ) -> (timeMS: UInt32, isClosed: Bool) {
    let (latestS, isClosed) = latest(
      road.map { kind(of: $0) } ?? kind(of: edge), lengthM(edge),
      under: key.mode.isMotorised && key.traffic != .off ? state : nil)
    return (Self.ms(latestS / speedFactor), isClosed)
  }

  /// Returns the cost of an edge that takes `timeMS` milliseconds, as `price` computes it.
  func cost(
    of edge: Int, road: RoadAttributes? = nil, timeMS: UInt64, isAvoided: Bool = false,
    isClosed: Bool = false
  ) -> UInt64 {
    min(
      cost(
        road.map { kind(of: $0) } ?? kind(of: edge), lengthM(edge), timeMS: timeMS,
        isAvoided: isAvoided, isClosed: isClosed), UInt64(UInt32.max - 1))
  }

  @inline(__always) private func kind(of edge: Int) -> Kind {
    kinds.records[Int(kind.records[edge])]
  }

  private func kind(of road: RoadAttributes) -> Kind {
    Kind(road, key, capMps, signs)
  }

  @inline(__always) private func lengthM(_ edge: Int) -> Double {
    Double(lengthMM.records[edge]) / 1000
  }

  @inline(__always) private func freeFlowS(_ kind: Kind, _ lengthM: Double) -> Double {
    kind.crossingS > 0
      ? kind.crossingS : kind.freeFlowMps > 0 ? lengthM / kind.freeFlowMps : 0
  }

  // Metres count as the time that they take at 50 km/h (15 km/h on foot and by bicycle).
  private func lengthMS(_ lengthM: Double) -> UInt32 {
    Self.ms(lengthM / (key.mode.isMotorised ? 50 : 15) * 3.6)
  }

  // A step of zero length still has a cost, so that no cycle is free. Rounded to nearest, halves
  // up.
  @inline(__always) static func ms(_ seconds: Double) -> UInt32 {
    UInt32(Double.maximum(1, Double.minimum(4e9, seconds * 1000 + 0.5)))
  }
}

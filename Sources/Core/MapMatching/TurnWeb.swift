import Geodesy
import RoadGraph

/// The roads that far searches have come to and the turns between them, decoded once and flat.
///
/// One search after the other walks over the same few thousand states: all candidates of a fix, then those of the next. Bounded, and
/// nothing of it changes an answer.
struct TurnWeb: Sendable {
  /// A state, by what a search asks of it.
  struct Road: BitwiseCopyable {
    var state: TravelState
    /// Where travel begins.
    var latitudeDeg: Double
    var longitudeDeg: Double
    var lengthM: Double
    /// What all of it costs a driver.
    var costM: Double
    /// Its turns; -1 where they are not decoded yet.
    var firstTurn: Int32
    var endTurn: Int32
  }

  /// A way on from the end of a road.
  struct Turn: BitwiseCopyable {
    var nats: Double
    /// What turning costs a driver, what `nats` says left out.
    var costM: Double
    /// Number of the road turned into.
    var road: Int32
  }

  /// Roads kept from search to search at most.
  private let greatestCount: Int
  private(set) var roads: [Road] = []
  private(set) var turns: [Turn] = []
  private(set) var driving = DrivingCost()
  /// Of the roads, by their states.
  private var numbers = KeyNumbers()
  private var tuning: MatcherTuning?

  /// Forgets all when a search begins and more than `greatestCount` roads are known; some 250 bytes each, turns and labels included.
  init(greatestCount: Int = 32_768) { self.greatestCount = greatestCount }

  /// Gets ready for a search; whether what was known is forgotten, since it is too much or was decoded with other numbers.
  mutating func begin(_ tuning: MatcherTuning, _ network: MatchingNetwork) -> Bool {
    let isOther = !(self.tuning.map { tuning.hasWays(of: $0) } ?? false)
    guard isOther || roads.count > greatestCount else { return false }
    if isOther {
      driving.use(tuning, network)
      self.tuning = tuning
    }
    roads.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    numbers.removeAll()
    return true
  }

  /// The number of `state`, which stays the same until `begin` forgets it.
  mutating func number(of state: TravelState, _ network: MatchingNetwork) -> Int {
    let (known, isNew) = numbers.number(of: state.code)
    guard isNew else { return known }
    let place = network.graph.coordinate(network.start(state))
    let lengthM = network.lengthM(state)
    roads.append(
      Road(
        state: state, latitudeDeg: place.latitudeDeg, longitudeDeg: place.longitudeDeg,
        lengthM: lengthM, costM: driving.weight(state, network) * lengthM, firstTurn: -1,
        endTurn: -1))
    return known
  }

  /// The turns at the end of the road of that number, as indices of `turns`.
  @inline(__always) mutating func turns(
    from number: Int, _ tuning: MatcherTuning, _ network: MatchingNetwork
  ) -> Range<Int> {
    if roads[number].firstTurn < 0 { decode(number, tuning, network) }
    return Int(roads[number].firstTurn)..<Int(roads[number].endTurn)
  }

  private mutating func decode(
    _ number: Int, _ tuning: MatcherTuning, _ network: MatchingNetwork
  ) {
    let state = roads[number].state
    let first = turns.count
    network.forEachSuccessor(of: state, tuning: tuning) { next, nats in
      let road = self.number(of: next, network)
      let costM = driving.turnM(from: state, to: next, network, tuning)
      turns.append(Turn(nats: nats, costM: costM, road: Int32(road)))
    }
    roads[number].firstTurn = Int32(first)
    roads[number].endTurn = Int32(turns.count)
  }
}

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
    /// What turning costs a driver, what `nats` says left out; not a number until it is asked for.
    fileprivate var costM = Double.nan
    /// Number of the road turned into.
    var road: Int32
  }

  private let greatestCount: Int
  private(set) var roads: [Road] = []
  private(set) var turns: [Turn] = []
  private(set) var driving = DrivingCost()
  /// Of the roads, by their states.
  private var numbers = KeyNumbers()
  private var tuning: MatcherTuning?

  /// Keeps `greatestCount` roads from search to search at most; some 250 bytes each, turns and labels included.
  init(greatestCount: Int = 32_768) { self.greatestCount = greatestCount }

  /// Gets ready for a search; whether what was known is forgotten, since it is too much or was decoded with other numbers.
  mutating func begin(_ tuning: MatcherTuning, _ network: MatchingNetwork) -> Bool {
    let isOther = use(tuning, network)
    return forgetExcess() || isOther
  }

  /// Gets ready for a map, which stays the same, and for numbers; whether what was known is forgotten, since these are others.
  mutating func use(_ tuning: MatcherTuning, _ network: MatchingNetwork) -> Bool {
    if let known = self.tuning, tuning.hasWays(of: known) { return false }
    driving.use(tuning, network)
    self.tuning = tuning
    forget()
    return true
  }

  /// Forgets all where it is too much; whether it was.
  mutating func forgetExcess() -> Bool {
    guard roads.count > greatestCount else { return false }
    forget()
    return true
  }

  private mutating func forget() {
    roads.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    numbers.removeAll()
  }

  /// The number of `state`, which stays the same until `begin` forgets it.
  mutating func number(of state: TravelState, _ network: MatchingNetwork) -> Int {
    let (known, isNew) = numbers.number(of: state.code)
    guard isNew else { return known }
    if roads.capacity == 0 { reserve() }
    let place = network.graph.coordinate(network.start(state))
    let lengthM = network.lengthM(state)
    roads.append(
      Road(
        state: state, latitudeDeg: place.latitudeDeg, longitudeDeg: place.longitudeDeg,
        lengthM: lengthM, costM: driving.weight(state, network) * lengthM, firstTurn: -1,
        endTurn: -1))
    return known
  }

  /// Keeps address space for all that may come: what is not written costs nothing, and hardly anything is ever moved.
  private mutating func reserve() {
    roads.reserveCapacity(greatestCount)
    turns.reserveCapacity(4 * greatestCount)
  }

  /// The turns at the end of the road of that number, as indices of `turns`.
  @inline(__always) mutating func turns(
    from number: Int, _ network: MatchingNetwork
  ) -> Range<Int> {
    if roads[number].firstTurn < 0 { decode(number, network) }
    return Int(roads[number].firstTurn)..<Int(roads[number].endTurn)
  }

  private mutating func decode(_ number: Int, _ network: MatchingNetwork) {
    guard let tuning else { return }
    let state = roads[number].state
    let first = turns.count
    network.forEachSuccessor(of: state, tuning: tuning) { next, nats in
      let road = self.number(of: next, network)
      turns.append(Turn(nats: nats, road: Int32(road)))
    }
    roads[number].firstTurn = Int32(first)
    roads[number].endTurn = Int32(turns.count)
  }

  /// What the turn of that index costs a driver, which is taken from the road of that number.
  @inline(__always) mutating func costM(
    ofTurn index: Int, from number: Int, _ network: MatchingNetwork
  ) -> Double {
    let known = turns[index].costM
    guard known.isNaN else { return known }
    let next = roads[Int(turns[index].road)].state
    let costM = turnM(from: roads[number].state, to: next, network)
    turns[index].costM = costM
    return costM
  }

  /// What turning from one road into another costs a driver.
  mutating func turnM(
    from: TravelState, to: TravelState, _ network: MatchingNetwork
  ) -> Double {
    driving.turnM(from: from, to: to, network)
  }
}

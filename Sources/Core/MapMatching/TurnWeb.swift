import Geodesy
import RoadGraph

/// The roads that far searches have come to and the turns between them, decoded once and flat.
///
/// One search after the other walks over the same few thousand states: all candidates of a fix, then those of the next. Bounded, and
/// nothing of it changes an answer.
struct TurnWeb: ~Copyable {
  /// A state, by what a search asks of it.
  struct Road: BitwiseCopyable {
    var state: TravelState
    /// Where travel begins, in ten millionths of a degree.
    var latitudeE7: Int32
    var longitudeE7: Int32
    var lengthM: Double
    /// What all of it costs a driver.
    var costM: Double
    /// The headings of travel where it begins and where it ends; not a number until they are asked for.
    fileprivate var startDeg = Float.nan
    fileprivate var endDeg = Float.nan
    /// Its turns; -1 where they are not decoded yet.
    var firstTurn: Int32 = -1
    var endTurn: Int32 = -1
  }

  /// A way on from the end of a road.
  struct Turn: BitwiseCopyable {
    var nats: Double
    /// What turning costs a driver, what `nats` says left out; not a number until it is asked for.
    fileprivate var costM = Float.nan
    /// Number of the road turned into.
    var road: Int32
  }

  private let greatestCount: Int
  private(set) var roads = Arena<Road>()
  private(set) var turns = Arena<Turn>()
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
    roads.removeAll()
    turns.removeAll()
    numbers.removeAll()
  }

  /// The number of `state`, which stays the same until `begin` forgets it.
  mutating func number(of state: TravelState, _ network: MatchingNetwork) -> Int {
    let (known, isNew) = numbers.number(of: state.code)
    guard isNew else { return known }
    reserve()
    let (start, columns) = (network.start(state).index, network.graph.columns)
    let lengthM = network.lengthM(state)
    roads.append(
      Road(
        state: state, latitudeE7: columns.nodeLatitude[start],
        longitudeE7: columns.nodeLongitude[start], lengthM: lengthM,
        costM: driving.weight(state, network) * lengthM))
    return known
  }

  private mutating func reserve() {
    // Beyond the greatest count goes what one search comes to.
    guard roads.capacity < 2 * greatestCount else { return }
    roads.reserve(2 * greatestCount)
    turns.reserve(8 * greatestCount)
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
    guard known.isNaN else { return Double(known) }
    let next = Int(turns[index].road)
    if roads[number].endDeg.isNaN { roads[number].endDeg = network.endDeg(roads[number].state) }
    if roads[next].startDeg.isNaN { roads[next].startDeg = network.startDeg(roads[next].state) }
    let costM = Float(driving.turnM(fromDeg: roads[number].endDeg, toDeg: roads[next].startDeg))
    turns[index].costM = costM
    return Double(costM)
  }
}

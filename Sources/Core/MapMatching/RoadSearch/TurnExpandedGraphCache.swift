import Geodesy
import RoadGraph

/// Cache of the edge-based graph: the roads that wide searches have reached and the turns between
/// them, decoded once.
///
/// Successive searches visit the same few thousand states: all candidates of a fix, then those of
/// the next. The cache is bounded, and its content never changes an answer.
struct TurnExpandedGraphCache: ~Copyable {
  /// A state with the data that a search needs.
  struct Road: BitwiseCopyable {
    var state: TravelState
    /// Start of travel in units of 1e-7 degrees.
    var latitudeE7: Int32
    var longitudeE7: Int32
    var lengthM: Double
    /// Driving cost of the whole road.
    var costM: Double
    /// Headings at the start and at the end of travel; NaN until they are needed.
    fileprivate var startDeg = Float.nan
    fileprivate var endDeg = Float.nan
    /// The range of its turns; -1 until they are decoded.
    var firstTurn: Int32 = -1
    var endTurn: Int32 = -1
  }

  /// A turn at the end of a road.
  struct Turn: BitwiseCopyable {
    var nats: Double
    /// Driving cost of the turn, without `nats`; NaN until it is needed.
    fileprivate var costM = Float.nan
    /// Number of the road turned into.
    var road: Int32
  }

  private let greatestCount: Int
  private(set) var roads = Arena<Road>()
  private(set) var turns = Arena<Turn>()
  private(set) var driving = DrivingCost()
  /// Road numbers by state.
  private var numbers = KeyIndexTable()
  private var tuning: MatcherTuning?

  /// At most `greatestCount` roads are kept between searches; a road takes about 250 bytes, turns
  /// and labels included.
  init(greatestCount: Int = 32_768) { self.greatestCount = greatestCount }

  /// Prepares a search; returns whether the cache was emptied because it was too large or built
  /// with other parameters.
  mutating func prepare(_ tuning: MatcherTuning, _ network: MatchingNetwork) -> Bool {
    let isOther = use(tuning, network)
    return forgetExcess() || isOther
  }

  /// Sets the parameters for a network, which never changes; returns whether the cache was emptied
  /// because they differ.
  mutating func use(_ tuning: MatcherTuning, _ network: MatchingNetwork) -> Bool {
    if let known = self.tuning, tuning.hasPathParameters(of: known) { return false }
    driving.use(tuning, network)
    self.tuning = tuning
    forget()
    return true
  }

  /// Empties the cache if it is too large; returns whether it was.
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

  /// Returns the number of `state`, which stays the same until `begin` empties the cache.
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
    // A single search may exceed the maximum count by the states that it reaches.
    guard roads.capacity < 2 * greatestCount else { return }
    roads.reserve(2 * greatestCount)
    turns.reserve(8 * greatestCount)
  }

  /// Returns the turns at the end of the road with this number, as indices of `turns`.
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

  /// Returns the driving cost of a turn from the road with the given number.
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

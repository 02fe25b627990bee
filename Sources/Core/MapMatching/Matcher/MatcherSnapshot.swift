import Foundations
import Geodesy
import Positioning
import RoadGraph

/// A snapshot of a matcher's state as a sequence of plain values: cheap to write and exact.
///
/// Edges are identified by their index in the map, so that a snapshot is valid only with the same
/// map.
public struct MatcherSnapshot: Hashable, Sendable {
  /// Version of the content and its order; snapshots of other versions cannot be read.
  static let version: Int64 = 13

  public var integers: [Int64]
  public var numbers: [Double]
  public var texts: [String]
  private var integer = 0
  private var number = 0
  private var text = 0

  public init(integers: [Int64] = [], numbers: [Double] = [], texts: [String] = []) {
    self.integers = integers
    self.numbers = numbers
    self.texts = texts
  }

  /// The snapshot ends too early, or its content is invalid.
  public struct Damaged: Error, Hashable, Sendable {}

  // MARK: Plain values

  mutating func write(_ value: Int) { integers.append(Int64(value)) }
  mutating func write(_ value: Bool) { integers.append(value ? 1 : 0) }
  mutating func write(_ value: Double) { numbers.append(value) }
  mutating func write<Value>(
    _ value: Value?, _ body: (inout MatcherSnapshot, Value) -> Void
  ) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  mutating func write<Value>(
    _ values: [Value], _ body: (inout MatcherSnapshot, Value) -> Void
  ) {
    write(values.count)
    for value in values { body(&self, value) }
  }

  mutating func readInt() throws(Damaged) -> Int {
    guard integer < integers.count, let value = Int(exactly: integers[integer]) else {
      throw Damaged()
    }
    integer += 1
    return value
  }

  mutating func readBool() throws(Damaged) -> Bool { try readInt() == 1 }

  mutating func readDouble() throws(Damaged) -> Double {
    guard number < numbers.count else { throw Damaged() }
    number += 1
    return numbers[number - 1]
  }

  /// Reads a count that is no larger than the number of remaining values.
  mutating func readCount() throws(Damaged) -> Int {
    let count = try readInt()
    guard count >= 0, count <= integers.count - integer + numbers.count - number else {
      throw Damaged()
    }
    return count
  }

  mutating func readOptional<Value>(
    _ body: (inout MatcherSnapshot) throws(Damaged) -> Value
  ) throws(Damaged) -> Value? {
    try readBool() ? try body(&self) : nil
  }

  mutating func readList<Value>(
    _ body: (inout MatcherSnapshot) throws(Damaged) -> Value
  ) throws(Damaged) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try readCount()) { values.append(try body(&self)) }
    return values
  }

  // MARK: Values of matching

  mutating func write(_ instant: Instant) { integers.append(instant.nanoseconds) }

  mutating func readInstant() throws(Damaged) -> Instant {
    Instant(nanoseconds: Int64(try readInt()))
  }

  mutating func write(_ place: Coordinate) { numbers += [place.latitudeDeg, place.longitudeDeg] }

  mutating func readPlace() throws(Damaged) -> Coordinate {
    Coordinate(latitudeDeg: try readDouble(), longitudeDeg: try readDouble())
  }

  mutating func write(_ state: TravelState) {
    write(state.edge.index)
    write(state.isAgainst)
  }

  mutating func readState() throws(Damaged) -> TravelState {
    let index = try readInt()
    guard (0..<RoadGraph.edgeLimit).contains(index) else { throw Damaged() }
    return TravelState(EdgeID(index), isAgainst: try readBool())
  }

  mutating func write(_ fix: Fix) {
    write(fix.place)
    write(fix.time) { $0.write($1) }
    for value in [
      fix.bearingDeg, fix.speedMps, fix.accuracyM, fix.bearingAccuracyDeg, fix.speedAccuracyMps,
      fix.altitudeM,
    ] { write(value) { $0.write($1) } }
    write(fix.source) { $0.texts.append($1) }
    write(fix.priority)
  }

  mutating func readFix() throws(Damaged) -> Fix {
    var fix = Fix(place: try readPlace())
    fix.time = try readOptional { (snapshot) throws(Damaged) in try snapshot.readInstant() }
    fix.bearingDeg = try readOptional { (snapshot) throws(Damaged) in try snapshot.readDouble() }
    fix.speedMps = try readOptional { (snapshot) throws(Damaged) in try snapshot.readDouble() }
    fix.accuracyM = try readOptional { (snapshot) throws(Damaged) in try snapshot.readDouble() }
    fix.bearingAccuracyDeg = try readOptional { (snapshot) throws(Damaged) in
      try snapshot.readDouble()
    }
    fix.speedAccuracyMps = try readOptional { (snapshot) throws(Damaged) in
      try snapshot.readDouble()
    }
    fix.altitudeM = try readOptional { (snapshot) throws(Damaged) in try snapshot.readDouble() }
    fix.source = try readOptional { (snapshot) throws(Damaged) in
      guard snapshot.text < snapshot.texts.count else { throw Damaged() }
      snapshot.text += 1
      return snapshot.texts[snapshot.text - 1]
    }
    fix.priority = try readInt()
    return fix
  }

  mutating func write(_ match: Match) {
    write(match.fix)
    write(match.offRoadProbability) { $0.write($1) }
    write(match.offRouteProbability) { $0.write($1) }
    write(match.isTeleport)
    write(match.candidateCount)
    switch match.outcome {
    case .noMatch(let reason):
      write(NoMatchReason.allCases.firstIndex(of: reason) ?? 0)
    case .matched(let place):
      write(-1)
      write(place)
    }
  }

  mutating func readMatch() throws(Damaged) -> Match {
    let fix = try readFix()
    let offRoad = try readOptional { (snapshot) throws(Damaged) in try snapshot.readDouble() }
    let offRoute = try readOptional { (snapshot) throws(Damaged) in try snapshot.readDouble() }
    let isTeleport = try readBool()
    let count = try readInt()
    let reason = try readInt()
    guard reason >= -1, reason < NoMatchReason.allCases.count else { throw Damaged() }
    let outcome: Match.Outcome =
      reason < 0 ? .matched(try readMatchedPlace()) : .noMatch(NoMatchReason.allCases[reason])
    return Match(
      outcome: outcome, fix: fix, offRoadProbability: offRoad, offRouteProbability: offRoute,
      isTeleport: isTeleport, candidateCount: count)
  }

  /// Serial numbers of fixes stay far below this limit; larger ones could overflow in sums.
  static let serials = 0..<(1 << 40)

  private mutating func write(_ place: MatchedPlace) {
    write(place.coordinate)
    write(place.bearingDeg)
    write(place.position.edge.index)
    write(place.position.offsetM)
    write(place.state)
    integers += [place.segment.way, place.segment.from, place.segment.to]
    write(place.offsetM)
    write(place.path) { $0.write($1) }
    numbers += [place.probability, place.distanceM, place.uncertaintyM]
    write(place.isInTunnel)
    write(place.zLevel)
  }

  private mutating func readMatchedPlace() throws(Damaged) -> MatchedPlace {
    let coordinate = try readPlace()
    let bearingDeg = try readDouble()
    let position = RoadPosition(edge: EdgeID(try readInt()), offsetM: try readDouble())
    let state = try readState()
    let segment = SegmentReference(
      way: Int64(try readInt()), from: Int64(try readInt()), to: Int64(try readInt()))
    let offsetM = try readDouble()
    let path = try readList { (snapshot) throws(Damaged) in try snapshot.readState() }
    let (probability, distanceM, uncertaintyM) =
      (try readDouble(), try readDouble(), try readDouble())
    let isInTunnel = try readBool()
    return MatchedPlace(
      coordinate: coordinate, bearingDeg: bearingDeg, position: position, state: state,
      segment: segment, offsetM: offsetM, path: path, probability: probability,
      distanceM: distanceM, isInTunnel: isInTunnel, zLevel: try readInt(),
      uncertaintyM: uncertaintyM)
  }
}

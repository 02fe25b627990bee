/// Why columns are not a road graph: the column, and the first record that is inconsistent.
public enum GraphFault: Error, Hashable, Sendable, CustomStringConvertible {
  case wrongCount(column: String, expected: Int, found: Int)
  case outOfRange(column: String, record: Int, value: UInt64, limit: UInt64)
  case notAscending(column: String, record: Int)
  case repeated(column: String, record: Int)

  public var description: String {
    switch self {
    case .wrongCount(let column, let expected, let found):
      "column \(column) has \(found) records instead of \(expected)"
    case .outOfRange(let column, let record, let value, let limit):
      "column \(column), record \(record): \(value) is not below \(limit)"
    case .repeated(let column, let record):
      "column \(column), record \(record): is a duplicate"
    case .notAscending(let column, let record):
      "column \(column), record \(record): is less than the previous record"
    }
  }
}

extension RoadColumns {
  /// Checks every count and index, so that no later access can leave its column.
  ///
  /// Linear.
  func validate() throws(GraphFault) {
    let n = nodeLatitude.count
    let m = head.count
    let g = pieceEdge.count
    try Self.checkEdgeCount(m)
    try count("node.lon", nodeLongitude.count, n)
    try count("node.osm", nodeOSM.count, n)
    try count("node.flags", nodeFlags.count, n)
    try ascending("node.first_out", firstOut, count: n + 1, end: m)
    try ascending("node.first_in", firstIn, count: n + 1, end: inEdge.count)
    try count("node.in_edge", inEdge.count, m)
    try below("node.in_edge", inEdge, m) { $0.rawValue }
    for (name, found) in [
      ("edge.tail", tail.count), ("edge.twin", twin.count), ("edge.length_mm", lengthMM.count),
      ("edge.attributes", attributeIndex.count), ("edge.piece", piece.count),
    ] { try count(name, found, m) }
    try below("edge.tail", tail, n) { $0.rawValue }
    try below("edge.head", head, n) { $0.rawValue }
    try below("edge.twin", twin, m, orNone: true) { $0.rawValue }
    try below("edge.attributes", attributeIndex, attributes.count) { $0 }
    try below("edge.piece", piece, g) { $0 >> 1 }
    try below("piece.edge", pieceEdge, m) { $0.rawValue }
    try count("piece.way", pieceWay.count, g)
    try below("piece.way", pieceWay, wayID.count) { $0 }
    for k in 0..<max(0, wayID.count - 1) where wayID.records[k] >= wayID.records[k + 1] {
      throw .notAscending(column: "way.id", record: k + 1)
    }
    for node in 0..<n where !Globe.holds(nodeLatitude.records[node], nodeLongitude.records[node]) {
      throw .outOfRange(column: "node.lat", record: node, value: UInt64(node), limit: UInt64(n))
    }
    try validatePoints()
    try validatePointIDs()
    try validateTexts()
    try ascending(
      "ban.first", firstRestriction, count: restrictionModes.count + 1, end: restrictionEdge.count)
    try below("ban.edge", restrictionEdge, m) { $0.rawValue }
    try validateLengths("ban.first", firstRestriction)
    try validateTimedRestrictions()
    try validateBarriers()
    try SpatialIndex.validate(self)
  }

  /// Checks that turn restrictions have at least two edges, and not so many that searching for them
  /// would be slow.
  private func validateLengths(_ name: String, _ first: Column<UInt32>) throws(GraphFault) {
    for k in 0..<max(0, first.count - 1) {
      let length = first[k + 1] - first[k]
      guard length >= 2 else { throw .notAscending(column: name, record: k + 1) }
      guard length <= Self.mostRestrictionEdges else {
        throw .outOfRange(
          column: name, record: k, value: UInt64(length),
          limit: UInt64(Self.mostRestrictionEdges) + 1)
      }
    }
  }

  private func validateTimedRestrictions() throws(GraphFault) {
    let count = timedRestrictionModes.count
    try ascending(
      "timed_ban.first", firstTimedRestriction, count: count + 1, end: timedRestrictionEdge.count)
    try below("timed_ban.edge", timedRestrictionEdge, head.count) { $0.rawValue }
    try validateLengths("timed_ban.first", firstTimedRestriction)
    try self.count("timed_ban.when", timedRestrictionWhen.count, count)
    try below("timed_ban.when", timedRestrictionWhen, firstText.count - 1) { $0.rawValue }
  }

  private func validateBarriers() throws(GraphFault) {
    try count("barrier.attributes", barrierAttribute.count, barrierNode.count)
    try below("barrier.node", barrierNode, nodeLatitude.count) { $0.rawValue }
    try below("barrier.attributes", barrierAttribute, attributes.count) { $0 }
    for k in 0..<max(0, barrierNode.count - 1)
    where barrierNode.records[k] >= barrierNode.records[k + 1] {
      throw .notAscending(column: "barrier.node", record: k + 1)
    }
  }

  private func validateTexts() throws(GraphFault) {
    let t = firstText.count - 1
    try ascending("text.first", firstText, count: max(2, firstText.count), end: textByte.count)
    let p = placeLatitude.count
    try count("place.lon", placeLongitude.count, p)
    try count("place.name", placeName.count, p)
    try count("place.kind", placeKind.count, p)
    try below("place.name", placeName, t) { $0.rawValue }
    try below("place.kind", placeKind, t) { $0.rawValue }
    let j = junctionNode.count
    try count("junction.number", junctionNumber.count, j)
    try count("junction.name", junctionName.count, j)
    try below("junction.node", junctionNode, nodeLatitude.count) { $0.rawValue }
    try below("junction.number", junctionNumber, t) { $0.rawValue }
    try below("junction.name", junctionName, t) { $0.rawValue }
    try below("attributes", attributes, t) {
      [
        $0.name, $0.number, $0.destination, $0.destinationNumber, $0.exitNumber, $0.turnLanes,
        $0.namesByLanguage, $0.stateName, $0.rules, $0.laneDetails, $0.destinationSymbol,
        $0.numberRoutes,
      ].map(\.rawValue).max() ?? 0
    }
  }

  private func count(_ column: String, _ found: Int, _ expected: Int) throws(GraphFault) {
    guard found == expected else {
      throw .wrongCount(column: column, expected: expected, found: found)
    }
  }

  private func below<E>(
    _ name: String, _ column: Column<E>, _ limit: Int, orNone: Bool = false, _ value: (E) -> UInt32
  ) throws(GraphFault) {
    for i in 0..<column.count {
      let v = value(column.records[i])
      guard UInt64(v) < UInt64(limit) || (orNone && v == .max) else {
        throw .outOfRange(column: name, record: i, value: UInt64(v), limit: UInt64(limit))
      }
    }
  }

  private func ascending(
    _ name: String, _ column: Column<UInt32>, count expected: Int, end: Int
  ) throws(GraphFault) {
    try count(name, column.count, expected)
    var last: UInt32 = 0
    for i in 0..<column.count {
      let v = column.records[i]
      guard v >= last else { throw .notAscending(column: name, record: i) }
      guard UInt64(v) <= UInt64(end) else {
        throw .outOfRange(column: name, record: i, value: UInt64(v), limit: UInt64(end) + 1)
      }
      last = v
    }
    guard Int(last) == end, column.records.first == 0 else {
      throw .wrongCount(column: name, expected: end, found: Int(last))
    }
  }
}

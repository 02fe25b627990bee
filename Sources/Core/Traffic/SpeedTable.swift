public import RoadGraph

/// Speeds by pairs of OSM nodes, in the format of `osrm-customize --segment-speed-file`.
///
/// Lines contain `from,to,km/h` and any text after a further comma; empty lines and `#` are
/// skipped. Of several rows for one pair the last counts.
public struct SpeedTable: Hashable, Sendable {
  public struct Row: Hashable, Sendable {
    public var from: Int64
    public var to: Int64
    public var speedKmh: Double
    /// Line of the file, from 1.
    public var line: Int
  }

  public private(set) var rows: [Row] = []

  /// The rows of `text`.
  ///
  /// - Throws: `SpeedTableFault` for the first invalid line.
  public init(csv text: String) throws(SpeedTableFault) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { field in
        String(field.filter { $0 != " " && $0 != "\r" && $0 != "\t" })
      }
      if fields.count == 1, fields[0].isEmpty { continue }
      if line.first == "#" { continue }
      guard fields.count >= 3, let from = Int64(fields[0]), let to = Int64(fields[1]),
        let speed = Double(fields[2]), speed >= 0, speed < 500
      else { throw SpeedTableFault(line: number + 1, text: String(line)) }
      rows.append(Row(from: from, to: to, speedKmh: speed, line: number + 1))
    }
  }

  private struct Pair: Hashable {
    var from: Int64
    var to: Int64
  }

  /// Reports for the pieces of road between the nodes of each row, and the rows that match nothing
  /// on the map.
  ///
  /// A row contains two consecutive nodes on a road, as in OSRM, or the ends of a whole edge. It
  /// applies only to that piece and direction, on each way that has it. Linear in the nodes of the
  /// map.
  public func reports(on graph: RoadGraph) -> (reports: [FlowReport], unused: [Row]) {
    var places: [Pair: Int] = [:]
    for (place, row) in rows.enumerated() { places[Pair(from: row.from, to: row.to)] = place }
    var isUsed = [Bool](repeating: false, count: rows.count)
    var reports: [FlowReport] = []
    func report(_ way: Int64, _ from: Int64, _ to: Int64) {
      guard let place = places[Pair(from: from, to: to)] else { return }
      isUsed[place] = true
      reports.append(
        FlowReport(
          segment: SegmentReference(way: way, from: from, to: to),
          state: TrafficState(measuredSpeedMps: rows[place].speedKmh / 3.6)))
    }
    for piece in 0..<graph.pieceCount {
      let edge = graph.columns.pieceEdge[piece]
      let whole = graph.reference(edge)
      let nodes = [whole.from] + graph.columns.pointIDs(ofPiece: piece) + [whole.to]
      let hasTwin = graph.twin(edge) != nil
      // The whole edge first, since pieces override it.
      if nodes.count > 2 {
        report(whole.way, whole.from, whole.to)
        if hasTwin { report(whole.way, whole.to, whole.from) }
      }
      for (from, to) in zip(nodes, nodes.dropFirst()) where from != 0 && to != 0 {
        report(whole.way, from, to)
        if hasTwin { report(whole.way, to, from) }
      }
    }
    // A row that is replaced by a later one for its pair counts as used if that one is.
    for (place, row) in rows.enumerated() where !isUsed[place] {
      if let last = places[Pair(from: row.from, to: row.to)] { isUsed[place] = isUsed[last] }
    }
    return (reports, rows.indices.filter { !isUsed[$0] }.map { rows[$0] })
  }

  /// A sentence about unused rows with the first of them; nil if there are none.
  public static func sentence(unused rows: [Row]) -> String? {
    guard !rows.isEmpty else { return nil }
    let first = rows.prefix(3).map { "line \($0.line): \($0.from),\($0.to)" }
    return
      "\(rows.count) rows refer to segments that are not in the map: \(first.joined(separator: "; "))"
      + (rows.count > first.count ? " …" : "")
  }
}

/// An invalid line of a speed table.
public struct SpeedTableFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public var line: Int
  public var text: String

  public init(line: Int, text: String) {
    self.line = line
    self.text = text
  }

  public var description: String {
    "line \(line): \"\(text)\" is not from-node,to-node,km/h"
  }
}

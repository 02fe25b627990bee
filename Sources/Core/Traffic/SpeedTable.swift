public import RoadGraph

/// Speeds by pairs of OSM nodes, as `osrm-customize --segment-speed-file` reads them.
///
/// Lines `from,to,km/h` and anything behind a further comma; empty lines and `#` are skipped.
public struct SpeedTable: Hashable, Sendable {
  public struct Row: Hashable, Sendable {
    public var from: Int64
    public var to: Int64
    public var speedKmh: Double
  }

  public private(set) var rows: [Row] = []

  /// The rows of `text`.
  ///
  /// - Throws: `SpeedTableFault` for the first line that is none.
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
      rows.append(Row(from: from, to: to, speedKmh: speed))
    }
  }

  /// Reports for the edges whose ends are a row's nodes; how many rows name no edge of the graph.
  ///
  /// The graph keeps no nodes between junctions, so rows for pieces of an edge find none.
  public func reports(on graph: RoadGraph) -> (reports: [FlowReport], unknown: Int) {
    struct Ends: Hashable {
      var from: Int64
      var to: Int64
    }
    var speeds: [Ends: Double] = [:]
    for row in rows { speeds[Ends(from: row.from, to: row.to)] = row.speedKmh }
    var found: Set<Ends> = []
    var reports: [FlowReport] = []
    for index in 0..<graph.edgeCount {
      let reference = graph.reference(EdgeID(index))
      let ends = Ends(from: reference.from, to: reference.to)
      guard let speed = speeds[ends] else { continue }
      found.insert(ends)
      reports.append(
        FlowReport(segment: reference, state: TrafficState(measuredSpeedMps: speed / 3.6)))
    }
    return (reports, speeds.count - found.count)
  }
}

/// A line of a speed table that is none.
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

import DrawnMaps
import Foundations
import Geodesy
import Positioning
import Testing

@Suite struct DrawnTraceTests {
  private static func map(line lineM: Double? = nil) throws -> DrawnMap {
    try DrawnMap(
      """
      a------1---------b
                       |
                       c
      """, ways: ["abc": ""], cell: 10, line: lineM)
  }

  /// Metres east and south of the first character.
  private func places(_ trace: DrawnTrace, on map: DrawnMap) -> [[Int]] {
    trace.fixes.map { fix in
      let point = map.grid.plane.point(fix.place)
      return [Int(point.eastM.rounded()), Int(-point.northM.rounded())]
    }
  }

  @Test func `each number of a picture is a fix, the tenth and those that cover a letter as well`()
    throws
  {
    let map = try Self.map(line: 25)
    let trace = try DrawnTrace(
      """
      a-1-2-3-4-5-6-7-8-
                       9
                      10
      """, on: map, everyS: 5, accuracyM: 8)
    #expect(
      places(trace, on: map) == (0..<8).map { [20 + 20 * $0, 0] } + [[170, 25], [160, 50]])
    #expect(
      trace.fixes.compactMap { $0.time?.seconds(since: DrawnTrace.start) }
        == (0..<10).map { 5 * Double($0) })
    #expect(trace.fixes.allSatisfy { $0.accuracyM == 8 })
    #expect(trace.fixes.allSatisfy { $0.speedMps == nil && $0.bearingDeg == nil })
  }

  @Test func `fixes at given times report the speed and bearing to the next one`() throws {
    let map = try Self.map()
    var trace = try DrawnTrace(
      """
      a-1--------2-----b
                       3
                       c
      """, on: map, atS: [0, 10, 13], hasMotion: true)
    #expect(trace.fixes.map { ($0.speedMps ?? 0).rounded() } == [9, 20, 20])
    #expect(trace.fixes.map { ($0.bearingDeg ?? 0).rounded() } == [90, 99, 99])
    trace.stop(at: try map.coordinate("b"), seconds: 2)
    #expect(trace.fixes.suffix(2).allSatisfy { $0.speedMps == 0 && $0.bearingDeg == nil })
    #expect(trace.fixes.last?.time == DrawnTrace.start.advanced(bySeconds: 15))
    #expect(trace.fixes.last?.accuracyM == nil)
  }

  @Test func `a drive along points keeps its speed and its side of the road`() throws {
    let map = try Self.map()
    var trace = DrawnTrace(on: map, hasMotion: true)
    try trace.drive("1bc", speedMps: 5, everyS: 4, leftM: 4)
    // Corners stay corners: the line is 4 m longer on both legs of a right turn.
    #expect(
      places(trace, on: map)
        == [[70, -4], [90, -4], [110, -4], [130, -4], [150, -4], [170, -4], [174, 12]])
    #expect(trace.fixes.map { ($0.bearingDeg ?? 0).rounded() } == [90, 90, 90, 90, 90, 90, 180])
    #expect(trace.fixes.allSatisfy { $0.speedMps == 5 })
    try trace.drive("ba", speedMps: 50, leftM: -3)
    #expect(places(trace, on: map).suffix(4) == [[170, -3], [120, -3], [70, -3], [20, -3]])
    #expect(trace.fixes[7].time == DrawnTrace.start.advanced(bySeconds: 28))
  }

  @Test func `a drive that turns back changes to the other side`() throws {
    let map = try Self.map()
    var trace = DrawnTrace(on: map)
    try trace.drive("a1a", speedMps: 35, leftM: -2)
    #expect(places(trace, on: map) == [[0, 2], [35, 2], [70, 2], [39, -2], [4, -2]])
  }

  @Test(arguments: [
    ("a-1---1-----------\n                 |\n                 c", TraceDrawingFault.repeated(1)),
    ("a-1---3----------b\n                 |\n                 c", .missing(2)),
    ("a-0---1----------b\n                 |\n                 c", .zero),
    ("a----------------b\n                 |\n                 c", .noFix),
    (
      "a-1-2------------b\n                 c",
      .size(lines: 2, columns: 18, mapLines: 3, mapColumns: 18)
    ),
    ("1-2\n\n  3", .size(lines: 3, columns: 3, mapLines: 3, mapColumns: 18)),
    ("-a1-2------------b\n                 |\n                 c", .displaced("a")),
  ])
  func `a picture that does not fit the map is refused`(drawing: String, fault: TraceDrawingFault)
    throws
  {
    let map = try Self.map()
    #expect(throws: fault) { try DrawnTrace(drawing, on: map) }
    #expect(!fault.description.isEmpty)
  }

  @Test func `times, lines and letters without a meaning are refused`() throws {
    let map = try Self.map()
    let drawing = "a-1-2------------b\n                 |\n                 c"
    #expect(throws: TraceDrawingFault.times(3, fixes: 2)) {
      try DrawnTrace(drawing, on: map, atS: [0, 1, 2])
    }
    var trace = DrawnTrace(on: map)
    #expect(throws: TraceDrawingFault.noLine("a")) { try trace.drive("a", speedMps: 1) }
    #expect(throws: TraceDrawingFault.noLine("bb")) { try trace.drive("bb", speedMps: 1) }
    #expect(throws: TraceDrawingFault.noLine("ab")) { try trace.drive("ab", speedMps: 0) }
    #expect(throws: TraceDrawingFault.noLine("ab")) {
      try trace.drive("ab", speedMps: 1, everyS: 0)
    }
    #expect(throws: (any Error).self) { try trace.drive("az", speedMps: 1) }
    #expect(trace.fixes.isEmpty)
  }
}

public import Foundations
import Geodesy

/// Reads traces from comma-separated text.
///
/// A header line names the columns in any order and in upper or lower case. A time, a latitude and
/// a longitude are required. Speed, bearing, accuracy, altitude and trip are optional; a remark
/// lists all other columns. Cells are separated by commas, semicolons, tabs or vertical bars, and
/// may be quoted (RFC 4180). Times are ISO 8601, seconds from any start, or seconds, milliseconds,
/// microseconds or nanoseconds since 1970. The size of a number determines its unit. Empty cells
/// are absent values.
public enum CSVTrace {
  /// Returns the trips of `bytes` in the order of their first lines, in linear time.
  ///
  /// `start` is the origin of times that are seconds from any start.
  public static func parse(
    _ bytes: [UInt8], start: Instant = Instant(seconds: 1_767_254_400)
  ) throws(TraceFault) -> [Trace] {
    try read(bytes, start: start).traces
  }

  /// Returns the trips of `bytes`, and remarks about what was left out.
  ///
  /// A line without a position and a value that cannot be read are left out and counted.
  ///
  /// - Throws: `TraceFault` if the header lacks a required column, or where the file has no fix.
  public static func read(
    _ bytes: [UInt8], start: Instant = Instant(seconds: 1_767_254_400)
  ) throws(TraceFault) -> TraceRecording {
    var (columns, lines) = try CSVColumns.find(in: bytes)
    var reading = CSVTraceBuilder(columns: columns, start: start)
    reading.remarks = columns.remarks
    while let line = lines.next() {
      if line.isBlank || line.isComment { continue }
      reading.read(line)
    }
    return try reading.recording(lines.number)
  }
}

/// Collects the fixes of the lines that were read.
struct CSVTraceBuilder {
  let columns: CSVColumns
  let start: Instant
  var remarks = TraceRemarks()
  private var traces: [Trace] = []
  private var indexByName: [String: Int] = [:]
  private var hasTimes = false
  /// The fault of the first line that was left out.
  private var firstFault: TraceFault?
  private var firstTimeFault: TraceFault?

  init(columns: CSVColumns, start: Instant) {
    self.columns = columns
    self.start = start
  }

  mutating func read(_ line: CSVLine) {
    var fix: Fix
    do throws(TraceFault) {
      let latitude = try needed(line, columns.lat, "latitude")
      let longitude = try needed(line, columns.lon, "longitude")
      fix = Fix(place: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude))
    } catch {
      firstFault = firstFault ?? error
      remarks.count("lines without readable coordinates are left out") { "\(error)" }
      return
    }
    fix.time = time(line)
    hasTimes = hasTimes || fix.time != nil
    fix.speedMps = value(line, columns.speed, "speed")
    fix.bearingDeg = value(line, columns.bearing, "bearing")
    fix.accuracyM = value(line, columns.accuracy, "accuracy")
    fix.altitudeM = value(line, columns.altitude, "altitude")
    let name = columns.trip.flatMap { $0 < line.cells.count ? line.cells[$0].text : nil } ?? ""
    let index = indexByName[name] ?? traces.count
    if index == traces.count {
      indexByName[name] = index
      traces.append(Trace(name: name, fixes: []))
    }
    traces[index].fixes.append(fix)
  }

  /// Returns the recording of all lines.
  ///
  /// - Throws: The first fault, where no line is a fix or no fix has a time.
  func recording(_ lines: Int) throws(TraceFault) -> TraceRecording {
    guard !traces.isEmpty else {
      throw firstFault
        ?? TraceFault(line: lines, column: 1, problem: "there is no fix after the header line")
    }
    if !hasTimes, let firstTimeFault { throw firstTimeFault }
    return TraceRecording(traces: traces, remarks: remarks)
  }

  private mutating func time(_ line: CSVLine) -> Instant? {
    guard columns.time.index < line.cells.count else { return nil }
    let cell = line.cells[columns.time.index]
    if cell.text.isEmpty { return nil }
    if let time = TraceValue.time(cell.text, unit: columns.time.unit, start: start) { return time }
    if let day = columns.day, day < line.cells.count,
      let time = TraceValue.time("\(line.cells[day].text) \(cell.text)", start: start)
    {
      return time
    }
    let fault = TraceFault(
      line: line.number, column: cell.column,
      problem: "\"\(cell.text.prefix(40))\" is not a time; expected ISO 8601 or seconds")
    firstTimeFault = firstTimeFault ?? fault
    remarks.count("unreadable times are left out") { "\(fault)" }
    return nil
  }

  private func needed(
    _ line: CSVLine, _ column: CSVColumn, _ what: String
  ) throws(TraceFault) -> Double {
    guard column.index < line.cells.count else {
      let last = line.cells.last
      throw TraceFault(
        line: line.number, column: (last?.column ?? 1) + (last?.text.utf8.count ?? 0),
        problem: "the line ends after \(line.cells.count) cells")
    }
    let cell = line.cells[column.index]
    func fault(_ problem: String) -> TraceFault {
      TraceFault(line: line.number, column: cell.column, problem: problem)
    }
    if cell.text.isEmpty { throw fault("the \(what) is missing") }
    guard let value = TraceValue.number(cell.text) else {
      throw fault("the \(what) \"\(cell.text.prefix(40))\" is not a number")
    }
    return value * column.factor
  }

  private mutating func value(_ line: CSVLine, _ column: CSVColumn?, _ what: String) -> Double? {
    guard let column, column.index < line.cells.count else { return nil }
    let cell = line.cells[column.index]
    if cell.text.isEmpty { return nil }
    if let value = TraceValue.number(cell.text) { return value * column.factor }
    remarks.count("values of the \(what) that are not numbers are left out") {
      "line \(line.number), column \(cell.column): \"\(cell.text.prefix(40))\""
    }
    return nil
  }
}

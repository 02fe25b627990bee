public import EventTime
import Geodesy

/// Reads traces from comma-separated text.
///
/// The first line names the columns in any order: `time`, `lat` and `lon` are needed; `speed_mps`,
/// `bearing_deg`, `accuracy_m`, `altitude_m` and `trip` may follow, others are passed over. Times
/// are ISO 8601, seconds since 1970, or seconds from any start. Empty cells are absent values.
public enum CSVTrace {
  /// Seconds below this (1973) count from the trace's start and not from 1970.
  static let firstEpochS = 1e8

  /// The trips of `bytes` in the order of their first lines; linear.
  ///
  /// `start` is the moment that seconds from any start are counted from.
  public static func parse(
    _ bytes: [UInt8], start: Instant = Instant(seconds: 1_767_254_400)
  ) throws(TraceFault) -> [Trace] {
    var lines = Lines(bytes)
    guard let header = lines.next(), !header.cells.isEmpty else {
      throw TraceFault(line: 1, column: 1, problem: "the file is empty; it needs a header line")
    }
    let columns = try Columns(header)
    var traces: [Trace] = []
    var indexByName: [String: Int] = [:]
    while let line = lines.next() {
      if line.isBlank { continue }
      let fix = try columns.fix(of: line, start: start)
      let name = try columns.trip.map { (column) throws(TraceFault) in
        try line.cell(column).text
      }
      let index = indexByName[name ?? ""] ?? traces.count
      if index == traces.count {
        indexByName[name ?? ""] = index
        traces.append(Trace(name: name ?? "", fixes: []))
      }
      traces[index].fixes.append(fix)
    }
    guard !traces.isEmpty else {
      throw TraceFault(line: lines.number, column: 1, problem: "no fix follows the header line")
    }
    return traces
  }
}

private struct Cell {
  var text: String
  var column: Int
}

private struct Line {
  var number: Int
  var cells: [Cell]

  var isBlank: Bool { cells.allSatisfy { $0.text.isEmpty } }

  func cell(_ index: Int) throws(TraceFault) -> Cell {
    guard index < cells.count else {
      throw TraceFault(
        line: number, column: (cells.last?.column ?? 1) + (cells.last?.text.utf8.count ?? 0),
        problem: "the line breaks off after \(cells.count) cells")
    }
    return cells[index]
  }
}

/// Cuts bytes into lines and trimmed cells; quotes around a cell are taken off.
private struct Lines {
  let bytes: [UInt8]
  var at: Int
  var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is no part of the first column's name.
    at = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  mutating func next() -> Line? {
    guard at < bytes.count else { return nil }
    number += 1
    let start = at
    var cells: [Cell] = []
    var cellStart = at
    while at < bytes.count, bytes[at] != 0x0a {
      if bytes[at] == 0x2c {
        cells.append(cell(cellStart, at, lineStart: start))
        cellStart = at + 1
      }
      at += 1
    }
    cells.append(cell(cellStart, at, lineStart: start))
    at += 1
    return Line(number: number, cells: cells)
  }

  private func cell(_ lower: Int, _ upper: Int, lineStart: Int) -> Cell {
    var (first, last) = (lower, upper)
    let blank: Set<UInt8> = [0x20, 0x09, 0x0d]
    while first < last, blank.contains(bytes[first]) { first += 1 }
    while first < last, blank.contains(bytes[last - 1]) { last -= 1 }
    if last - first >= 2, bytes[first] == 0x22, bytes[last - 1] == 0x22 {
      first += 1
      last -= 1
    }
    return Cell(
      text: String(decoding: bytes[first..<last], as: UTF8.self), column: first - lineStart + 1)
  }
}

private struct Columns {
  var time: Int
  var lat: Int
  var lon: Int
  var trip: Int?
  var speed: Int?
  var bearing: Int?
  var accuracy: Int?
  var altitude: Int?

  init(_ header: Line) throws(TraceFault) {
    let names = header.cells.map(\.text)
    func needed(_ name: String) throws(TraceFault) -> Int {
      guard let index = names.firstIndex(of: name) else {
        throw TraceFault(
          line: header.number, column: 1,
          problem: "the header names no column \"\(name)\"; it needs time, lat and lon")
      }
      return index
    }
    time = try needed("time")
    lat = try needed("lat")
    lon = try needed("lon")
    trip = names.firstIndex(of: "trip")
    speed = names.firstIndex(of: "speed_mps")
    bearing = names.firstIndex(of: "bearing_deg")
    accuracy = names.firstIndex(of: "accuracy_m")
    altitude = names.firstIndex(of: "altitude_m")
  }

  func fix(of line: Line, start: Instant) throws(TraceFault) -> Fix {
    var fix = Fix(
      place: .init(
        latitudeDeg: try neededNumber(line, lat, "latitude"),
        longitudeDeg: try neededNumber(line, lon, "longitude")))
    fix.time = try time(line, start: start)
    fix.speedMps = try number(line, speed, "speed")
    fix.bearingDeg = try number(line, bearing, "bearing")
    fix.accuracyM = try number(line, accuracy, "accuracy")
    fix.altitudeM = try number(line, altitude, "altitude")
    return fix
  }

  private func time(_ line: Line, start: Instant) throws(TraceFault) -> Instant? {
    let cell = try line.cell(time)
    if cell.text.isEmpty { return nil }
    if let seconds = Double(cell.text), seconds.isFinite {
      return seconds < CSVTrace.firstEpochS
        ? start.advanced(bySeconds: seconds) : Instant(seconds: seconds)
    }
    guard let instant = TimeText.iso8601(cell.text) else {
      throw TraceFault(
        line: line.number, column: cell.column,
        problem: "\"\(cell.text)\" is no time; expected ISO 8601 or seconds")
    }
    return instant
  }

  private func neededNumber(
    _ line: Line, _ column: Int, _ what: String
  ) throws(TraceFault) -> Double {
    guard let value = try number(line, column, what) else {
      let cell = try line.cell(column)
      throw TraceFault(
        line: line.number, column: cell.column, problem: "the \(what) is missing")
    }
    return value
  }

  private func number(
    _ line: Line, _ column: Int?, _ what: String
  ) throws(TraceFault) -> Double? {
    guard let column, column < line.cells.count || column == lat || column == lon else {
      return nil
    }
    let cell = try line.cell(column)
    if cell.text.isEmpty { return nil }
    guard let value = Double(cell.text), value.isFinite else {
      throw TraceFault(
        line: line.number, column: cell.column,
        problem: "the \(what) \"\(cell.text)\" is no number")
    }
    return value
  }
}

import Documents
import Foundations
import Geodesy

/// Reads PLT tracks of GeoLife and OziExplorer.
///
/// Six header lines are followed by one line for each fix. A fix consists of latitude, longitude, a
/// flag, the altitude in feet, days since 1899-12-30, and often a date and a time.
enum PLTTrace {
  private static let headerLines = 6
  private static let feetM = 0.3048
  /// Days from 1899-12-30 to 1970-01-01.
  private static let daysBefore1970 = 25_569.0
  /// Altitude, in feet, that both applications write where it is unknown.
  private static let noAltitude = -777.0

  static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    var fixes: [Fix] = []
    var remarks = TraceRemarks()
    var number = 0
    TextLines.forEach(bytes) { line in
      number += 1
      guard number > headerLines, !line.isEmpty else { return }
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map {
        TraceValue.trimmed(String($0))
      }
      guard cells.count >= 5, let latitude = TraceValue.number(cells[0]),
        let longitude = TraceValue.number(cells[1])
      else {
        remarks.count("unreadable lines are left out") { "line \(number)" }
        return
      }
      let altitude = TraceValue.number(cells[3]).flatMap { $0 == noAltitude ? nil : $0 * feetM }
      fixes.append(
        Fix(
          place: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude), time: time(cells),
          altitudeM: altitude))
    }
    guard !fixes.isEmpty else {
      throw TraceFault(line: number, column: 1, problem: "there is no fix after the header lines")
    }
    return TraceRecording(traces: [Trace(name: "", fixes: fixes)], remarks: remarks)
  }

  private static func time(_ cells: [String]) -> Instant? {
    if cells.count > 6, let time = TimeText.iso8601("\(cells[5])T\(cells[6])") { return time }
    return TraceValue.number(cells[4]).flatMap {
      // Days have some 0.0001 s left in a Double.
      $0 > daysBefore1970
        ? Instant(seconds: (($0 - daysBefore1970) * 86_400_000).rounded() / 1_000) : nil
    }
  }
}

/// Reads files of the OwnTracks recorder.
///
/// Each line contains a JSON object after a time and a label.
enum OwnTracksTrace {
  static func read(_ bytes: [UInt8]) throws(TraceFault) -> TraceRecording {
    var fixes: [Fix] = []
    var remarks = TraceRemarks()
    var number = 0
    TextLines.forEach(bytes) { line in
      number += 1
      guard let open = line.utf8.firstIndex(of: UInt8(ascii: "{")) else { return }
      guard let report = try? JSONReader.value(Array(line.utf8[open...])) else {
        remarks.count("unreadable lines are left out") { "line \(number)" }
        return
      }
      guard report["_type"]?.string == "location", let latitude = report["lat"]?.number,
        let longitude = report["lon"]?.number
      else { return }
      fixes.append(
        Fix(
          place: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude),
          time: report["tst"]?.number.flatMap {
            EpochTime.instant($0, unit: nil, start: Instant(nanoseconds: 0))
          },
          bearingDeg: report["cog"]?.number, speedMps: report["vel"]?.number.map { $0 / 3.6 },
          accuracyM: report["acc"]?.number, altitudeM: report["alt"]?.number))
    }
    guard !fixes.isEmpty else {
      throw TraceFault(line: max(1, number), column: 1, problem: "the file contains no location")
    }
    return TraceRecording(traces: [Trace(name: "", fixes: fixes)], remarks: remarks)
  }
}

/// Splits bytes into lines at LF, CR or CR LF.
enum TextLines {
  static func forEach(_ bytes: some Sequence<UInt8>, _ body: (String) -> Void) {
    var line: [UInt8] = []
    var endedWithReturn = false
    for byte in bytes {
      defer { endedWithReturn = byte == 0x0d }
      if byte == 0x0a, endedWithReturn { continue }
      guard byte == 0x0a || byte == 0x0d else {
        line.append(byte)
        continue
      }
      body(String(decoding: line, as: UTF8.self))
      line.removeAll(keepingCapacity: true)
    }
    if !line.isEmpty { body(String(decoding: line, as: UTF8.self)) }
  }
}

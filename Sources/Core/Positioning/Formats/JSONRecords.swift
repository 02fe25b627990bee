import Documents
import Foundations

/// Reads traces from JSON records: objects with a latitude, a longitude and a time each.
///
/// The records are an array, the longest such array in a member of the outermost object, or one
/// object for each line. The names of their members are understood like the columns of a CSV file:
/// exports of phones (`latitudeE7`, `timestampMs`), of trackers and of fleets are read. Members of
/// an inner object, such as `coords`, count as members of the record.
enum JSONRecords {
  /// Returns the records of a document; empty if it contains none.
  static func records(of root: JSONValue) -> [JSONValue] {
    if let list = root.array { return list.filter(isRecord) }
    let lists = root.object?.values.compactMap { $0.array?.filter(isRecord) } ?? []
    return lists.max { $0.count < $1.count } ?? []
  }

  /// Returns the record of each line, nil for a line that is no record; nil for other documents.
  static func lines(of bytes: [UInt8]) -> [JSONValue?]? {
    var records: [JSONValue?] = []
    TextLines.forEach(bytes) { line in
      guard !line.isEmpty else { return }
      let value = (try? JSONReader.value(Array(line.utf8))) ?? .null
      records.append(isRecord(value) ? value : nil)
    }
    return records.first.flatMap { $0 } == nil ? nil : records
  }

  /// Returns the recording of records.
  ///
  /// - Throws: `TraceFault` if they lack a time, or where no record is a fix.
  static func read(_ records: [JSONValue?]) throws(TraceFault) -> TraceRecording {
    let rows = records.map { $0.map(members) }
    var names: [String] = []
    for row in rows {
      for name in row?.keys.sorted() ?? [] where !names.contains(name) { names.append(name) }
      // A member that the first records lack is rarely one that is read.
      if names.count > mostNames { break }
    }
    let header = CSVLine(number: 1, cells: names.map { CSVCell(text: $0, column: 1) })
    guard let columns = CSVColumns(header) else {
      throw TraceFault(
        line: 1, column: 1, problem: "the records contain no time; they need time, lat and lon")
    }
    var reading = CSVTraceBuilder(columns: columns, start: Instant(nanoseconds: 0))
    reading.remarks = columns.remarks
    for (index, row) in rows.enumerated() {
      let cells = names.map { CSVCell(text: row?[$0] ?? "", column: 1) }
      reading.read(CSVLine(number: index + 1, cells: cells))
    }
    return try reading.recording(rows.count)
  }

  private static let mostNames = 200

  private static func isRecord(_ value: JSONValue) -> Bool {
    let kinds = members(value).keys.map { CSVColumnName($0).kind }
    return kinds.contains(.lat) && kinds.contains(.lon)
  }

  /// Returns the members of a record as texts, with those of inner objects that have no equal.
  private static func members(_ record: JSONValue) -> [String: String] {
    var members = record.object?.compactMapValues(\.label) ?? [:]
    for inner in record.object?.values.compactMap(\.object) ?? [] {
      members.merge(inner.compactMapValues(\.label)) { own, _ in own }
    }
    return members
  }
}

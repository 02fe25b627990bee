/// A column that is read: its index and its conversion factor.
struct CSVColumn: Hashable {
  var index: Int
  /// Factor that converts the column's unit to metres, degrees or metres per second.
  var factor = 1.0
}

/// The columns of a separated text file, identified by the names in its header line.
struct CSVColumns {
  var time: (index: Int, unit: EpochUnit?)
  /// Index of the date column where the time column contains only the time of day.
  var day: Int?
  var lat: CSVColumn
  var lon: CSVColumn
  var trip: Int?
  var speed: CSVColumn?
  var bearing: CSVColumn?
  var accuracy: CSVColumn?
  var altitude: CSVColumn?
  /// The columns that are ignored, and why.
  private(set) var remarks = TraceRemarks()

  /// Maximum number of lines before the header.
  private static let mostPreamble = 50
  private static let separators = [",", ";", "\t", "|"].compactMap(\.utf8.first)

  /// Returns the columns of a file, and the lines after its header.
  ///
  /// - Throws: `TraceFault` that names what the header lacks.
  static func find(in bytes: [UInt8]) throws(TraceFault) -> (CSVColumns, CSVLines) {
    for separator in separators {
      var lines = CSVLines(bytes, separator: separator)
      for _ in 0..<mostPreamble {
        guard let line = lines.next() else { break }
        guard line.cells.count > 2, let columns = CSVColumns(line) else { continue }
        return (columns, lines)
      }
    }
    var lines = CSVLines(bytes, separator: separators[0])
    var first = lines.next()
    while let line = first, line.isBlank || line.isComment { first = lines.next() }
    guard let first else {
      throw TraceFault(line: 1, column: 1, problem: "the file is empty; it needs a header line")
    }
    throw missing(of: first)
  }

  private static func missing(of line: CSVLine) -> TraceFault {
    func fault(_ problem: String) -> TraceFault {
      TraceFault(line: line.number, column: 1, problem: problem)
    }
    if line.cells.count > 2, line.cells.count(where: { TraceValue.number($0.text) != nil }) > 1 {
      return fault(
        "the first line contains values instead of column names; a header line with time, lat and lon is needed"
      )
    }
    let kinds = line.cells.map { CSVColumnName($0.text).kind }
    for (kind, name) in [(CSVColumnName.Kind.time, "time"), (.lat, "lat"), (.lon, "lon")]
    where !kinds.contains(kind) {
      return fault("the header contains no column \"\(name)\"; it needs time, lat and lon")
    }
    return fault("the header needs the columns time, lat and lon")
  }

  /// Creates the columns of a header line; nil unless it names a time, latitude and longitude.
  init?(_ header: CSVLine) {
    let names = header.cells.map { CSVColumnName($0.text) }
    // Of two columns with the same meaning, the one with the plainer name is read.
    func first(_ kind: CSVColumnName.Kind) -> Int? {
      names.indices.filter { names[$0].kind == kind && names[$0].isUnderstood }
        .min { names[$0].rank < names[$1].rank }
    }
    func column(_ kind: CSVColumnName.Kind) -> CSVColumn? {
      first(kind).map { CSVColumn(index: $0, factor: names[$0].factor) }
    }
    guard let lat = column(.lat), let lon = column(.lon) else { return nil }
    let day = first(.day)
    guard let time = first(.time) ?? day else { return nil }
    self.time = (time, names[time].timeUnit)
    self.day = day == time ? nil : day
    self.lat = lat
    self.lon = lon
    trip = first(.trip)
    speed = column(.speed)
    bearing = column(.bearing)
    accuracy = column(.accuracy)
    altitude = column(.altitude)
    let read =
      [time, self.day, lat.index, lon.index, trip, speed?.index, bearing?.index]
      + [accuracy?.index, altitude?.index]
    let ignored = names.indices.filter { !read.contains($0) && !header.cells[$0].text.isEmpty }
    remark(ignored.map { (header.cells[$0].text, names[$0]) })
  }

  private mutating func remark(_ ignored: [(text: String, name: CSVColumnName)]) {
    guard !ignored.isEmpty else { return }
    let words = ignored.prefix(20).map { text, name in
      name.kind == .speed && !name.isUnderstood
        ? "\(text.prefix(40)) (its unit is unknown: use speed_mps, speed_kmh, speed_mph or speed_kn)"
        : String(text.prefix(40))
    }
    let more = ignored.count > 20 ? " and \(ignored.count - 20) more" : ""
    remarks.add("ignored columns: \(words.joined(separator: ", "))\(more)")
  }
}

import Documents

/// A file format for recordings of fixes.
public enum TraceFormat: String, Hashable, Sendable, CaseIterable {
  case gpx, tcx, kml, geojson, plt, owntracks, nmea, csv

  /// The name of the format for people.
  public var name: String {
    switch self {
    case .gpx: "GPX"
    case .tcx: "TCX"
    case .kml: "KML"
    case .geojson: "GeoJSON or JSON records"
    case .plt: "PLT of GeoLife or OziExplorer"
    case .owntracks: "an OwnTracks log"
    case .nmea: "NMEA 0183"
    case .csv: "CSV"
    }
  }

  /// Number of bytes and lines at the start of a file that are examined.
  private static let judgedBytes = 65_536
  private static let judgedLines = 500

  /// Returns the format of a file according to its content, whatever its name is.
  ///
  /// - Throws: `TraceFault` that names the format where it is not supported.
  public static func recognise(_ bytes: [UInt8]) throws(TraceFault) -> TraceFormat {
    func fault(_ problem: String) -> TraceFault {
      TraceFault(line: 1, column: 1, problem: problem)
    }
    if let name = binary(bytes) { throw fault(name) }
    guard let first = bytes.first(where: { !isBlank($0) && !bom.contains($0) }) else { return .csv }
    if first == UInt8(ascii: "<") { return try markup(bytes) }
    let head = bytes.prefix(judgedBytes)
    if isNMEA(head) { return .nmea }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      let text = String(decoding: head.prefix(4_096), as: UTF8.self)
      if text.contains("\"_type\"") { return .owntracks }
      if text.contains("\"class\"") {
        throw fault(
          "this is a gpsd log in JSON, which is not supported; record its NMEA (gpspipe -r)")
      }
      return .geojson
    }
    let text = String(decoding: head.prefix(4_096), as: UTF8.self)
    if text.hasPrefix("Geolife") || text.hasPrefix("OziExplorer Track") { return .plt }
    if text.contains("\"_type\":") { return .owntracks }
    if isBinary(head.prefix(4_096)) {
      throw fault("these are binary data of an unknown format; supported are \(known)")
    }
    return .csv
  }

  /// Whether bytes are no text: a few zero bytes below a readable header are damage, which costs
  /// only the rows that have it.
  private static func isBinary(_ head: ArraySlice<UInt8>) -> Bool {
    let zeros = head.count { $0 == 0 }
    let line = head.prefix { $0 != UInt8(ascii: "\n") }
    return line.contains(0) || zeros * 64 > head.count
  }

  private static let known =
    "GPX, CSV, NMEA 0183, TCX, KML, GeoJSON, JSON records, PLT and OwnTracks"
  private static let bom: Set<UInt8> = [0xef, 0xbb, 0xbf]

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// Returns the problem of a file in a binary format; nil for text.
  private static func binary(_ bytes: [UInt8]) -> String? {
    if bytes.count >= 14, bytes[8..<12].elementsEqual(".FIT".utf8) {
      return
        "this is a FIT file of a sports device, which is not supported; export it as GPX or TCX"
    }
    let magics: [([UInt8], String)] = [
      ([0x50, 0x4b, 0x03, 0x04], "a ZIP archive, as KMZ files are; unpack it first"),
      ([0x1f, 0x8b], "compressed with gzip; unpack it first"),
      ([0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd; unpack it first"),
      ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed with xz; unpack it first"),
      (Array("BZh".utf8), "compressed with bzip2; unpack it first"),
      (
        Array("SQLite format 3".utf8),
        "a SQLite database, the format of older ROS 2 bags; convert the bag to MCAP (ros2 bag convert), or export its positions as CSV"
      ),
      (Array("#ROSBAG".utf8), "a ROS 1 bag; convert it to MCAP (mcap convert)"),
      ([0x89] + Array("MCAP".utf8), "an MCAP recording, which can be read from a file only"),
      ([0xb5, 0x62], "the binary protocol of u-blox; record its NMEA"),
      ([0xd3, 0x00], "RTCM; record NMEA"),
    ]
    let found = magics.first { bytes.starts(with: $0.0) }
    // A receiver may send NMEA between its binary messages.
    if let found, found.0[0] == 0xb5 || found.0[0] == 0xd3, isNMEA(bytes.prefix(judgedBytes)) {
      return nil
    }
    return found.map { "this is \($0.1)" }
  }

  private static func markup(_ bytes: [UInt8]) throws(TraceFault) -> TraceFormat {
    var reader = XMLReader(bytes)
    let event: XMLEvent?
    do throws(DocumentFault) { event = try reader.next() } catch { throw TraceFault(error) }
    guard case .start(let root, _)? = event else {
      throw reader.traceFault("the file contains no element")
    }
    switch root {
    case "gpx": return .gpx
    case "TrainingCenterDatabase": return .tcx
    case "kml": return .kml
    case "osm":
      throw reader.traceFault("this is an OpenStreetMap map, not a recording of fixes")
    default:
      throw reader.traceFault(
        "the root element is <\(root)>, expected <gpx>, <TrainingCenterDatabase> or <kml>")
    }
  }

  /// Whether a line contains the start of a sentence, with or without text before it.
  private static func isNMEA(_ head: ArraySlice<UInt8>) -> Bool {
    var lines = 0
    for index in head.indices {
      if head[index] == 0x0a { lines += 1 }
      if lines > judgedLines { return false }
      guard head[index] == UInt8(ascii: "$"), index + 6 < head.endIndex,
        head[(index + 1)...(index + 5)].allSatisfy({
          (0x41...0x5a).contains($0) || (0x30...0x39).contains($0)
        })
      else { continue }
      if head[index + 6] == UInt8(ascii: ",") { return true }
    }
    return false
  }
}

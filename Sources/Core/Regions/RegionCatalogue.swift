public import Documents
import Foundations
import Geodesy

/// The regions that a source offers, as stored in its `regions.json`.
///
///     {"navstack_regions": 1, "regions": [
///       {"name": "malta", "file": "malta.navmap", "bytes": 1737216, "sha256": "9c…",
///        "data_time": "2016-11-09T20:28:02Z", "cover": [[35.8, 14.18, 36.1, 14.6]]}]}
///
/// A box is south, west, north, east in degrees.
public struct RegionCatalogue: Hashable, Sendable {
  /// Name of the file, in the folder of the maps.
  public static let fileName = "regions.json"
  /// Version of the file format, the value of `navstack_regions`.
  public static let version = 1

  public var regions: [Region]
  /// Entries that could not be read, each as path and reason.
  public var notes: [String]

  public init(regions: [Region], notes: [String] = []) {
    self.regions = regions
    self.notes = notes
  }

  /// Decodes a catalogue; an invalid entry is skipped and added to `notes`.
  ///
  /// Linear.
  ///
  /// - Throws: `DocumentFault` for text that is not JSON or not a catalogue of this version.
  public init(_ json: [UInt8]) throws(DocumentFault) {
    let root = try JSONReader.value(DocumentText.utf8(json))
    guard root["navstack_regions"]?.number == Double(Self.version) else {
      throw DocumentFault(
        line: 1, column: 1,
        problem: "not a catalogue of regions: \"navstack_regions\" must be \(Self.version)")
    }
    guard let entries = root["regions"]?.array else {
      throw DocumentFault(line: 1, column: 1, problem: "\"regions\" must be a list")
    }
    self.init(regions: [])
    var names: Set<String> = []
    for (number, entry) in entries.enumerated() {
      do throws(EntryFault) {
        let region = try Self.region(entry)
        guard names.insert(region.name).inserted else {
          throw EntryFault(member: "name", problem: "\"\(region.name)\" is already taken")
        }
        regions.append(region)
      } catch {
        notes.append("regions[\(number)].\(error.member): \(error.problem)")
      }
    }
  }

  private struct EntryFault: Error {
    var member: String
    var problem: String
  }

  private static func region(_ entry: JSONValue) throws(EntryFault) -> Region {
    guard let name = entry["name"]?.string, isName(name) else {
      throw EntryFault(member: "name", problem: "not the name of a file")
    }
    guard let file = entry["file"]?.string, file.hasSuffix(".navmap"), isPath(file) else {
      throw EntryFault(
        member: "file", problem: "not the path of a .navmap below the catalogue's folder")
    }
    guard let bytes = entry["bytes"]?.number.flatMap(Int.init(exactly:)), bytes > 0 else {
      throw EntryFault(member: "bytes", problem: "not a number of bytes")
    }
    guard let sha256 = entry["sha256"]?.string, sha256.utf8.count == 64,
      sha256.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { throw EntryFault(member: "sha256", problem: "not 64 hexadecimal digits") }
    var dataTime: Instant?
    if let text = entry["data_time"]?.string {
      guard let moment = TimeText.iso8601(text) else {
        throw EntryFault(member: "data_time", problem: "not an RFC 3339 time: \"\(text)\"")
      }
      dataTime = moment
    }
    let cover = try (entry["cover"]?.array ?? []).map { (box) throws(EntryFault) in
      guard let box = Self.box(box) else {
        throw EntryFault(
          member: "cover", problem: "a box is [south, west, north, east] in degrees")
      }
      return box
    }
    guard !cover.isEmpty else { throw EntryFault(member: "cover", problem: "no boxes") }
    return Region(
      name: name, file: file, bytes: bytes, sha256: sha256.lowercased(), dataTime: dataTime,
      cover: cover)
  }

  private static func box(_ value: JSONValue) -> BoundingBox? {
    guard let sides = value.array?.compactMap(\.number), sides.count == 4,
      (-90...90).contains(sides[0]), (sides[0]...90).contains(sides[2]),
      (-180...180).contains(sides[1]), (sides[1]...180).contains(sides[3])
    else { return nil }
    return BoundingBox(
      southDeg: sides[0], westDeg: sides[1], northDeg: sides[2], eastDeg: sides[3])
  }

  /// Whether a text is a valid file name in the folder of installed maps: not a path, not hidden, at most 200 bytes.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200 && text.first != "."
      && text.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 32 }
  }

  /// Whether a text is a relative path that stays below the catalogue's folder.
  private static func isPath(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.allSatisfy { isName($0) && !$0.contains(":") && !$0.contains("?") }
  }

  /// The content of the file; equal for equal regions.
  public var json: String {
    let entries = regions.map { region in
      let boxes = region.cover.map {
        "[\($0.southDeg), \($0.westDeg), \($0.northDeg), \($0.eastDeg)]"
      }
      let time = region.dataTime.map { "\"data_time\": \"\(TimeText.utc($0))\", " } ?? ""
      let (name, file) = (JSONString.quoted(region.name), JSONString.quoted(region.file))
      return "  {\"name\": \(name), \"file\": \(file), "
        + "\"bytes\": \(region.bytes), \"sha256\": \"\(region.sha256)\", \(time)"
        + "\"cover\": [\(boxes.joined(separator: ", "))]}"
    }
    return "{\"navstack_regions\": \(Self.version), \"regions\": [\n"
      + entries.joined(separator: ",\n") + "\n]}\n"
  }
}

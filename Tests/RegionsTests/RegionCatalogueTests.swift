import Documents
import Foundation
import Foundations
import Geodesy
import Regions
import Testing

struct RegionCatalogueTests {
  private static let malta = Region(
    name: "malta", file: "europe/malta.navmap", bytes: 1_737_216,
    sha256: String(repeating: "9c", count: 32),
    dataTime: TimeText.iso8601("2016-11-09T20:28:02Z"),
    cover: [BoundingBox(southDeg: 35.75, westDeg: 14.125, northDeg: 36.125, eastDeg: 14.625)])

  @Test func `a catalogue is read as it was written, OF-3`() throws {
    var other = Self.malta
    other.name = "Val d'Aosta \"west\""
    other.dataTime = nil
    let catalogue = RegionCatalogue(regions: [Self.malta, other])
    #expect(try RegionCatalogue(Array(catalogue.json.utf8)) == catalogue)
  }

  @Test(
    arguments: [
      (#""name": "../malta""#, "name"), (#""name": ".malta""#, "name"),
      (#""file": "../malta.navmap""#, "file"), (#""file": "/malta.navmap""#, "file"),
      (#""file": "http://x/malta.navmap""#, "file"), (#""file": "malta.osm""#, "file"),
      (#""bytes": 0"#, "bytes"), (#""bytes": 1.5"#, "bytes"), (#""sha256": "9c""#, "sha256"),
      (#""data_time": "yesterday""#, "data_time"), (#""cover": []"#, "cover"),
      (#""cover": [[36, 14, 35, 15]]"#, "cover"), (#""cover": [[36, 14, 37]]"#, "cover"),
    ])
  func `an entry that is wrong costs only itself and is named, OF-3`(
    wrong: String, member: String
  ) throws {
    let json = RegionCatalogue(regions: [Self.malta]).json
    let entry = json.split(separator: "\n")[1]
    let whole = String(entry).replacingOccurrences(of: "\"malta\"", with: "\"gozo\"")
    let key = String(wrong.prefix { $0 != ":" })
    let start = try #require(whole.range(of: "\(key): "))
    let rest = whole[start.upperBound...]
    // To the next member of the entry, or its end.
    let end = rest.range(of: ", \"")?.lowerBound ?? rest.lastIndex(of: "}") ?? rest.endIndex
    let broken = whole.replacingCharacters(in: start.lowerBound..<end, with: wrong)
    let catalogue = try RegionCatalogue(
      Array("{\"navstack_regions\": 1, \"regions\": [\(broken), \(entry)]}".utf8))
    #expect(catalogue.regions == [Self.malta])
    #expect(catalogue.notes.count == 1)
    #expect(catalogue.notes.first?.hasPrefix("regions[0].\(member): ") == true)
  }

  @Test func `two regions of one name are one, and it is said, OF-3`() throws {
    let catalogue = try RegionCatalogue(
      Array(RegionCatalogue(regions: [Self.malta, Self.malta]).json.utf8))
    #expect(catalogue.regions == [Self.malta])
    #expect(catalogue.notes == [#"regions[1].name: "malta" is already taken"#])
  }

  @Test(arguments: ["", "{", "[]", #"{"navstack_regions": 2, "regions": []}"#])
  func `what is no catalogue is refused, OF-3`(text: String) {
    #expect(throws: DocumentFault.self) { try RegionCatalogue(Array(text.utf8)) }
  }
}

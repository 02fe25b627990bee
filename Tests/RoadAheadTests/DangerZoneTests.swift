import DrawnMaps
import Geodesy
import RoadAhead
import RoadGraph
import Route
import Testing

/// Speed cameras in countries whose law has them told otherwise, or not at all.
@Suite struct DangerZoneTests {
  private static let camera = "highway=speed_camera"

  /// A straight road of `cell` metres a letter, with a camera at each of `cameras`.
  private static func road(
    _ tags: String, cameras: String, letters: String = "abcdefghijklmnopq", cell: Double = 1000,
    cameraTags: String = camera
  ) throws -> DrawnMap {
    try DrawnMap(
      letters, ways: [(letters, tags)], nodes: cameras.map { (String($0), cameraTags) }, cell: cell)
  }

  private static func drive(
    _ map: DrawnMap, _ letters: String, silent: Set<String>? = nil
  ) throws -> Drive {
    var drive = Drive(map, kinds: [.dangerZone, .safetyCamera])
    if let silent { drive.settings.silentCameraCountries = silent }
    try drive.go(letters)
    return drive
  }

  /// Metres at which the first zone begins and ends along the way.
  private static func zone(_ drive: Drive) throws -> (startM: Double, endM: Double) {
    let zone = try #require(drive.reported.first { $0.object.kind == .dangerZone }).object
    return (zone.startM, try #require(drive.reported.last?.object.endM))
  }

  static let kinds: [(String, String, Double, Double)] = [
    ("a motorway", "highway=motorway oneway=yes country=FR", 1000, 4000),
    ("a road outside places", "highway=primary country=FR", 1000, 2000),
    ("an overseas department's", "highway=trunk country=RE", 1000, 2000),
    ("a road in a place", "highway=primary country=FR maxspeed:type=FR:urban", 100, 300),
    ("a street", "highway=residential country=FR", 100, 300),
  ]

  @Test(arguments: kinds)
  func `in France a camera is a danger zone as long as the law wants it, EV-4`(
    name: String, tags: String, cell: Double, lengthM: Double
  ) throws {
    let drive = try Self.drive(Self.road(tags, cameras: "i", cell: cell), "aq")
    #expect(drive.reported.map(\.object.kind) == Array(repeating: .dangerZone, count: 3), "\(name)")
    #expect(drive.reported.map(\.event) == [.ahead, .reached, .passed])
    let zone = try Self.zone(drive)
    // The ground's metres are not quite those of the drawing.
    #expect(abs(zone.endM - zone.startM - lengthM) < 0.01 * lengthM)
    let cameraM = 8 * cell
    #expect(zone.startM < cameraM - 0.09 * lengthM && cameraM + 0.09 * lengthM < zone.endM)
    #expect(drive.reported.first?.object.limitMps == nil)
  }

  @Test func `outside France cameras are cameras, EV-4`() throws {
    for tags in ["highway=primary country=PT", "highway=primary"] {
      let drive = try Self.drive(Self.road(tags, cameras: "i"), "aq")
      #expect(drive.reported.map(\.object.kind) == [.safetyCamera, .safetyCamera])
    }
  }

  @Test
  func `where drivers may not be warned of cameras nothing is reported, as one sets it, EV-4`()
    throws
  {
    for country in ["CH", "DE"] {
      let map = try Self.road("highway=primary country=\(country)", cameras: "i")
      #expect(try Self.drive(map, "aq").reported.isEmpty)
      let open = try Self.drive(map, "aq", silent: [])
      #expect(open.reported.map(\.object.kind) == [.safetyCamera, .safetyCamera])
    }
    let french = try Self.road("highway=primary country=FR", cameras: "i")
    #expect(try Self.drive(french, "aq", silent: ["FR"]).reported.isEmpty)
    #expect(try Self.drive(french, "aq", silent: []).reported.count == 3)
  }

  @Test func `a danger zone does not tell where in it the camera stands, EV-4`() throws {
    // The same road, and the camera at one node after the other: the share before it is never the same for long.
    let shares = try "efghijklm".map { letter in
      let drive = try Self.drive(
        Self.road("highway=primary country=FR", cameras: String(letter)), "aq")
      let place = Double(letter.asciiValue ?? 0) - Double(UInt8(ascii: "a"))
      return try (1000 * place - Self.zone(drive).startM) / 2000
    }
    #expect(shares.allSatisfy { (0.09...0.91).contains($0) })
    #expect((shares.max() ?? 0) - (shares.min() ?? 0) > 0.4)
    let tenths = Set(shares.map { Int($0 * 10) })
    #expect(tenths.count >= 5)
    let drive = try Self.drive(Self.road("highway=primary country=FR", cameras: "i"), "aq")
    // Neither its name nor its place is the camera's.
    #expect(
      drive.reported.allSatisfy { !$0.object.id.contains("danger_zone/\(UInt8(ascii: "i"))") })
    let again = try Self.drive(Self.road("highway=primary country=FR", cameras: "i"), "aq")
    #expect(drive.reported == again.reported)
  }

  @Test func `both directions have one danger zone, EV-4`() throws {
    let map = try Self.road("highway=primary country=FR", cameras: "h")
    let there = try Self.zone(Self.drive(map, "aq"))
    let back = try Self.zone(Self.drive(map, "qa"))
    let whole = try map.edges("aq").reduce(0) { $0 + map.graph.lengthM($1) }
    #expect(abs(there.startM - (whole - back.endM)) < 1)
    #expect(abs(there.endM - (whole - back.startM)) < 1)
    // A camera that looks one way has its zone there alone.
    let oneWay = try Self.road(
      "highway=primary country=FR", cameras: "h", cameraTags: "\(Self.camera) direction=forward")
    #expect(try Self.drive(oneWay, "aq").reported.count == 3)
    #expect(try Self.drive(oneWay, "qa").reported.isEmpty)
  }

  @Test func `danger zones that overlap are one, EV-4`() throws {
    let drive = try Self.drive(Self.road("highway=primary country=FR", cameras: "hij"), "aq")
    #expect(drive.reported.map(\.event) == [.ahead, .reached, .passed])
    let zone = try Self.zone(drive)
    #expect(zone.endM - zone.startM > 2500)
  }

  @Test func `what a road lacks on one side of a camera its danger zone has on the other, EV-4`()
    throws
  {
    // 800 m before the camera and 5 km behind, and the other way round.
    for letters in ["abz", "zba"] {
      let map = try DrawnMap(
        "a---b-------------------------z",
        ways: ["ab": "highway=primary country=FR", "bz": "highway=primary country=FR"],
        nodes: ["b": Self.camera], cell: 200)
      let drive = try Self.drive(map, letters)
      let zone = try Self.zone(drive)
      #expect(abs(zone.endM - max(0, zone.startM) - 2000) < 20)
    }
  }

  @Test func `who comes into a danger zone from the side is reported that it is reached, EV-4`()
    throws
  {
    let map = try DrawnMap(
      """
      a--------b---c---d---e--------f
               |       |
               s       t
      """,
      ways: [
        "abcdef": "highway=primary name=N country=FR", "sb": "highway=residential country=FR",
        "dt": "highway=residential country=FR",
      ], nodes: ["c": Self.camera], cell: 50)
    var drive = Drive(map, kinds: [.dangerZone])
    try drive.go("sb")
    #expect(drive.words.first?.hasPrefix("danger_zone ahead") != false)
    try drive.go("bcdt")
    #expect(drive.reported.suffix(2).map(\.event) == [.reached, .passed])
    // It went on along the main road: who turns off has left it.
    #expect(abs((drive.reported.last?.object.startM ?? 0) - 100) < 1)
  }

  @Test func `a danger zone goes through a roundabout by the road on both sides, EV-4`() throws {
    let map = try DrawnMap(
      """
                     s
                     |
                     n
      a-----------w     e-----c-----z
                     m
                     |
                     t
      """,
      ways: [
        "aw": "highway=primary name=N country=FR", "ecz": "highway=primary name=N country=FR",
        "wmenw": "highway=primary junction=roundabout oneway=yes country=FR",
        "sn": "highway=residential country=FR", "mt": "highway=residential country=FR",
      ], nodes: ["c": Self.camera], cell: 20)
    let main = try Self.drive(map, "awmecz")
    // The whole road is shorter than its zone.
    #expect(main.reported.map(\.event) == [.reached])
    #expect(main.reported.first?.object.startM == 0)
    let side = try Self.drive(map, "mt")
    #expect(side.reported.isEmpty)
  }

  @Test func `a danger zone on a long motorway is known of before its camera is in sight, EV-4`()
    throws
  {
    // The watch looks 2 km ahead: the zone's beginning may lie 3.6 km before its camera.
    for letter in "fghij" {
      let drive = try Self.drive(
        Self.road("highway=motorway oneway=yes country=FR", cameras: String(letter)), "aq")
      #expect(drive.reported.map(\.event) == [.ahead, .reached, .passed])
      #expect((480...500).contains(drive.reported.first?.distanceM ?? 0))
    }
  }
}

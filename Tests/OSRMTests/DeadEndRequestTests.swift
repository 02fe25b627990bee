import DrawnMaps
import Foundation
import Geodesy
import Testing

/// Places on roads from which no way leads on.
@Suite struct DeadEndRequestTests {
  /// A ladder of streets that a motorway leaves at one end and comes to beside it; places on these, and at the other end.
  private static func ladder() throws -> (
    town: OSRMRequestTests.Town, out: Coordinate, into: Coordinate, home: Coordinate
  ) {
    let rungs = (0..<13).map { column in
      "\(Character(UnicodeScalar(UInt8(97 + column))))\(Character(UnicodeScalar(UInt8(65 + column))))"
    }
    var ways = rungs.map { ($0, "highway=residential") }
    ways.append(("abcdefghijklm", "highway=secondary"))
    ways.append(("ABCDEFGHIJKLM", "highway=secondary"))
    ways.append(("mz", "highway=motorway oneway=yes"))
    ways.append(("yM", "highway=motorway oneway=yes"))
    let map = try DrawnMap(
      """
      a--b--c--d--e--f--g--h--i--j--k--l--m--z
      |  |  |  |  |  |  |  |  |  |  |  |  |
      A--B--C--D--E--F--G--H--I--J--K--L--M--y
      """, ways: ways, cell: 100)
    return (
      OSRMRequestTests.Town(map), try map.coordinate("m", "z", 0.8),
      try map.coordinate("M", "y", 0.8),
      try map.coordinate("a")
    )
  }

  private static func text(_ places: [Coordinate]) -> String {
    places.map { "\($0.longitudeDeg),\($0.latitudeDeg)" }.joined(separator: ";")
  }

  @Test func `from a motorway that leaves the map one begins on the next road, RT-19`() throws {
    let (town, out, into, home) = try Self.ladder()
    for places in [[out, home], [home, into]] {
      let answer = try town.ask("/route/v1/driving/\(Self.text(places))")
      #expect(answer["code"] as? String == "Ok")
      // Where any road will do it is the nearest, from which no way leads.
      let strict = try town.ask("/route/v1/driving/\(Self.text(places))?snapping=any")
      #expect(strict["code"] as? String == "NoRoute")
    }
  }

  @Test(arguments: ["", "&exclude=ferry"])
  func `a table leaves corners as the routes do, RT-19`(exclude: String) throws {
    let (town, out, into, home) = try Self.ladder()
    let places = [out, home, into]
    let answer = try town.ask(
      "/table/v1/driving/\(Self.text(places))?annotations=duration,distance\(exclude)")
    let distances = try #require(answer["distances"] as? [[Double]])
    let durations = try #require(answer["durations"] as? [[Double]])
    for (row, from) in places.enumerated() {
      for (column, to) in places.enumerated() where row != column {
        let route = try town.ask(
          "/route/v1/driving/\(Self.text([from, to]))?snapping=default\(exclude)")
        let best = try #require((route["routes"] as? [[String: Any]])?.first)
        #expect(abs((best["distance"] as? Double ?? 0) - distances[row][column]) < 0.2)
        #expect(abs((best["duration"] as? Double ?? 0) - durations[row][column]) < 0.2)
      }
    }
    let strict = try town.ask("/table/v1/driving/\(Self.text(places))?snapping=any")
    #expect((strict["durations"] as? [[Any]])?[0][1] is NSNull)
  }
}

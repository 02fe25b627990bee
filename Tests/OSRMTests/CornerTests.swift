import DrawnMaps
import Geodesy
import Testing

/// Places on roads from which no way leads on.
@Suite struct CornerTests {
  @Test func `from a motorway that leaves the map one begins on the next road, RT-19`() throws {
    let ladder = (0..<13).map { column in
      "\(Character(UnicodeScalar(UInt8(97 + column))))\(Character(UnicodeScalar(UInt8(65 + column))))"
    }
    var ways = ladder.map { ($0, "highway=residential") }
    ways.append(("abcdefghijklm", "highway=secondary"))
    ways.append(("ABCDEFGHIJKLM", "highway=secondary"))
    ways.append(("mz", "highway=motorway oneway=yes"))
    ways.append(("yM", "highway=motorway oneway=yes"))
    let town = FaceTests.Town(
      try DrawnMap(
        """
        a--b--c--d--e--f--g--h--i--j--k--l--m--z
        |  |  |  |  |  |  |  |  |  |  |  |  |
        A--B--C--D--E--F--G--H--I--J--K--L--M--y
        """, ways: ways, cell: 100))
    let (out, home) = (try town.map.coordinate("m", "z", 0.8), try town.map.coordinate("a"))
    let into = try town.map.coordinate("M", "y", 0.8)
    for (from, to) in [(out, home), (home, into)] {
      let pair = [from, to].map { "\($0.longitudeDeg),\($0.latitudeDeg)" }.joined(separator: ";")
      let answer = try town.ask("/route/v1/driving/\(pair)")
      #expect(answer["code"] as? String == "Ok")
      // Where any road will do it is the nearest, from which no way leads.
      let strict = try town.ask("/route/v1/driving/\(pair)?snapping=any")
      #expect(strict["code"] as? String == "NoRoute")
    }
  }
}

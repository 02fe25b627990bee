import DrawnMaps
import Geodesy
import Maneuvers
import RoadGraph
import Route
import Testing

/// What is said along the letters of a drawn map, without departure and arrival.
func said(
  _ map: DrawnMap, _ letters: String, mode: TravelMode = .car
) throws -> [Maneuver] {
  let section = SectionPath(path: try map.path(letters), mode: mode)
  let all = ManeuverFinder(graph: map.graph).maneuvers(along: section)
  #expect(all.first?.action == .depart)
  #expect(all.last?.action == .arrive)
  return Array(all.dropFirst().dropLast())
}

@Suite struct TurnTests {
  @Test(arguments: [
    ("ab", "abd", TurnGrade.left), ("ab", "abe", .right),
  ])
  func `a crossing turn has its side, RT-11`(_ unused: String, _ letters: String, _ grade: TurnGrade)
    throws
  {
    let map = try DrawnMap(
      """
        d
      a-b-c
        e
      """, ways: ["abc": "highway=residential name=High Street", "dbe": "highway=residential name=Mill Lane"])
    let found = try said(map, letters)
    #expect(found.map(\.action) == [.turn(grade)])
    #expect(found.first?.onto.name == "Mill Lane")
    #expect(found.first?.text == "Turn \(grade.rawValue) onto Mill Lane.")
    #expect(abs((found.first?.turnAngleDeg ?? 0) - (grade == .left ? -90 : 90)) < 2)
  }
}

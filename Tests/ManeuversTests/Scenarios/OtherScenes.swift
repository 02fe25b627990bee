import RoadGraph

/// Names that change, by-ways, ferries, turning back, and the ways of those who walk and cycle.
enum OtherScenes {
  static let all = names + byWays + ferries + turns + paths

  private static func rename(_ title: String, _ before: String, _ after: String, _ words: String)
    -> Scene
  {
    Scene(
      title: title, drawing: "a---------b---------c\n          d",
      ways: [
        ("ab", "highway=secondary \(before)"), ("bc", "highway=secondary \(after)"),
        ("bd", "highway=secondary name=Side Road"),
      ], cell: 100, reported: [("abc", words)])
  }

  static let names = [
    rename("a road keeps its name", "name=High Street", "name=High Street", ""),
    rename(
      "a road takes another name at a crossing", "name=High Street", "name=Long Road", "continue"),
    rename(
      "a road keeps its number and changes its name", "name=High Street ref=B 3",
      "name=Long Road ref=B 3", ""),
    rename("a road loses its name", "name=High Street", "", ""),
    Scene(
      title: "a road takes another name with nowhere else to go", drawing: "a---------b---------c",
      ways: [("ab", "highway=secondary name=A"), ("bc", "highway=secondary name=B")], cell: 100,
      reported: [("abc", "")]),
    Scene(
      title: "a short piece of road has another name",
      drawing: "a---------b-c---------d\n          e f",
      ways: [
        ("ab", "highway=secondary name=A"), ("bc", "highway=secondary name=Bridge"),
        ("cd", "highway=secondary name=A"), ("be", "highway=secondary name=E"),
        ("cf", "highway=secondary name=F"),
      ], cell: 100, reported: [("abcd", "")]),
  ]

  private static func beside(_ title: String, _ tags: String) -> Scene {
    Scene(
      title: title, drawing: "a---b---c\n    d",
      ways: [("abc", "highway=residential name=High Street"), ("bd", tags)],
      reported: [("abc", ""), ("cba", ""), ("abd", "right"), ("cbd", "left")])
  }

  static let byWays = [
    beside("a driveway", "highway=service service=driveway"),
    beside("a service road", "highway=service"),
    beside("a parking aisle", "highway=service service=parking_aisle"),
    beside("a private street", "highway=residential access=private name=Back Lane"),
    beside("a living street", "highway=living_street name=Play Street"),
    Scene(
      title: "at the end of a street only a driveway goes straight on", drawing: "    d\na---b---c",
      ways: [
        ("abd", "highway=residential name=A"), ("bc", "highway=service service=driveway"),
      ], reported: [("abd", ""), ("dba", "")]),
    Scene(
      title: "aisles of a car park", drawing: "a---b---c\n    d",
      ways: [
        ("abc", "highway=service service=parking_aisle"),
        ("bd", "highway=service service=parking_aisle"),
      ], reported: [("abc", ""), ("abd", "right"), ("cbd", "left")]),
  ]

  static let ferries = [
    Scene(
      title: "a ferry over the river", drawing: "a---b~~~~~~c---d",
      ways: [
        ("ab", "highway=secondary name=A"), ("bc", "route=ferry motor_vehicle=yes duration=00:10"),
        ("cd", "highway=secondary name=B"),
      ], reported: [("abcd", "ferry, continue"), ("dcba", "ferry, continue")])
  ]

  private static func back(_ title: String, _ country: String?, _ side: String) -> Scene {
    Scene(
      title: title, drawing: "a---b---c",
      ways: [("ab", "highway=residential name=A"), ("bc", "highway=residential name=A")],
      nodes: [("b", "highway=traffic_signals")], country: country,
      reported: [("abcba", "u_turn \(side)"), ("aba", "u_turn \(side)")])
  }

  static let turns = [
    back("turning back on one's road", nil, "left"),
    back("turning back where one drives on the left", "GB", "right"),
  ]

  static let paths = [
    Scene(
      title: "a walker crosses at a corner", drawing: "  d\na-b-c\n  e",
      ways: [("abc", "highway=footway"), ("dbe", "highway=footway")], mode: .pedestrian,
      reported: [("abc", ""), ("abd", "left"), ("abe", "right")]),
    Scene(
      title: "a walker takes the stairs", drawing: "a-b-c\n  e",
      ways: [("abc", "highway=residential name=High Street"), ("be", "highway=steps")],
      mode: .pedestrian, reported: [("abc", ""), ("abe", "right"), ("eba", "left")]),
    Scene(
      title: "a cyclist turns onto a cycleway", drawing: "a-b-c\n  e",
      ways: [("abc", "highway=residential name=High Street"), ("be", "highway=cycleway")],
      mode: .bicycle, reported: [("abc", ""), ("abe", "right"), ("ebc", "right")]),
    Scene(
      title: "a driver does not see footways", drawing: "a-b-c\n  e",
      ways: [("abc", "highway=residential name=High Street"), ("be", "highway=footway")],
      reported: [("abc", ""), ("cba", "")]),
    Scene(
      title: "a cyclist goes against a one-way street", drawing: "a-b-c\n  e",
      ways: [
        ("abc", "highway=residential oneway=yes oneway:bicycle=no name=High Street"),
        ("be", "highway=residential name=Mill Lane"),
      ], mode: .bicycle,
      reported: [("cba", ""), ("cbe", "left"), ("ebc", "right"), ("eba", "left")]),
  ]
}

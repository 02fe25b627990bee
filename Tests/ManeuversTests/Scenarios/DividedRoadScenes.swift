/// Crossings of divided roads, which are one junction to drivers, and crossings whose arms do not meet.
enum DividedRoadScenes {
  static let all = dual + staggered + slips

  // Carriageways 20 m apart; the upper one runs west where one drives on the right.
  private static let drawing = "   n\n\n\n\n\nb--p--a\nc--q--d\n\n\n\n\n   s"

  private static func ways(_ upper: String, _ lower: String) -> [(String, String)] {
    let road = "highway=primary oneway=yes dual_carriageway=yes name=High Street"
    return [(upper, road), (lower, road), ("npqs", "highway=secondary name=Mill Lane")]
  }

  static let dual = [
    Scene(
      title: "a street crosses a divided road", drawing: drawing, ways: ways("apb", "cqd"),
      cell: 20,
      reported: [
        ("sqpn", ""), ("npqs", ""), ("sqd", "right"), ("sqpb", "left"), ("npb", "right"),
        ("npqd", "left"), ("cqd", ""), ("apb", ""), ("cqs", "right"), ("cqpn", "left"),
        ("apn", "right"), ("apqs", "left"), ("cqpb", "u_turn left"), ("apqd", "u_turn left"),
      ]),
    Scene(
      title: "a street crosses a divided road on the left", drawing: drawing,
      ways: ways("bpa", "dqc"), cell: 20, country: "GB",
      reported: [
        ("sqpn", ""), ("npqs", ""), ("sqc", "left"), ("sqpa", "right"), ("npa", "left"),
        ("npqc", "right"), ("dqc", ""), ("bpa", ""), ("dqs", "left"), ("dqpn", "right"),
        ("bpn", "left"), ("bpqs", "right"), ("dqpa", "u_turn right"), ("bpqc", "u_turn right"),
      ]),
  ]

  private static func offset(
    _ title: String, _ north: String, _ south: String, _ through: (String, String)
  ) -> Scene {
    Scene(
      title: title, drawing: "     d\n\n\n\n\na----b-c----f\n\n\n\n\n       e",
      ways: [
        ("abcf", "highway=tertiary name=High Street"), ("db", "highway=residential name=\(north)"),
        ("ce", "highway=residential name=\(south)"),
      ], cell: 10,
      reported: [
        ("abcf", ""), ("fcba", ""), ("abd", "left"), ("ace", "right"), ("dba", "right"),
        ("dbcf", "left"), ("ecf", "right"), ("ecba", "left"), ("fcbd", "right"), ("fce", "left"),
        ("dbce", through.0), ("ecbd", through.1),
      ])
  }

  static let staggered = [
    offset(
      "two streets end 20 m apart", "North Street", "South Street", ("left, right", "left, right")),
    // The street goes on, but at the main road one faces a wall.
    offset(
      "one street is offset by 20 m", "Mill Lane", "Mill Lane", ("left, right", "left, right")),
  ]

  static let slips = [
    Scene(
      title: "a slip road rounds off the corner",
      drawing: "a---b--c--e\n      \n      s\n       \n       d\n\n       f",
      ways: [
        ("abce", "highway=primary name=High Street"), ("cdf", "highway=secondary name=Mill Lane"),
        ("bsd", "highway=primary_link oneway=yes"),
      ], cell: 20,
      reported: [
        ("abce", ""), ("abdf", "right"), ("abcdf", "right"), ("fdce", "right"), ("fdcba", "left"),
      ])
  ]
}

/// Crossings of four arms, and roads that end at another.
enum CrossingScenes {
  static var all: [Scene] { crossings + ends }

  // A driver who comes from the west (a) has the north (d) to his left, the south (e) to his right.
  private static let turns = [
    ("abd", "left"), ("abe", "right"), ("abc", ""), ("cbe", "left"), ("cbd", "right"),
    ("cba", ""), ("dbc", "left"), ("dba", "right"), ("dbe", ""), ("eba", "left"), ("ebc", "right"),
    ("ebd", ""),
  ]

  private static func crossing(
    _ title: String, _ main: String, _ side: String, _ country: String? = nil
  ) -> Scene {
    Scene(
      title: title, drawing: "  d\na-b-c\n  e",
      ways: [("abc", "\(main) name=High Street"), ("dbe", "\(side) name=Mill Lane")],
      country: country, reported: turns)
  }

  static let crossings = [
    crossing("two streets cross", "highway=residential", "highway=residential"),
    crossing("a street crosses a main road", "highway=primary", "highway=residential"),
    crossing("two main roads cross", "highway=primary", "highway=secondary"),
    // Sides are sides, on whichever one drives.
    crossing(
      "two streets cross where one drives on the left", "highway=residential",
      "highway=residential", "GB"),
  ]

  private static let endTurns = [
    ("abc", ""), ("cba", ""), ("abd", "right"), ("cbd", "left"), ("dba", "left"), ("dbc", "right"),
  ]

  private static func end(_ title: String, _ main: String, _ side: String, _ country: String? = nil)
    -> Scene
  {
    Scene(
      title: title, drawing: "a-b-c\n  d",
      ways: [("abc", "\(main) name=High Street"), ("bd", "\(side) name=Mill Lane")],
      country: country, reported: endTurns)
  }

  static let ends = [
    end("a street ends at a street", "highway=residential", "highway=residential"),
    end("a street ends at a main road", "highway=primary", "highway=residential"),
    end("a main road ends at a street", "highway=residential", "highway=tertiary"),
    end(
      "a street ends at a street on the left", "highway=residential", "highway=residential", "GB"),
    // Between nameless roads the way straight on is as plain.
    Scene(
      title: "nameless streets meet", drawing: "a-b-c\n  d",
      ways: [("abc", "highway=residential"), ("bd", "highway=residential")], reported: endTurns),
    Scene(
      title: "a track leaves a street", drawing: "a-b-c\n  d",
      ways: [("abc", "highway=residential name=High Street"), ("bd", "highway=track")],
      reported: [("abc", ""), ("cba", ""), ("abd", "right"), ("dbc", "right"), ("dba", "left")]),
    // The only way on is no turn, however it bends.
    Scene(
      title: "a street bends at a right angle", drawing: "a-b\n  c",
      ways: [("ab", "highway=residential name=A"), ("bc", "highway=residential name=A")],
      reported: [("abc", ""), ("cba", "")]),
    Scene(
      title: "a street bends and a driveway goes straight on", drawing: "a-b-d\n  c",
      ways: [
        ("abc", "highway=residential name=A"), ("bd", "highway=service service=driveway"),
      ], reported: [("abc", ""), ("cba", "")]),
  ]
}

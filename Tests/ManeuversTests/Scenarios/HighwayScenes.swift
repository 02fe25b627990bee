/// Motorways: leaving, joining, parting.
enum HighwayScenes {
  static let all = exits + entries + forks + passing

  private static func exit(
    _ title: String, _ road: String, _ link: String, right: Bool, country: String? = nil
  ) -> Scene {
    let drawing =
      right ? "a-------b-------c\n            x---d" : "            x---d\na-------b-------c"
    return Scene(
      title: title, drawing: drawing, ways: [("abc", road), ("bxd", link)], country: country,
      reported: [("abc", ""), ("abd", right ? "exit right" : "exit left")])
  }

  private static let motorway = "highway=motorway oneway=yes ref=A 1"
  private static let link = "highway=motorway_link oneway=yes"

  static let exits = [
    exit("a motorway's exit", motorway, link, right: true),
    exit("a motorway's exit on the left", motorway, link, right: false),
    exit(
      "a motorway's exit where one drives on the left", motorway, link, right: false, country: "GB"),
    exit(
      "an exit of a trunk road built like a motorway",
      "highway=trunk oneway=yes motorroad=yes ref=B 2",
      "highway=trunk_link oneway=yes", right: true),
    Scene(
      title: "an exit that parts",
      drawing: "a-------b-------c\n            x---d\n                e",
      ways: [("abc", motorway), ("bx", link), ("xd", link), ("xe", link)],
      reported: [
        ("abc", ""), ("abxd", "exit right, fork left"), ("abxe", "exit right, fork right"),
      ]),
    Scene(
      title: "two exits, one after the other",
      drawing:
        "a-------b-------c-------f\n            x   \n                d   y\n                        e",
      ways: [("abcf", motorway), ("bxd", link), ("cye", link)],
      reported: [("abcf", ""), ("abd", "exit right"), ("abce", "exit right")]),
  ]

  private static func entry(_ title: String, fromRight: Bool, country: String? = nil) -> Scene {
    Scene(
      title: title,
      drawing: fromRight
        ? "m-------j-------e\n    r\ns---t---u" : "s---t---u\n    r\nm-------j-------e",
      ways: [
        ("mje", motorway), ("trj", "highway=motorway_link oneway=yes destination=Harbour"),
        ("stu", "highway=secondary name=Ring Road"),
      ], country: country,
      reported: [
        ("mje", ""), ("stu", ""), ("uts", ""),
        ("stje", fromRight ? "ramp left, merge left" : "ramp right, merge right"),
      ])
  }

  static let entries = [
    entry("a ramp joins a motorway from the right", fromRight: true),
    entry("a ramp joins a motorway from the left", fromRight: false),
    entry(
      "a ramp joins from the left where one drives on the left", fromRight: false, country: "GB"),
    Scene(
      title: "a street leads on as a ramp", drawing: "s---t---r\n\nm-----------j-------e",
      ways: [
        ("mje", motorway), ("trj", link), ("st", "highway=secondary name=Ring Road oneway=yes"),
      ], reported: [("mje", ""), ("stje", "ramp ahead, merge right")]),
    Scene(
      title: "a ramp lies straight ahead between two streets",
      drawing: "    u\ns---t-------r\n    d\n\nm-------------------j-------e",
      ways: [
        ("mje", motorway), ("trj", link), ("st", "highway=secondary name=Ring Road"),
        ("utd", "highway=residential name=Side Street"),
      ], reported: [("stje", "ramp ahead, merge right"), ("stu", "left"), ("std", "right")]),
  ]

  private static func fork(_ title: String, _ road: String, _ left: String, _ right: String)
    -> Scene
  {
    Scene(
      title: title, drawing: "                c\na-------b\n                d",
      ways: [("ab", road), ("bc", left), ("bd", right)],
      reported: [("abc", "fork left"), ("abd", "fork right")])
  }

  static let forks = [
    fork("a motorway parts in two", motorway, motorway, "highway=motorway oneway=yes ref=A 2"),
    fork(
      "a motorway parts in two others", motorway, "highway=motorway oneway=yes ref=A 3",
      "highway=motorway oneway=yes ref=A 2"),
    fork("a ramp parts in two", link, link, link),
    fork(
      "a street parts in two like ones", "highway=tertiary name=A", "highway=tertiary name=B",
      "highway=tertiary name=C"),
    fork(
      "a nameless road parts in two like ones", "highway=tertiary", "highway=tertiary",
      "highway=tertiary"),
    Scene(
      title: "a motorway parts in three",
      drawing: "                  c\n\na-------b----------e\n\n                  d",
      ways: [
        ("ab", motorway), ("bc", "highway=motorway oneway=yes ref=A 2"), ("be", motorway),
        ("bd", "highway=motorway oneway=yes ref=A 3"),
      ], reported: [("abc", "fork left"), ("abe", "fork ahead"), ("abd", "fork right")]),
  ]

  static let passing = [
    Scene(
      title: "a ramp joins beside one who stays on", drawing: "m-------j-------e\n    r\n    t",
      ways: [("mje", motorway), ("trj", link)], reported: [("mje", "")]),
    Scene(
      title: "a motorway begins where a trunk road ends", drawing: "a----b----c",
      ways: [("ab", "highway=trunk oneway=yes ref=B 2"), ("bc", motorway)], reported: [("abc", "")]),
    Scene(
      title: "a link joins a street at its end", drawing: "    u\na---b\n    d",
      ways: [
        ("ab", "highway=primary_link oneway=yes"), ("ubd", "highway=primary name=High Street"),
      ],
      reported: [("abu", "left"), ("abd", "right")]),
  ]
}

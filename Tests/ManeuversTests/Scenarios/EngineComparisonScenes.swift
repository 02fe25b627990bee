/// Junctions of real maps at which OSRM and Valhalla agreed, and we did not: docs/benchmarks.md.
enum EngineComparisonScenes {
  static let all = bends + arms + forks + rings + turns + names + chains

  private static let secondary = "highway=secondary name=High Street"

  // Lesser streets beside a bend: below 60 degrees the road only bends, from there on it is a turn.
  static let bends = [
    Scene(
      title: "a main road bends off where a street leaves to the other side",
      drawing: "        d\n\na---b\n\n\n\n      c",
      ways: [("abc", secondary), ("bd", "highway=residential name=Mill Lane")], cell: 20,
      reported: [("abc", "right"), ("abd", "slight_left")]),
    Scene(
      title: "a main road bends a little where a street leaves",
      drawing: "        d\n\na---b\n\n\n\n         c",
      ways: [("abc", secondary), ("bd", "highway=residential name=Mill Lane")], cell: 20,
      reported: [("abc", "")]),
    Scene(
      title: "the name goes straight on by a street", drawing: "a---b---d\n\n\n\n       c",
      ways: [
        ("ab", secondary), ("bc", "highway=secondary name=New Road ref=L1"),
        ("bd", "highway=residential name=High Street"),
      ], cell: 20, reported: [("abc", "right")]),
    Scene(
      title: "a service road beside a bend", drawing: "a---b---d\n\n\n\n    c",
      ways: [("abc", secondary), ("bd", "highway=service")], cell: 20, reported: [("abc", "")]),
    Scene(
      title: "a one-way street comes from straight on", drawing: "a---b---d\n\n\n\n    c",
      ways: [
        ("abc", secondary), ("db", "highway=residential oneway=yes name=Mill Lane"),
      ], cell: 20, reported: [("abc", "right")]),
  ]

  // Joining a road whose other arm comes from behind.
  static let arms = [
    Scene(
      title: "a street comes aside onto a one-way road",
      drawing: " e\n\n\n\n\n\na----b\n\n\n\n\n\n          c",
      ways: [
        ("ab", "highway=residential name=Mill Lane"),
        ("ebc", "highway=primary oneway=yes name=Main Road"),
      ], cell: 10, reported: [("abc", "right"), ("ebc", "")]),
    Scene(
      title: "carriageways of one road meet at an angle",
      drawing: "a\n\n\n      b---c\n\n\ne",
      ways: [
        ("ab", "highway=primary oneway=yes name=Main Road"),
        ("bc", "highway=primary name=Main Road"),
        ("be", "highway=primary oneway=yes name=Main Road"),
      ], cell: 20, reported: [("abc", ""), ("cbe", "")]),
  ]

  static let forks = [
    Scene(
      title: "two like ways at small angles",
      drawing: "                c\n\na-------b\n\n                d",
      ways: [
        ("ab", "highway=tertiary name=A"), ("bc", "highway=tertiary name=B"),
        ("bd", "highway=tertiary name=C"),
      ], cell: 10, reported: [("abc", "fork left"), ("abd", "fork right")]),
    Scene(
      title: "straight on, and a like way aside",
      drawing: "a-------b-------c\n\n\n\n                d",
      ways: [
        ("ab", "highway=tertiary name=A"), ("bc", "highway=tertiary name=B"),
        ("bd", "highway=tertiary name=C"),
      ], cell: 10, reported: [("abc", ""), ("abd", "slight_right")]),
    Scene(
      title: "a lesser street takes the name along beside the road",
      drawing: "                c\n\na-------b\n\n                d",
      ways: [
        ("ab", secondary), ("bc", "highway=secondary name=High Street"),
        ("bd", "highway=residential name=High Street"),
      ], cell: 10, reported: [("abc", "fork left")]),
    Scene(
      title: "the map has a road twice", drawing: "a---b---c\n\n    d",
      ways: [
        ("abc", "highway=primary name=A"), ("bc", "highway=primary name=A surface=asphalt"),
        ("bd", "highway=residential name=B"),
      ], cell: 20, reported: [("abc", "")]),
  ]

  static let rings = [
    Scene(
      title: "a link leads to a roundabout",
      drawing: "e\n\n\n     p\n\na-b--q   s c\n\n     r\n\n     f",
      ways: [
        ("qrspq", "junction=roundabout highway=primary oneway=yes"), ("eba", "highway=primary"),
        ("bq", "highway=primary_link"), ("sc", "highway=primary name=East"),
        ("rf", "highway=primary name=South"),
      ], cell: 15, reported: [("abqrsc", "roundabout 2"), ("abqrf", "roundabout 1")]),
    Scene(
      title: "a street leaves a roundabout where another comes in",
      drawing: "e\n\n    p\na q   s c\n    r\n\n    f",
      ways: [
        ("qrspq", "junction=roundabout highway=primary oneway=yes"),
        ("aq", "highway=primary name=West"), ("qe", "highway=tertiary name=North"),
        ("rf", "highway=primary name=South"), ("sc", "highway=primary name=East"),
      ], cell: 20, reported: [("aqrf", "roundabout 2"), ("aqrsc", "roundabout 3")]),
  ]

  static let turns = [
    Scene(
      title: "two turns to the left, one less than the other",
      drawing: "    d   c\n\n\n\n\n\na---b",
      ways: [
        ("ab", "highway=residential name=A"), ("bc", "highway=residential name=B"),
        ("bd", "highway=residential name=C"),
      ], cell: 20, reported: [("abc", "slight_left"), ("abd", "left")]),
    Scene(
      title: "two turns with a street between", drawing: "a------b---x\n\n\n   d---c---e",
      ways: [
        ("ab", "highway=residential name=A"), ("bc", "highway=residential name=B"),
        ("dce", "highway=residential name=C"), ("bx", "highway=residential name=D"),
      ], cell: 6, reported: [("abcd", "right, right")]),
    Scene(
      title: "turning back over a crossing in two pieces",
      drawing: "f-------e-------d\n\n\n        g---h\n\na-------b-------c",
      ways: [
        ("abc", "highway=primary oneway=yes name=Main"),
        ("def", "highway=primary oneway=yes name=Main"),
        ("bge", "highway=residential name=Cross"), ("gh", "highway=service"),
      ], cell: 5, reported: [("abgef", "u_turn left")]),
  ]

  // A road is itself by its name; a number that goes on under another name is another road to drivers.
  static let names = [
    Scene(
      title: "the number bends off under another name, a lesser street goes straight",
      drawing: "             d\n\n\na   b\n\n\n\n            c",
      ways: [
        ("ab", "highway=secondary name=High Street ref=17"),
        ("bc", "highway=secondary name=Mill Road ref=17"),
        ("bd", "highway=unclassified"),
      ], cell: 20, reported: [("abc", "slight_right")]),
    Scene(
      title: "a bend of the number onto another name beside a lane",
      drawing: "          d\n\n\na   b\n\n\n\n\n\n         c",
      ways: [
        ("ab", "highway=primary name=High Street ref=28"),
        ("bc", "highway=primary name=Mill Road ref=28"),
        ("bd", "highway=unclassified"),
      ], cell: 20, reported: [("abc", "right")]),
    Scene(
      title: "a main road bends by itself, and a lesser road leaves from the outer side",
      drawing: "         c\n\n\n\n\n\na   b\n\n\n\n\n\n   d",
      ways: [
        ("abc", "highway=secondary name=High Street"),
        ("bd", "highway=tertiary name=Mill Road"),
      ], cell: 20, reported: [("abc", ""), ("abd", "right")]),
    Scene(
      title: "a road leaves a straight one at a small angle",
      drawing: "a   b         c\n\n\n              d",
      ways: [
        ("abc", "highway=secondary name=High Street"),
        ("bd", "highway=secondary name=Mill Road"),
      ], cell: 20, reported: [("abd", "slight_right"), ("abc", "")]),
  ]

  // Turns over short pieces of road, as drivers see them.
  static let chains = [
    Scene(
      title: "a left turn over a divided road is one turn",
      drawing:
        "\n\n\n\n                                    c\n\n                 "
        + "               n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n                  "
        + "      e\n\na                   b\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n  "
        + "          f\n\n        s",
      ways: [
        ("abe", "highway=tertiary name=Mill Road"),
        ("fec", "highway=primary oneway=yes name=Main Road"),
        ("nbs", "highway=primary oneway=yes name=Main Road"),
      ], cell: 5, reported: [("abec", "left")]),
    Scene(
      title: "two bends at once are one turn",
      drawing:
        "                                      d\n\n\n\n\n\n\n\n\n\n\n\n\n"
        + "\n\n\n\n\n                        c\n\na                   b\n\n\n"
        + "\n\n\n\n\n\n\n                                    e",
      ways: [
        ("ab", "highway=primary name=High Street"),
        ("bc", "highway=primary oneway=yes"),
        ("cd", "highway=primary oneway=yes name=Low Street"),
        ("ce", "highway=secondary name=Mill Road"),
      ], cell: 5, reported: [("abcd", "left")]),
  ]
}

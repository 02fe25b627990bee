/// Where the way on is plain, and where it only seems so: ramps, roads that part, short pieces.
enum ContinuationScenes {
  static let all = ramps + parts + pieces

  static let ramps = [
    Scene(
      title: "a ramp bends, and another leads back there",
      drawing: "a       b\n\n\n   d\n\n\n          c",
      ways: [
        ("ab", "highway=trunk_link oneway=yes"),
        ("bc", "highway=trunk_link ref=B 3"),
        ("bd", "highway=trunk_link oneway=yes ref=B 3"),
      ], cell: 10, reported: [("abc", "")]),
    Scene(
      title: "a ramp bends where another comes in",
      drawing: "            c\n\n\n\n\n\na       b\n\n\n\n\n\n    d",
      ways: [
        ("ab", "highway=motorway_link oneway=yes"),
        ("dbc", "highway=motorway_link oneway=yes"),
      ], cell: 10, reported: [("abc", "")]),
    Scene(
      title: "a trunk road ends as a street, and its ramp leaves",
      drawing: "a       b       c\n            x   d",
      ways: [
        ("ab", "highway=trunk oneway=yes motorroad=yes ref=B 2"),
        ("bc", "highway=primary oneway=yes name=High Street"),
        ("bxd", "highway=trunk_link oneway=yes"),
      ], cell: 50, reported: [("abd", "exit right")]),
    Scene(
      title: "the only way on is a ramp that turns off",
      drawing: "s   t\n\n\n      r\n       m\n\n\n\n\n\n       j\n\n\n\n\n\n"
        + "       e",
      ways: [
        ("mje", "highway=motorway oneway=yes ref=A 1"),
        ("trj", "highway=motorway_link oneway=yes"),
        ("st", "highway=secondary name=Ring Road oneway=yes"),
      ], cell: 20, reported: [("stje", "ramp right, merge left")]),
    Scene(
      title: "a ramp lies straight ahead, and a street turns off",
      drawing: "s   t       r\n    d\n\nm                   j       e",
      ways: [
        ("mje", "highway=motorway oneway=yes ref=A 1"),
        ("trj", "highway=motorway_link oneway=yes"),
        ("st", "highway=secondary name=Ring Road"),
        ("td", "highway=tertiary name=Side Street"),
      ], cell: 50, reported: [("stje", "ramp ahead, merge right")]),
    Scene(
      title: "a slip road leads back to the other carriageway",
      drawing: "f               x       e\n\na         b             c",
      ways: [
        ("abc", "highway=primary oneway=yes name=Main Road"),
        ("exf", "highway=primary oneway=yes name=Main Road"),
        ("bx", "highway=primary_link oneway=yes"),
      ], cell: 5, reported: [("abxf", "u_turn left")]),
    Scene(
      title: "a ramp goes straight on, and another turns off",
      drawing: "a       b       c\n\n\n\n\n               d",
      ways: [
        ("ab", "highway=motorway_link oneway=yes"),
        ("bc", "highway=motorway_link oneway=yes"),
        ("bd", "highway=motorway_link oneway=yes"),
      ], cell: 10, reported: [("abc", "")]),
    Scene(
      title: "a ramp leaves straight on where the road bends",
      drawing: "\n               c\n\n\n\na       b       d",
      ways: [
        ("abc", "highway=trunk name=High Street"),
        ("bd", "highway=trunk_link oneway=yes"),
      ], cell: 10, reported: [("abc", "")]),
  ]

  static let parts = [
    Scene(
      title: "a street ends in two that bend to both sides",
      drawing: "                           c\n\n\n\n\n\n\n\na           b\n"
        + "\n\n\n\n\n\n\n\n\n                           d",
      ways: [
        ("ab", "highway=tertiary name=A"),
        ("bc", "highway=tertiary name=B"),
        ("bd", "highway=tertiary name=C"),
      ], cell: 5, reported: [("abc", "slight_left"), ("abd", "slight_right")]),
    Scene(
      title: "two like ways, one of them bends more",
      drawing: "                           c\n\n\n\na           b\n\n\n\n\n"
        + "\n\n\n                            d",
      ways: [
        ("ab", "highway=tertiary name=A"),
        ("bc", "highway=tertiary name=B"),
        ("bd", "highway=tertiary name=C"),
      ], cell: 5, reported: [("abd", "fork right")]),
    Scene(
      title: "a numbered road goes on beside another",
      drawing: "                         d\n\n\na       b\n\n\n             "
        + "         c",
      ways: [
        ("abc", "highway=secondary name=High Street ref=17"),
        ("bd", "highway=secondary name=Mill Road"),
      ], cell: 5, reported: [("abc", "")]),
    Scene(
      title: "a named road parts from another without numbers",
      drawing: "                         d\n\n\na       b\n\n\n             "
        + "         c",
      ways: [
        ("abc", "highway=secondary name=High Street"),
        ("bd", "highway=secondary name=Mill Road"),
      ], cell: 5, reported: [("abc", "fork right")]),
    Scene(
      title: "the name ends at a bend, and a service road leads straighter",
      drawing: "                    d\n\n\n\n\n\na         b\n\n\n\n\n\n\n\n"
        + "\n\n\n\n                c",
      ways: [
        ("ab", "highway=primary name=High Street"),
        ("bc", "highway=primary"),
        ("bd", "highway=service"),
      ], cell: 5, reported: [("abc", "right")]),
    Scene(
      title: "the name goes round a bend, and a service road leads straighter",
      drawing: "                    d\n\n\n\n\n\na         b\n\n\n\n\n\n\n\n"
        + "\n\n\n\n                c",
      ways: [
        ("abc", "highway=primary name=High Street"),
        ("bd", "highway=service"),
      ], cell: 5, reported: [("abc", "")]),
  ]

  static let pieces = [
    Scene(
      title: "a short piece of another name between two of one road",
      drawing: "                            c\n\n\n\n\n            x\n\n\na "
        + "      b\n\n\n\n  d",
      ways: [
        ("ab", "highway=secondary name=High Street oneway=yes"),
        ("xc", "highway=secondary name=High Street"),
        ("dbx", "highway=secondary name=Mill Road"),
      ], cell: 5, reported: [("abxc", "")]),
    Scene(
      title: "two bends to one side, no other way at the second",
      drawing: "\n\n        d\n\n\n\n\n\n\n          c\n\n\na       b       "
        + "    f\n\n\n\n            e",
      ways: [
        ("abf", "highway=tertiary name=High Street"),
        ("bc", "highway=tertiary oneway=yes"),
        ("ecd", "highway=primary oneway=yes name=Main Road"),
      ], cell: 5, reported: [("abcd", "left")]),
    Scene(
      title: "a street begins with a short piece that bends more",
      drawing: "\n\na         b         f\n           c\n\n\n               "
        + "     d",
      ways: [
        ("abf", "highway=residential name=High Street"),
        ("bc", "highway=residential name=Mill Lane"),
        ("cd", "highway=residential name=Mill Lane maxspeed=30"),
      ], cell: 3, reported: [("abcd", "slight_right")]),
    Scene(
      title: "a street ends with a short piece that bends",
      drawing: "a\n\n\n         c\n          b         f\n\n\n\n\n\n\n\n\n\n"
        + "\n            d",
      ways: [
        ("ac", "highway=residential name=Mill Lane"),
        ("cb", "highway=residential name=Mill Lane maxspeed=30"),
        ("bf", "highway=residential name=High Street"),
        ("bd", "highway=residential name=Low Street"),
      ], cell: 3, reported: [("acbd", "right")]),
    Scene(
      title: "a third arm at the sharpest angle",
      drawing: "\n    c\n\na                 b       d",
      ways: [
        ("ab", "highway=primary oneway=yes name=Main Road"),
        ("cbd", "highway=primary name=Main Road"),
      ], cell: 10, reported: [("abc", "sharp_left")]),
    Scene(
      title: "a street that is called alike in the driver's language",
      drawing: "      d\n\na     b     c\n\n      e",
      ways: [
        ("ab", "highway=primary name=Triq ta Fuq name:en=Mill Road"),
        ("bc", "highway=primary name=Triq ta Taht name:en=Mill Road"),
        ("dbe", "highway=secondary name=Cross Road"),
      ], cell: 200, reported: [("abc", "")]),
    Scene(
      title: "a road bends sharply by itself",
      drawing: " c\n\n\n\na         b       d",
      ways: [
        ("abc", "highway=primary oneway=yes name=Main Road"),
        ("bd", "highway=residential name=Mill Lane"),
      ], cell: 10, reported: [("abc", "sharp_left")]),
  ]
}

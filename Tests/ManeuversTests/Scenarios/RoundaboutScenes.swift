/// Roundabouts: the exits as drivers count them, on both sides of the world.
enum RoundaboutScenes {
  static let all = four + three + small + odd

  // Ring p north, q west, r south, s east; arms d north, a west, f south, c east.
  private static let ring = "    d\n\n    p\na q   s c\n    r\n\n    f"
  private static let arms = [
    ("aq", "highway=secondary name=West Road"), ("dp", "highway=secondary name=North Road"),
    ("cs", "highway=secondary name=East Road"), ("fr", "highway=secondary name=South Road"),
  ]
  // Against the clock, as where one drives on the right, and with it.
  private static let right = ("qrspq", "junction=roundabout highway=secondary oneway=yes")
  private static let left = ("qpsrq", "junction=roundabout highway=secondary oneway=yes")

  static let four = [
    Scene(
      title: "a roundabout of four arms", drawing: ring, ways: [right] + arms, cell: 25,
      reported: [
        ("aqrf", "roundabout 1"), ("aqrsc", "roundabout 2"), ("aqrspd", "roundabout 3"),
        ("aqrspqa", "roundabout 4"), ("frsc", "roundabout 1"), ("frspd", "roundabout 2"),
        ("frspqa", "roundabout 3"), ("frspqrf", "roundabout 4"), ("cspd", "roundabout 1"),
        ("cspqa", "roundabout 2"), ("cspqrf", "roundabout 3"), ("cspqrsc", "roundabout 4"),
        ("dpqa", "roundabout 1"), ("dpqrf", "roundabout 2"), ("dpqrsc", "roundabout 3"),
        ("dpqrspd", "roundabout 4"),
      ]),
    Scene(
      title: "a roundabout of four arms on the left", drawing: ring, ways: [left] + arms,
      cell: 25, country: "GB",
      reported: [
        ("aqpd", "roundabout 1"), ("aqpsc", "roundabout 2"), ("aqpsrf", "roundabout 3"),
        ("aqpsrqa", "roundabout 4"), ("dpsc", "roundabout 1"), ("dpsrf", "roundabout 2"),
        ("dpsrqa", "roundabout 3"), ("dpsrqpd", "roundabout 4"), ("csrf", "roundabout 1"),
        ("csrqa", "roundabout 2"), ("csrqpd", "roundabout 3"), ("csrqpsc", "roundabout 4"),
        ("frqa", "roundabout 1"), ("frqpd", "roundabout 2"), ("frqpsc", "roundabout 3"),
        ("frqpsrf", "roundabout 4"),
      ]),
  ]

  static let three = [
    Scene(
      title: "a roundabout without a northern arm", drawing: ring,
      ways: [right, arms[0], arms[2], arms[3]], cell: 25,
      reported: [
        ("aqrf", "roundabout 1"), ("aqrsc", "roundabout 2"), ("aqrsqa", "roundabout 3"),
        ("frsc", "roundabout 1"), ("frsqa", "roundabout 2"), ("frsqrf", "roundabout 3"),
        ("csqa", "roundabout 1"), ("csqrf", "roundabout 2"), ("csqrsc", "roundabout 3"),
      ]),
    Scene(
      title: "a roundabout with a way in, and a service road", drawing: ring,
      ways: [
        right, arms[0], ("dp", "highway=secondary name=North Road oneway=yes"), arms[2],
        ("fr", "highway=service"),
      ], cell: 25,
      reported: [
        // Nobody counts the service road, or the arm that one cannot leave by.
        ("aqrsc", "roundabout 1"), ("cspqa", "roundabout 1"), ("dpqa", "roundabout 1"),
        ("dpqrsc", "roundabout 2"),
      ]),
    Scene(
      title: "a roundabout with arms that the driver may not enter", drawing: ring,
      ways: [
        right, arms[0], ("dp", "highway=residential access=private"), arms[2],
        ("fr", "highway=tertiary motor_vehicle=no"),
      ], cell: 25, reported: [("aqrsc", "roundabout 2"), ("cspqa", "roundabout 2")]),
    Scene(
      title: "a roundabout of service roads", drawing: ring,
      ways: [
        ("qrspq", "junction=roundabout highway=service oneway=yes"),
        ("aq", "highway=service name=West Lane"), ("dp", "highway=service service=driveway"),
        ("cs", "highway=service name=East Lane"), ("fr", "highway=service"),
      ], cell: 25, reported: [("aqrsc", "roundabout 2"), ("cspqa", "roundabout 1")]),
    Scene(
      title: "a service road that one leaves a roundabout by", drawing: ring,
      ways: [
        right, arms[0], arms[1], ("cs", "highway=service name=East Lane"),
        ("fr", "highway=service"),
      ], cell: 25, reported: [("aqrsc", "roundabout 2"), ("aqrspd", "roundabout 1")]),
  ]

  // Metres across: a crossing to drivers.
  static let small = [
    Scene(
      title: "a ring as small as a crossing", drawing: ring, ways: [right] + arms, cell: 2,
      reported: [
        ("aqrf", "right"), ("aqrspd", "left"), ("frsc", "right"), ("frspqa", "left"),
        ("cspd", "right"), ("cspqrf", "left"), ("dpqa", "right"), ("dpqrsc", "left"),
      ]),
    // A dozen metres across: an island that one drives round.
    Scene(
      title: "a small roundabout", drawing: ring, ways: [right] + arms, cell: 4,
      reported: [("aqrf", "roundabout 1"), ("aqrsc", "roundabout 2")]),
    Scene(
      title: "a way that begins in a roundabout", drawing: ring,
      ways: [("qrspq", "junction=roundabout highway=secondary oneway=yes name=High Street")] + arms,
      cell: 8, reported: [("pqrsc", "roundabout 3")]),
  ]

  static let odd = [
    Scene(
      title: "two roundabouts, one after the other", drawing: "  p   u\na q s t v c\n  r   w",
      ways: [
        ("qrspq", "junction=roundabout highway=secondary oneway=yes"),
        ("twvut", "junction=roundabout highway=secondary oneway=yes"),
        ("aq", "highway=secondary name=West Road"), ("st", "highway=secondary name=Link Road"),
        ("vc", "highway=secondary name=East Road"),
      ], cell: 25,
      reported: [
        ("aqstvc", "roundabout 1, roundabout 1"), ("cvtsqa", "roundabout 1, roundabout 1"),
      ]
    ),
    Scene(
      title: "a circular road that is named so", drawing: ring,
      ways: [("qrspq", "junction=circular highway=secondary oneway=yes name=The Circus")] + arms,
      cell: 25, reported: [("aqrsc", "roundabout 2"), ("dpqrf", "roundabout 2")]),
  ]
}

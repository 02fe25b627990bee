import Speech
import Testing

import enum Route.WarningKind

@Suite struct EnglishTests {
  static let high = RoadName(name: "High St", number: "N13;EN 13")

  static let table: [(Phrase, String)] = [
    (
      .depart(heading: .north, onto: high, then: nil, inM: 0), "Head north on High Street."
    ),
    (
      .depart(heading: nil, onto: .unknown, then: SpokenManeuver(.turn(.left)), inM: 240),
      "Start on the route. In 250 meters, turn left."
    ),
    (
      .maneuver(
        SpokenManeuver(.turn(.right), onto: high, toward: ["Porto/Centro"]), .full, inM: 612),
      "In 600 meters, turn right onto High Street, N 13 toward Porto, Centro."
    ),
    (
      .maneuver(SpokenManeuver(.turn(.right), onto: high, toward: ["Porto"]), .shortened, inM: 312),
      "In 300 meters, turn right onto High Street."
    ),
    (
      .maneuver(SpokenManeuver(.turn(.slightLeft), onto: high), .terse, inM: 50),
      "Turn slightly left."
    ),
    (
      .maneuver(SpokenManeuver(.endOfRoad(.left)), .full, inM: 800),
      "In 800 meters, turn left at the end of the road."
    ),
    (.maneuver(SpokenManeuver(.uTurn), .terse, inM: 0), "Make a U turn."),
    (
      .maneuver(
        SpokenManeuver(.turn(.left), onto: RoadName(path: .steps), pushes: true), .full, inM: 100),
      "In 100 meters, turn left onto the steps and push your bicycle."
    ),
    (
      .maneuver(SpokenManeuver(.turn(.left), onto: high, pushes: true), .terse, inM: 20),
      "Turn left and push your bicycle."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.left)), then: SpokenManeuver(.turn(.right), pushes: true), .terse,
        inM: 20),
      "Turn left, then turn right and push your bicycle."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.left), pushes: true), then: SpokenManeuver(.turn(.right)), .terse,
        inM: 20),
      "Turn left and push your bicycle, then turn right."
    ),
    (
      .maneuver(SpokenManeuver(.follow, onto: RoadName(path: .steps)), .terse, inM: 10),
      "Take the steps."
    ),
    (
      .maneuver(SpokenManeuver(.follow, onto: RoadName(path: .steps)), .full, inM: 100),
      "In 100 meters, take the steps."
    ),
    (
      .maneuver(SpokenManeuver(.turn(.left), onto: RoadName(path: .crossing)), .named, inM: 10),
      "Turn left onto the crossing."
    ),
    (
      .maneuver(
        SpokenManeuver(
          .takeExit(.right), onto: RoadName(number: "NY 17", country: "US"), toward: ["Elmira"],
          exitNumber: "54"), .full, inM: 800),
      "In 800 meters, take exit 54 on the right onto State Route 17 toward Elmira."
    ),
    (
      .maneuver(SpokenManeuver(.follow, onto: RoadName(number: "A28")), .shortened, inM: 1240),
      "In 1.2 kilometers, continue onto A 28."
    ),
    (.maneuver(SpokenManeuver(.goStraight), .terse, inM: 50), "Go straight."),
    (.maneuver(SpokenManeuver(.keep(.right)), .terse, inM: 50), "Keep right."),
    (.maneuver(SpokenManeuver(.keep(nil)), .terse, inM: 50), "Keep to the middle."),
    (
      .maneuver(
        SpokenManeuver(
          .takeExit(.right), toward: ["Lisboa", "Aveiro", "Ovar"], exitNumber: "12-B"),
        .full, inM: 2300),
      "In 2.3 kilometers, take exit 12 B on the right toward Lisboa and Aveiro."
    ),
    (
      .maneuver(SpokenManeuver(.takeExit(nil), exitNumber: "12"), .terse, inM: 400),
      "Take the exit."
    ),
    (
      .maneuver(SpokenManeuver(.takeRamp(.left), onto: RoadName(number: "I-95")), .full, inM: 300),
      "In 300 meters, take the ramp on the left onto Interstate 95."
    ),
    (.maneuver(SpokenManeuver(.merge(.left)), .terse, inM: 300), "Merge left."),
    (
      .maneuver(SpokenManeuver(.roundabout(exit: 2), onto: high), .shortened, inM: 300),
      "In 300 meters, at the roundabout, take the second exit onto High Street."
    ),
    (.maneuver(SpokenManeuver(.roundabout(exit: 12)), .terse, inM: 9), "Take the 12th exit."),
    (.maneuver(SpokenManeuver(.roundabout(exit: 22)), .terse, inM: 9), "Take the 22nd exit."),
    (.maneuver(SpokenManeuver(.roundabout(exit: nil)), .terse, inM: 9), "Enter the roundabout."),
    (.maneuver(SpokenManeuver(.leaveRoundabout), .terse, inM: 9), "Leave the roundabout."),
    (.maneuver(SpokenManeuver(.boardFerry), .shortened, inM: 90), "In 90 meters, take the ferry."),
    (.maneuver(SpokenManeuver(.leaveFerry), .terse, inM: 90), "Leave the ferry."),
    (
      .maneuver(SpokenManeuver(.arrive(.destination, .right)), .full, inM: 300),
      "In 300 meters, you will reach your destination, on the right."
    ),
    (
      .maneuver(SpokenManeuver(.arrive(.destination, .left)), .terse, inM: 50),
      "Your destination is on the left."
    ),
    (
      .maneuver(SpokenManeuver(.arrive(.stop(name: "Town hall"), nil)), .terse, inM: 50),
      "Your stop, Town hall, is ahead."
    ),
    (
      .maneuver(
        SpokenManeuver(.arriveOffRoad(.destination, distanceM: 1300, .southWest)), .full, inM: 800),
      "In 800 meters, the road ends. Your destination lies off the road, to the southwest."
    ),
    (
      .maneuver(
        SpokenManeuver(.arriveOffRoad(.destination, distanceM: 1300, nil)), .shortened, inM: 300),
      "In 300 meters, the road ends."
    ),
    (
      .maneuver(
        SpokenManeuver(.arriveOffRoad(.destination, distanceM: 1300, .north)), .terse, inM: 50),
      "The road ends ahead."
    ),
    (
      .maneuver(
        SpokenManeuver(.arriveOffRoad(.stop(name: "Mill"), distanceM: 300, .east)), .full, inM: 800),
      "In 800 meters, the road comes nearest to your stop, Mill. It lies off the road, to the east."
    ),
    (
      .maneuver(
        SpokenManeuver(.arriveOffRoad(.stop(name: nil), distanceM: 300, .east)), .terse, inM: 50),
      "The road comes nearest to your stop ahead."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.right)),
        then: SpokenManeuver(.arriveOffRoad(.destination, distanceM: 1300, .north)), .full,
        inM: 200), "In 200 meters, turn right, then the road ends."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.right)), then: SpokenManeuver(.turn(.left)), .shortened, inM: 200),
      "In 200 meters, turn right, then left."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.right), onto: high), then: SpokenManeuver(.roundabout(exit: 3)),
        .full,
        inM: 200),
      "In 200 meters, turn right onto High Street, N 13, then take the third exit."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.right), onto: high), then: SpokenManeuver(.turn(.sharpLeft)), .terse,
        inM: 50), "Turn right, then sharp left."
    ),
    (
      .follow(
        on: RoadName(name: "Main St", number: "B 1"),
        then: SpokenManeuver(.turn(.right), onto: RoadName(name: "First Street")), second: nil,
        inM: 1640),
      "Go straight along Main Street, and in 1.6 kilometers, turn right onto First Street."
    ),
    (
      .follow(
        on: RoadName(number: "A 28"), then: SpokenManeuver(.takeExit(.left), exitNumber: "4"),
        second: SpokenManeuver(.turn(.right), onto: high), inM: 10_300),
      "Go straight along A 28, and in 10 kilometers, take exit 4 on the left, then turn right."
    ),
    (
      .follow(on: .unknown, then: SpokenManeuver(.turn(.right)), second: nil, inM: 300),
      "In 300 meters, turn right."
    ),
    (
      .follow(
        on: high, then: SpokenManeuver(.arriveOffRoad(.destination, distanceM: 1300, .north)),
        second: nil, inM: 300),
      "Go straight along High Street, and in 300 meters, the road ends. "
        + "Your destination lies off the road, to the north."
    ),
    (
      .maneuver(SpokenManeuver(.turn(.right), onto: high, toward: ["Porto"]), .named, inM: 50),
      "Turn right onto High Street."
    ),
    (
      .maneuver(SpokenManeuver(.roundabout(exit: 2), onto: high), .named, inM: 50),
      "Take the second exit onto High Street."
    ),
    (
      .maneuver(
        SpokenManeuver(.takeExit(.left), toward: ["Old Town"], exitNumber: "4"), .named, inM: 50),
      "Take exit 4 on the left toward Old Town."
    ),
    (
      .maneuver(SpokenManeuver(.arrive(.destination, .left)), .named, inM: 50),
      "Your destination is on the left."
    ),
    (
      .maneuver(
        SpokenManeuver(.arriveOffRoad(.destination, distanceM: 1300, .north)), .named, inM: 50),
      "The road ends ahead."
    ),
    (
      .doubleManeuver(
        SpokenManeuver(.turn(.right), onto: high), then: SpokenManeuver(.turn(.left)), .named,
        inM: 50), "Turn right onto High Street, then turn left."
    ),
    (
      .continueFor(
        lengthM: 12_300, on: RoadName(number: "A 28"), then: SpokenManeuver(.takeExit(.right))),
      "Continue for 12 kilometers on A 28, then take the exit on the right."
    ),
    (
      .continueFor(lengthM: 2_040, on: .unknown, then: nil), "Continue for 2 kilometers."
    ),
    (
      .arrived(.destination, .right), "You have reached your destination. It is on the right."
    ),
    (.arrived(.stop(name: nil), nil), "You have reached your stop."),
    (.arrived(.stop(name: "Harbour (old)"), nil), "You have reached your stop, Harbour old."),
    (.missedStop(.stop(name: nil)), "You have passed your stop."),
    (
      .offRoad(.destination, distanceM: 122, .south),
      "The road ends here. Your destination is 100 meters to the south. "
        + "The direct line may cross what nobody can cross."
    ),
    (
      .offRoad(.stop(name: "Mill"), distanceM: 310, .northEast),
      "Your stop, Mill, is 300 meters to the northeast, off the road. "
        + "The direct line may cross what nobody can cross."
    ),
    (
      .offRoad(.stop(name: nil), distanceM: 310, nil),
      "Your stop is 300 meters, off the road. The direct line may cross what nobody can cross."
    ),
    (.offRoadReached, "You have reached your destination."),
    (.offRoute, "You have left the route."),
    (.rerouting, "Rerouting."),
    (.noNewRoute, "No new route was found."),
    (.fasterRoute(gainS: 250, isTaken: false), "There is a faster route. It saves 4 minutes."),
    (
      .fasterRoute(gainS: 3700, isTaken: true),
      "Taking a faster route. It saves 1 hour and 2 minutes."
    ),
    (
      .fasterRoute(gainS: 20, isTaken: false),
      "There is a faster route. It saves less than a minute."
    ),
    (.speedWarning(limitMps: 13.888), "Mind your speed. The limit is 50."),
    (.speedWarning(limitMps: nil), "Mind your speed."),
    (.warner(.safetyCamera, inM: 480), "Safety camera in 500 meters."),
    (.warner(.schoolZone, inM: nil), "School zone."),
    (.signalLost, "Satellite signal lost."),
    (.signalFound, "Satellite signal found."),
    (.tunnel, "Tunnel."),
  ]

  @Test(arguments: table)
  func `each phrase in American English, VO-5 VO-6`(phrase: Phrase, text: String) {
    let utterance = English(region: .us).utterance(for: phrase, units: .metric)
    #expect(utterance.text == text)
  }

  @Test(arguments: [English(region: .us), English(region: .gb)] as [any Language], Self.table)
  func `every language makes every phrase speakable, VO-6`(
    language: any Language, row: (Phrase, String)
  ) {
    for units in Units.allCases {
      let utterance = language.utterance(for: row.0, units: units)
      #expect(utterance.text.last == "." && !utterance.text.contains("  "))
      #expect(utterance.text.allSatisfy { !"/()[]-".contains($0) })
      #expect(utterance.ssml.hasPrefix("<speak") && utterance.ssml.hasSuffix("</speak>"))
      #expect(utterance.ssml.contains("xml:lang=\"\(language.tag)\""))
    }
  }

  @Test(arguments: [
    (Units.metric, 600.0, "600 meters"), (.metric, 48, "50 meters"), (.metric, 3, "10 meters"),
    (.metric, 104, "100 meters"), (.metric, 130, "150 meters"), (.metric, 300, "300 meters"),
    (.metric, 966, "1 kilometer"), (.metric, 1000, "1 kilometer"),
    (.metric, 1240, "1.2 kilometers"),
    (.metric, 9970, "10 kilometers"), (.metric, 12_345, "12 kilometers"),
    (.imperialUS, 25, "80 feet"), (.imperialUS, 150, "500 feet"),
    (.imperialUS, 402, "a quarter mile"),
    (.imperialUS, 805, "half a mile"), (.imperialUS, 1609, "1 mile"),
    (.imperialUS, 2414, "1.5 miles"), (.imperialUS, 24_140, "15 miles"),
    (.imperialUK, 50, "50 yards"), (.imperialUK, 183, "200 yards"),
    (.imperialUK, 805, "half a mile"),
  ])
  func `distances are rounded for the ear, VO-6`(units: Units, lengthM: Double, text: String) {
    let phrase = Phrase.continueFor(lengthM: lengthM, on: .unknown, then: nil)
    let utterance = English(region: .us).utterance(for: phrase, units: units)
    #expect(utterance.text == "Continue for \(text).")
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, -5, 1e300])
  func `a distance that is none is still said`(lengthM: Double) {
    for units in Units.allCases {
      #expect(SpokenDistance(lengthM: lengthM, units: units).tenths > 0)
    }
  }

  @Test func `the road to follow and the maneuver at its end are one sentence, VO-10`() {
    let turn = SpokenManeuver(.turn(.right), onto: RoadName(name: "First Street"))
    let phrase = Phrase.follow(
      on: RoadName(name: "Main Street"), then: turn, second: nil, inM: 1609)
    #expect(
      English(region: .us).text(for: phrase, units: .imperialUS)
        == "Go straight along Main Street, and in 1 mile, turn right onto First Street.")
  }

  @Test func `numbers are said once, and a number alone is a road's, VO-7`() {
    let language = English(region: .us)
    func text(_ action: SpokenAction, _ road: RoadName, stays: Bool = false) -> String {
      language.text(
        for: .maneuver(
          SpokenManeuver(action, onto: road, staysOnRoad: stays), .full, inM: 300), units: .metric)
    }
    #expect(text(.turn(.left), RoadName(number: "7")) == "In 300 meters, turn left onto road 7.")
    #expect(
      text(.turn(.left), RoadName(name: "Estrada Nacional 107", number: "EN 107"))
        == "In 300 meters, turn left onto Estrada Nacional 107.")
    #expect(
      text(.keep(.right), RoadName(number: "A 6"), stays: true)
        == "In 300 meters, keep right to stay on A 6.")
    #expect(
      text(.turn(.right), RoadName(name: "High Street"), stays: true)
        == "In 300 meters, turn right onto High Street.")
    #expect(
      text(.turn(.slightRight), RoadName(name: "High Street"), stays: true)
        == "In 300 meters, turn slightly right to stay on High Street.")
    #expect(
      text(.turn(.straight), RoadName(number: "B 37"), stays: true)
        == "In 300 meters, go straight to stay on B 37.")
    #expect(
      text(.takeExit(.right), RoadName(number: "B 535"), stays: true)
        == "In 300 meters, take the exit on the right to stay on B 535.")
    #expect(
      text(.follow, RoadName(name: "River Road"), stays: true)
        == "In 300 meters, continue on River Road.")
  }

  @Test func `the exits of a second roundabout are its own, VO-5`() {
    func text(_ first: SpokenAction, _ second: SpokenAction, _ wording: ManeuverDetail) -> String {
      English(region: .us).text(
        for: .doubleManeuver(
          SpokenManeuver(first), then: SpokenManeuver(second), wording, inM: 300), units: .metric)
    }
    #expect(
      text(.takeExit(.right), .roundabout(exit: 1), .terse)
        == "Take the exit on the right, then at the roundabout, take the first exit.")
    #expect(
      text(.roundabout(exit: 1), .roundabout(exit: 2), .terse)
        == "Take the first exit, then at the next roundabout, take the second exit.")
    #expect(
      text(.keep(.right), .roundabout(exit: nil), .full)
        == "In 300 meters, keep right, then enter the roundabout.")
    #expect(text(.turn(.straight), .turn(.right), .terse) == "Go straight, then turn right.")
    #expect(
      text(.turn(.left), .roundabout(exit: 2), .full)
        == "In 300 meters, turn left, then take the second exit.")
  }

  @Test func `a first maneuver at once is one sentence with the departure, VO-10`() {
    let text = English(region: .us).text(
      for: .depart(
        heading: .west, onto: RoadName(name: "Long Road"),
        then: SpokenManeuver(.arrive(.destination, nil)), inM: nil), units: .metric)
    #expect(text == "Head west on Long Road, then your destination is ahead.")
  }

  @Test func `British spelling and words`() {
    let british = English(region: .gb)
    let phrase = Phrase.continueFor(lengthM: 1500, on: .unknown, then: nil)
    #expect(british.utterance(for: phrase, units: .metric).text == "Continue for 1.5 kilometres.")
    let camera = Phrase.warner(.railwayCrossing, inM: 200)
    #expect(british.utterance(for: camera, units: .metric).text == "Level crossing in 200 metres.")
  }

  @Test(arguments: [
    ("en-US", "en-US", false), ("en_gb", "en-GB", false), ("en", "en-US", false),
    ("en-AU", "en-US", true), ("tlh", "en-US", true), ("", "en-US", true),
  ])
  func `a language not there falls back and says so, VO-6`(asked: String, got: String, noted: Bool)
  {
    let found = Languages.find(asked)
    #expect(found.language.tag == got)
    #expect((found.note != nil) == noted)
  }
}

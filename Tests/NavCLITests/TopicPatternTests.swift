import Testing

@testable import NavCLI

@Suite struct TopicPatternTests {
  static let published = [
    "ego/location/raw", "ego/weather/rain", "van1/route/active", "van2/route/active",
  ]

  private func pattern(_ name: String) throws -> TopicPattern {
    try TopicPattern(name, vehicle: "ego", published: Self.published)
  }

  @Test(arguments: [
    ("location/raw", "ego/location/raw"), ("weather/rain", "ego/weather/rain"),
    ("weather/", "ego/weather/"), ("guidance/", "ego/guidance/"), ("ego/", "ego/"), ("", ""),
    ("van1/route/active", "van1/route/active"), ("*/location/raw", "*/location/raw"),
    ("_clock", "_clock"), ("_node/", "_node/"),
  ])
  func `the vehicle is added where the name has none`(_ name: String, _ full: String) throws {
    #expect(try pattern(name).text == full)
  }

  @Test(arguments: ["ego/*", "*/", "*", "*/guidance/", "Ego/x", "a//b", "a b", "/x"])
  func `a name that no topic can have is refused`(_ name: String) {
    #expect(throws: Problem.self) { _ = try pattern(name) }
  }

  @Test(
    arguments: [
      ("location/raw", nil), ("ego/weather/rain", nil), ("*/route/active", nil), ("", nil),
      ("guidance/speed", "nothing has been published on ego/guidance/speed yet"),
      (
        "route/active",
        "nothing has been published on ego/route/active yet; 2 vehicles, such as van1, have "
          + "route/active (--vehicle van1), not ego"
      ),
      (
        "ego/weather/ran",
        "nothing has been published on ego/weather/ran yet, and the contract has no such topic; "
          + "did you mean ego/weather/rain?"
      ),
      (
        "xyzzy/plugh/42",
        "nothing has been published on xyzzy/plugh/42 yet, and the contract has no such topic; "
          + "nav topic list shows the topics"
      ),
    ] as [(String, String?)])
  func `a topic without messages is reported with what is near`(
    _ name: String, _ text: String?
  ) throws {
    #expect(try pattern(name).absence(among: Self.published) == text)
  }
}

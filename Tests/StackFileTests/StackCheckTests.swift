import StackFile
import Stage
import Testing

@Suite struct StackCheckTests {
  static let manifests: [String: Manifest] = [
    "bus": Manifest(name: "nav-bus", about: ""),
    "location": Manifest(name: "nav-location-provider", about: "", outputs: ["location/raw"]),
    "matcher": Manifest(
      name: "nav-map-matcher", about: "",
      parameters: [
        ParameterDeclaration(
          "max_snap_m", .double, default: 40, unit: "metres", min: 1, max: 200, "How far."),
        ParameterDeclaration("map", .path, required: true, "The road map."),
        ParameterDeclaration("mode", .string, default: "car", values: ["car", "no"], "Of travel."),
      ], inputs: ["location/raw"], outputs: ["location/matched"], serves: ["match/trace"]),
  ]

  static func text(matcher: String, rest: String = "") -> String {
    "stack: s\nnodes:\n  location: {run: x}\n  matcher:\n    run: y\n    params: \(matcher)\n\(rest)"
  }

  private func problems(
    _ yaml: String, manifests: [String: Manifest] = manifests, leftOut: Set<String> = []
  ) throws -> [String] {
    let (stack, problems) = StackFile.parse(yaml)
    let read = try #require(stack, "\(problems)")
    let (_, found) = StackCheck.check(
      read, manifests: manifests, leftOut: leftOut, folder: "/maps", environment: ["HOME": "/h"])
    return (problems + found).inOrder.map { $0.text(file: "s.yaml") }
  }

  @Test func `what is right passes, and values have their own kinds`() throws {
    let (stack, _) = StackFile.parse(
      Self.text(matcher: "{max_snap_m: 30, map: a.osm, mode: no}"))
    let (checked, problems) = StackCheck.check(
      try #require(stack), manifests: Self.manifests, folder: "/maps")
    #expect(problems.isEmpty, "\(problems)")
    #expect(
      checked.parameters["matcher"]
        == ["max_snap_m": .double(30), "map": .string("/maps/a.osm"), "mode": .string("no")])
  }

  @Test(arguments: [
    (
      "{map: a, max_snap: 3}",
      "s.yaml:6:22: error: nodes.matcher.params: unknown key \"max_snap\" (did you mean "
        + "\"max_snap_m\": metres, 1 to 200, default 40?)"
    ),
    (
      "{map: a, max_snap_m: far}",
      "s.yaml:6:34: error: nodes.matcher.params.max_snap_m: expected a number, found \"far\" "
        + "(metres, 1 to 200, default 40)"
    ),
    (
      "{map: a, max_snap_m: 300}",
      "s.yaml:6:34: error: nodes.matcher.params.max_snap_m: 300 is out of range "
        + "(metres, 1 to 200, default 40)"
    ),
    (
      "{map: a, mode: cra}",
      "s.yaml:6:28: error: nodes.matcher.params.mode: \"cra\" is not one of car, no "
        + "(did you mean \"car\"?)"
    ),
    (
      "{}",
      "s.yaml:6:13: error: nodes.matcher.params: \"map\" is missing: The road map. (a path, required)"
    ),
    (
      "{map: \"${env:NOWHERE}\"}",
      "s.yaml:6:19: error: nodes.matcher.params.map: the environment variable NOWHERE is not set"
    ),
  ])
  func `a wrong parameter is named with its place`(parameters: String, expected: String) throws {
    #expect(try problems(Self.text(matcher: parameters)) == [expected])
  }

  @Test func `the map is given to each node that has such a parameter`() throws {
    let (stack, _) = StackFile.parse(Self.text(matcher: "{}", rest: "map: ~/town.osm\n"))
    let (checked, problems) = StackCheck.check(
      try #require(stack), manifests: Self.manifests, environment: ["HOME": "/h"])
    #expect(problems.isEmpty)
    #expect(checked.parameters["matcher"]?["map"] == .string("/h/town.osm"))
    #expect(checked.parameters["location"]?["map"] == nil)
  }

  @Test func `units and language are given to each node that has none of its own`() throws {
    var manifests = Self.manifests
    for name in ["location", "matcher"] {
      manifests[name]?.parameters += [
        ParameterDeclaration(
          "units", .string, default: "metric", values: ["metric", "imperial_uk"], "Of lengths.")
      ]
    }
    let yaml = Self.text(
      matcher: "{map: a, units: metric}", rest: "units: imperial_uk\nlanguage: de-DE\n")
    let (stack, _) = StackFile.parse(yaml)
    let (checked, found) = StackCheck.check(try #require(stack), manifests: manifests)
    #expect(found.isEmpty)
    #expect(checked.parameters["location"]?["units"] == .string("imperial_uk"))
    #expect(checked.parameters["matcher"]?["units"] == .string("metric"))
    #expect(checked.parameters["location"]?["language"] == nil)
    let wrong = Self.text(matcher: "{map: a}", rest: "units: furlongs\n")
    let problems = try problems(wrong, manifests: manifests)
    #expect(problems.count == 2 && problems.allSatisfy { $0.hasPrefix("s.yaml:7:8: error: ") })
  }

  @Test func `an input that no node publishes is an error unless it comes from outside`() throws {
    var manifests = Self.manifests
    manifests["location"]?.outputs = ["location/rwa"]
    let yaml = Self.text(matcher: "{map: a}")
    #expect(
      try problems(yaml, manifests: manifests) == [
        "s.yaml:4:3: error: nodes.matcher: reads \"location/raw\", and no node publishes it "
          + "(there is \"location/rwa\"): add a node that does, or write external: [location/raw]"
      ])
    #expect(try problems(yaml + "external: [location/]\n", manifests: manifests).isEmpty)
  }

  @Test func `an optional input needs no node that publishes it`() throws {
    var manifests = Self.manifests
    manifests["matcher"]?.inputs = ["location/raw", "scene/settings"]
    let yaml = Self.text(matcher: "{map: a}")
    #expect(try problems(yaml, manifests: manifests).count == 1)
    manifests["matcher"]?.optionalInputs = ["scene/settings"]
    #expect(try problems(yaml, manifests: manifests).isEmpty)
  }

  @Test func `a stage that is left out is named, and the rest may start`() throws {
    let found = try problems(Self.text(matcher: "{map: a}"), leftOut: ["location"])
    #expect(
      found == [
        "s.yaml:4:3: warning: nodes.matcher: reads \"location/raw\", and location, which publishes "
          + "it, is left out"
      ])
  }

  @Test func `only one may write a topic or serve a call`() throws {
    var manifests = Self.manifests
    manifests["location"]?.outputs = ["location/raw", "location/matched"]
    manifests["location"]?.serves = ["match/trace"]
    let found = try problems(Self.text(matcher: "{map: a}"), manifests: manifests)
    #expect(found.count == 2)
    #expect(found[0].contains("location and matcher both publish \"location/matched\""))
    #expect(found[1].contains("location and matcher both serve \"match/trace\""))
  }

  @Test func `any number of providers may write raw locations`() throws {
    var manifests = Self.manifests
    manifests["second"] = manifests["location"]
    #expect(
      try problems(
        Self.text(matcher: "{map: a}").replacing("matcher:", with: "second: {run: z}\n  matcher:"),
        manifests: manifests
      ).isEmpty)
  }

  @Test func `after names nodes that are there, and goes in no circle`() throws {
    #expect(
      try problems(
        "stack: s\nnodes:\n  location: {run: x, after: [macher]}\n  matcher: {run: y, params: {map: a}}\n"
      ) == [
        "s.yaml:3:30: error: nodes.location.after: there is no node \"macher\" "
          + "(did you mean \"matcher\"?)"
      ])
    #expect(
      try problems(
        """
        stack: s
        nodes:
          location: {run: x, after: [matcher]}
          matcher: {run: y, params: {map: a}, after: [location]}
        """
      ) == [
        "s.yaml:3:30: error: nodes.location.after: these nodes wait for each other: "
          + "location after matcher after location"
      ])
  }

  @Test func `start calls are checked down to their fields`() throws {
    var manifests = Self.manifests
    manifests["location"]?.serves = ["navigate/start", "navigate/stop"]
    let found = try problems(
      Self.text(
        matcher: "{map: a}",
        rest: "start:\n  - navigate/strat: {}\n  - navigate/start: {mode: camel}\n"),
      manifests: manifests)
    #expect(found.count == 2)
    #expect(found[0].contains("s.yaml:8:5: error: start[0].navigate/strat: there is no call"))
    #expect(found[0].contains("did you mean \"navigate/start\"?"))
    #expect(found[1].hasPrefix("s.yaml:9:28: error: start[1].navigate/start: mode: "), "\(found)")
  }

  @Test func `expected topics have somebody who publishes them`() throws {
    let found = try problems(
      Self.text(matcher: "{map: a}", rest: "expect: [{topic: location/machted, count: \">= 1\"}]\n")
    )
    #expect(
      found == [
        "s.yaml:7:18: error: expect[0].topic: no node publishes \"location/machted\" "
          + "(did you mean \"location/matched\"?)"
      ])
  }

  @Test func `the command line changes values, and its mistakes are named`() throws {
    let (stack, _) = StackFile.parse(Self.text(matcher: "{map: a, max_snap_m: 3}"))
    var read = try #require(stack)
    let overrides = StackOverrides(
      settings: ["matcher.max_snap_m=25", "mather.a=1", "nonsense"], without: ["locaton"])
    let problems = overrides.apply(to: &read).map { $0.text(file: "s.yaml") }
    #expect(
      problems == [
        "command line: error: --without locaton: there is no node \"locaton\" "
          + "(did you mean \"location\"?)",
        "command line: error: --set mather.a=1: there is no node \"mather\" "
          + "(did you mean \"matcher\"?)",
        "command line: error: --set nonsense: expected node.param=value",
      ])
    let (checked, _) = StackCheck.check(read, manifests: Self.manifests)
    #expect(checked.parameters["matcher"]?["max_snap_m"] == .double(25))
  }

  @Test func `a program that is not known hides no other fault, and causes none`() throws {
    var unknown = Self.manifests
    unknown["matcher"] = nil
    unknown["voice"] = Manifest(
      name: "v", about: "",
      parameters: [ParameterDeclaration("volume", .double, default: 1, "How loud.")],
      inputs: ["location/matched"], calls: ["match/trace"])
    let voice = "  voice: {run: z, params: {volum: 2}}\n"
    let rest = voice + "expect: [{topic: location/matched}]\nstart: [match/trace: {}]\n"
    let found = try problems(Self.text(matcher: "{}", rest: rest), manifests: unknown)
    #expect(found.count { $0.contains("no node") } == 0, "\(found)")
    #expect(found.contains { $0.contains("unknown key \"volum\"") }, "\(found)")
  }

  @Test func `a misspelt key is reported once, and nothing that follows from it`() throws {
    let text = """
      stack: s
      nodes:
        location: {run: x}
        matcher: {rnu: y}
        voice: {run: z, after: [matcher]}
      expect: [{topic: location/matched}]
      """
    var manifests = Self.manifests
    manifests["matcher"] = nil
    manifests["voice"] = Manifest(name: "v", about: "", inputs: ["location/matched"])
    let found = try problems(text, manifests: manifests)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("unknown key \"rnu\" (did you mean \"run\"") ?? false)
  }

  @Test(arguments: [("5", 5), (">= 3", 3), ("> 3", 4), ("<= 3", 1), ("== 0", 1)])
  func `a bound of messages is first met by`(text: String, count: Int) {
    var expectation = Expectation(topic: Located("x", at: .start))
    #expect(expectation.leastCount == 1)
    expectation.count = Bound(text, .messages)
    #expect(expectation.leastCount == count)
  }
}

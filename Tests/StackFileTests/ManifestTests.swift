import Foundation
import Stage
import Testing

@testable import StackFile

/// Manifests of replacement stages: all of their faults at once.
@Suite struct ManifestTests {
  private func read(_ text: String) -> DescribedManifest { ManifestText.read(text, file: "m.json") }

  private func problems(_ text: String) -> [String] {
    read(text).problems.map { $0.text(file: "stack.yaml") }
  }

  static let voice = """
    {
      "$schema": "manifest.schema.json",
      "name": "my-voice", "about": "Says maneuvers \\u00fc.",
      "parameters": [
        {"name": "rate_wpm", "kind": "int", "about": "Speed.", "defaultValue": 160, "unit": "1/min",
         "minimum": 80, "maximum": 400},
        {"name": "voices", "kind": "strings", "about": "Names.", "defaultValue": ["a", "b"]}],
      "inputs": ["route/active", "guidance/maneuver", "mood/of_driver"],
      "requires": ["route/active"], "optionalInputs": ["mood/of_driver"],
      "outputs": ["voice/announcement"], "serves": ["voice/repeat"]
    }
    """

  @Test func `a manifest needs only the lists that it fills, BUS-1`() throws {
    let described = read(Self.voice)
    #expect(described.problems.isEmpty, "\(described.problems)")
    let manifest = try #require(described.manifest)
    #expect(manifest.about == "Says maneuvers ü.")
    #expect(manifest.inputs.count == 3 && manifest.calls.isEmpty && manifest.ownVehicles == nil)
    #expect(manifest.parameters[0].maximum == 400)
    #expect(manifest.parameters[1].defaultValue == .strings(["a", "b"]))
  }

  @Test func `the manifest of each program of ours is read as it was written, BUS-1`() throws {
    let manifest = Manifest(
      name: "nav-x", about: "Does \"this\".",
      parameters: [
        ParameterDeclaration(
          "rate", .double, default: 1.5, required: true, unit: "m/s", min: 0, max: 2, "How fast."),
        ParameterDeclaration("file", .path, "Where."),
        ParameterDeclaration("mode", .string, default: "car", values: ["car", "no"], "How."),
        ParameterDeclaration("all", .bool, default: false, "Whether."),
      ], inputs: ["location/raw"], requires: [], outputs: ["location/matched", "_clock"],
      serves: ["match/trace"], calls: ["route/calculate"], ownVehicles: ["ego"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let described = read(String(decoding: try encoder.encode(manifest), as: UTF8.self))
    #expect(described.problems.isEmpty, "\(described.problems)")
    #expect(described.manifest == manifest)
  }

  @Test func `all faults of a manifest come at once with their places, BUS-14`() {
    let text = """
      {"name": "x",
       "reads": ["route/activ", "ego/location/raw", "navigate/start"],
       "outputs": ["voice/announcement", "voice/announcement", "Voice/Loud"],
       "serves": "voice/repeat",
       "calls": ["route/active", "route/calculat"],
       "requires": ["guidance/road"],
       "parameters": [{"name": "a", "kind": "number", "about": ""},
                      {"name": "b", "kind": "int", "about": "", "default": 3, "defaultValue": 9, "maximum": 5}]}
      """
    #expect(
      problems(text) == [
        "m.json:1:1: error: \"about\" is missing: One sentence that describes its purpose.",
        "m.json:2:2: error: unknown key \"reads\" (did you mean \"inputs\": a list, each text?)",
        "m.json:2:12: warning: inputs[0]: the contract has no topic \"route/activ\" "
          + "(did you mean \"route/active\"?)",
        "m.json:2:27: error: inputs[1]: \"ego/location/raw\" contains a vehicle: write \"location/raw\", "
          + "which applies to every vehicle",
        "m.json:2:47: error: inputs[2]: \"navigate/start\" is a call, not a topic: list it in "
          + "\"calls\" or \"serves\"",
        "m.json:3:36: error: outputs[1]: \"voice/announcement\" is listed twice",
        "m.json:3:58: error: outputs[2]: \"Voice/Loud\" is not a valid name: words of a-z 0-9 . _ - "
          + "separated by /",
        "m.json:4:12: error: serves: expected a list, each text, found \"voice/repeat\"",
        "m.json:5:12: error: calls[0]: \"route/active\" is a topic, not a call: list it in "
          + "\"inputs\" or \"outputs\"",
        "m.json:5:28: warning: calls[1]: the contract has no call \"route/calculat\" "
          + "(did you mean \"route/calculate\"?)",
        "m.json:6:15: error: requires[0]: \"guidance/road\" is not in \"inputs\": add it there",
        "m.json:7:39: error: parameters[0].kind: expected bool | int | double | string | path | "
          + "strings, found \"number\"",
        "m.json:8:59: error: parameters[1]: unknown key \"default\" (did you mean \"defaultValue\": "
          + "a value?)",
        "m.json:8:89: error: parameters[1].defaultValue: b: 9 is out of range, expected int, "
          + "at most 5.0",
      ])
  }

  @Test(arguments: [
    ("", "m.json:1:1: error: the manifest is empty"),
    ("[1]", "m.json:1:1: error: expected a map with name, about, inputs, outputs, …, found a list"),
    (
      "{\"name\": \"x\", \"about\": \"\", \"inputs\": [\"a/b\"",
      "m.json:2:1: error: this is neither JSON nor YAML"
    ),
  ])
  func `what is no manifest is refused with its place, BUS-14`(text: String, expected: String) {
    let found = problems(text)
    #expect(found.count == 1 && found[0].hasPrefix(expected), "\(found)")
  }

  @Test(arguments: 0..<200)
  func `damaged manifests never crash the reader, BUS-14`(seed: Int) {
    var bytes = Array(Self.voice.utf8)
    var state = UInt64(seed + 1)
    for _ in 0..<4 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let index = Int(state >> 33) % bytes.count
      bytes[index] = UInt8(truncatingIfNeeded: state >> 17) & 0x7f
    }
    let described = read(String(decoding: bytes, as: UTF8.self))
    #expect(described.manifest != nil || described.problems.hasErrors)
  }

  @Test func `the schema of manifests in Launch is the one of the program, BUS-1`() throws {
    let root = (#filePath as NSString).resolvingSymlinksInPath
      .split(separator: "/").dropLast(3).joined(separator: "/")
    let committed = try String(
      contentsOfFile: "/\(root)/Launch/manifest.schema.json", encoding: .utf8)
    #expect(
      committed == StackSchema.manifest,
      "run navlaunch --manifest-schema > Launch/manifest.schema.json")
  }
}

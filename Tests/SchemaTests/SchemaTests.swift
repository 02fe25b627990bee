import Foundation
import Testing

@testable import nav_schema

/// A Protocols/ folder that lasts as long as a test.
private struct Drawn: ~Copyable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent(
    "navstack-schema-\(UUID().uuidString)")

  init(_ files: [String: String]) throws {
    for folder in ["types", "topics", "calls"] {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    for (name, text) in files {
      try Data(text.utf8).write(to: root.appendingPathComponent(name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// The complaints of reading and linting, without the folder's name.
  func complaints() throws -> [String] {
    let reader = try ContractReader(root: root)
    let problems = reader.problems + Linter(contract: reader.contract).problems()
    return Set(problems).sorted().map {
      $0.line.replacingOccurrences(of: "\(root.lastPathComponent)/", with: "")
    }
  }
}

private func topic(_ name: String, _ fields: [String], example: String = "{}") -> String {
  """
  topic: \(name)
  version: 1.0
  about: A test.
  class: stream
  max_size: 1 KiB
  writers: one
  fields:
  \(fields.map { "  \($0)" }.joined(separator: "\n"))
  example: \(example)
  """
}

@Suite struct `The contract's rules` {
  private func complaints(_ files: [String: String]) throws -> [String] {
    let drawn = try Drawn(files)
    return try drawn.complaints()
  }

  private func complaints(field: String, example: String) throws -> [String] {
    try complaints(["topics/a_b.yaml": topic("a/b", [field], example: example)])
  }

  @Test func `a sound topic has no complaint`() throws {
    #expect(
      try complaints(
        field: "speed_mps: {type: f64, unit: m/s, min: 0, about: Speed.}",
        example: "{speed_mps: 3}") == [])
  }

  @Test func `a unit must show in the key`() throws {
    let found = try complaints(
      field: "speed: {type: f64, unit: m/s, about: Speed.}", example: "{speed: 3}")
    #expect(found == ["topics/a_b.yaml:8: speed: its unit is m/s, so its key must end in _mps"])
  }

  @Test func `a float without a unit is refused`() throws {
    let found = try complaints(field: "x: {type: f64, about: X.}", example: "{x: 3}")
    #expect(found == ["topics/a_b.yaml:8: x: a float needs a unit; 1 for dimensionless numbers"])
  }

  @Test func `an example out of range, of the wrong type, or with a strange key is refused`() throws
  {
    let field = "n: {type: i64, range: [0, 8], about: N.}"
    #expect(
      try complaints(field: field, example: "{n: 9}") == [
        "topics/a_b.yaml:9: n: 9.0 is out of range"
      ])
    #expect(
      try complaints(field: field, example: "{n: x}") == [
        #"topics/a_b.yaml:9: "x" is not a valid i64"#
      ])
    #expect(
      try complaints(field: field, example: "{n: 1, m: 2}")
        == [#"topics/a_b.yaml:9: unknown key "m"; known here: n"#])
    #expect(
      try complaints(field: field, example: "{}") == [
        #"topics/a_b.yaml:9: "n" is missing in the example"#
      ])
  }

  @Test func `an unknown key of a file is named with its line`() throws {
    let found = try complaints(
      field: "n: {type: i64, optinal: true, about: N.}", example: "{n: 1}")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix(#"topics/a_b.yaml:8: unknown key "optinal""#))
  }

  @Test func `no topic begins with another one`() throws {
    let field = ["n: {type: i64, about: N.}"]
    let found = try complaints([
      "topics/a_b.yaml": topic("a/b", field, example: "{n: 1}"),
      "topics/a_bc.yaml": topic("a/bc", field, example: "{n: 1}"),
    ])
    #expect(
      found == [
        "topics/a_bc.yaml:1: topic a/bc begins with topic a/b: subscribers of the shorter name receive both"
      ])
  }

  @Test func `a type that is not there is named`() throws {
    let found = try complaints(field: "r: {type: raod, about: R.}", example: "{r: {}}")
    #expect(found.contains(#"topics/a_b.yaml:8: r: there is no type "raod""#))
  }
}

@Suite struct `The additive rule` {
  private func breaks(
    _ before: [String], _ after: [String], old: String = "{n: 1}", new: String = "{n: 1}"
  ) throws -> [String] {
    let first = try Drawn(["topics/a_b.yaml": topic("a/b", before, example: old)])
    let second = try Drawn(["topics/a_b.yaml": topic("a/b", after, example: new)])
    let change = ContractDiff(
      old: try ContractReader(root: first.root).contract,
      new: try ContractReader(root: second.root).contract)
    return change.problems().map(\.text)
  }

  private let base = "n: {type: i64, range: [0, 8], about: N.}"

  @Test func `an optional field, a list and a wider range may come`() throws {
    let after = [
      "n: {type: i64, range: [0, 9], about: N.}", "m: {type: i64, optional: true, about: M.}",
      "l: {type: list, of: str, about: L.}", "d: {type: bool, default: false, about: D.}",
    ]
    #expect(try breaks([base], after) == [])
  }

  @Test func `a required field may not come, and none may go`() throws {
    let required = [base, "m: {type: i64, about: M.}"]
    #expect(try breaks([base], required) == ["m: a new field must be optional"])
    #expect(try breaks(required, [base]) == ["a_b.m was removed"])
  }

  @Test func `type, unit and range may not change against a reader`() throws {
    #expect(
      try breaks([base], ["n: {type: u64, range: [0, 8], about: N.}"])
        == ["n: its type changed"])
    #expect(
      try breaks([base], ["n: {type: i64, unit: s, range: [0, 8], about: N.}"])
        == ["n: its unit changed"])
    #expect(
      try breaks([base], ["n: {type: i64, range: [1, 8], about: N.}"])
        == ["n: its range became narrower"])
  }

  @Test func `words may come only to open sets`() throws {
    func field(_ open: String, _ words: String) -> [String] {
      ["n: {type: enum\(open), values: [\(words)], about: N.}"]
    }
    let old = "{n: a}"
    #expect(
      try breaks(field("", "a"), field("", "a, b"), old: old, new: old)
        == ["new values b in an enumeration that is not open"])
    #expect(
      try breaks(
        field(", open: true", "a, other"), field(", open: true", "a, b, other"), old: old, new: old)
        == [])
    #expect(
      try breaks(field("", "a, b"), field("", "a"), old: old, new: old) == [
        "the value b was removed"
      ])
  }

  @Test func `another major version may change all`() throws {
    let first = try Drawn(["topics/a_b.yaml": topic("a/b", [base], example: "{n: 1}")])
    let text = topic("a/b", ["m: {type: i64, about: M.}"], example: "{m: 1}")
      .replacingOccurrences(of: "1.0", with: "2.0")
    let second = try Drawn(["topics/a_b.yaml": text])
    let change = ContractDiff(
      old: try ContractReader(root: first.root).contract,
      new: try ContractReader(root: second.root).contract)
    #expect(change.problems() == [])
  }
}

@Suite struct `Generated files` {
  private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `none of the generated files is stale`() throws {
    let reader = try ContractReader(root: Self.root.appendingPathComponent("Protocols"))
    #expect(reader.problems == [])
    #expect(Linter(contract: reader.contract).problems() == [])
    let files = try GeneratedFiles(contract: reader.contract, root: Self.root)
    #expect(files.stale() == [])
  }
}

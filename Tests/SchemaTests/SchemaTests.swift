import Foundation
import Testing

@testable import nav_schema

/// A Protocols/ folder that lasts as long as a test.
private struct Drawn: ~Copyable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent(
    "navstack-schema-\(UUID().uuidString)")

  init(_ files: [String: String]) throws {
    for folder in ["types", "topics", "calls", "control"] {
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

private func operation(
  _ name: String, _ keys: [String], from sender: String = "node", example: String = "{}"
) -> String {
  """
  op: \(name)
  section: all
  from: \(sender)
  about: A test.
  keys:
  \(keys.map { "  \($0)" }.joined(separator: "\n"))
  example: \(example)
  """
}

private let pair = """
  record: pair
  swift: Pair
  about: A pair.
  list: true
  keys:
    a: {type: str, about: A.}
    b: {type: u64, about: B.}
  example: {a: x, b: 7}
  """

@Suite struct `Control messages` {
  private let token = "token: {type: u64, optional: true, about: Token.}"
  private let name = "name: {type: str, about: Name.}"
  private let pairs = "pairs: {type: list, of: pair, about: Pairs.}"
  private let slots = "slots: {type: list, of: u64, optional: true, about: Slots.}"

  private func complaints(_ files: [String: String]) throws -> [String] {
    let drawn = try Drawn(files)
    return try drawn.complaints()
  }

  private func contract(_ files: [String: String]) throws -> Contract {
    let drawn = try Drawn(files)
    let reader = try ContractReader(root: drawn.root)
    #expect(reader.problems == [])
    return reader.contract
  }

  private func page(_ keys: [String], example: String) -> [String: String] {
    ["control/ask.yaml": operation("ask", keys, example: example), "control/pair.yaml": pair]
  }

  @Test func `a sound operation and its record have no complaint`() throws {
    let keys = [token, name, pairs, slots]
    #expect(try complaints(page(keys, example: "{name: x, pairs: [$pair]}")) == [])
  }

  @Test func `a wrong sender, key, type or example is refused with its line`() throws {
    let sender = operation("ask", [name], from: "me", example: "{name: x}")
    #expect(
      try complaints(["control/ask.yaml": sender]) == [
        #"control/ask.yaml:1: "from" must be node, broker or both"#
      ])
    let word = "op: {type: str, about: Op.}"
    #expect(
      try complaints(page([word], example: "{op: x}")) == [
        "control/ask.yaml:6: op: this key is the name of the operation"
      ])
    let set = "kind: {type: enum, values: [a, b], about: Kind.}"
    #expect(
      try complaints(page([set], example: "{kind: a}")) == [
        "control/ask.yaml:6: kind: a control message has no enumerations: use str"
      ])
    let standard = "n: {type: u64, default: 1, about: N.}"
    #expect(
      try complaints(page([standard], example: "{n: 2}")) == [
        "control/ask.yaml:6: n: a key of a control message must not have a default"
      ])
    #expect(
      try complaints(page([name], example: "{}")) == [
        #"control/ask.yaml:7: "name" is missing in the example"#
      ])
    let misnamed = ["control/tell.yaml": operation("ask", [name], example: "{name: x}")]
    #expect(
      try complaints(misnamed) == ["control/tell.yaml:1: the file of ask must be named after it"])
  }

  @Test func `a record is for control messages, and a type for other messages`() throws {
    var files = page([name], example: "{name: x}")
    files["topics/a_b.yaml"] = topic(
      "a/b", ["pairs: {type: list, of: pair, about: Pairs.}"], example: "{pairs: [$pair]}")
    #expect(
      try complaints(files) == [#"topics/a_b.yaml:8: pairs: there is no type "pair""#])
    let type = """
      type: thing
      about: A thing.
      fields:
        n: {type: u64, about: N.}
      example: {n: 1}
      """
    let things = operation(
      "ask", ["things: {type: list, of: thing, about: T.}"], example: "{things: [$thing]}")
    let found = try complaints(["types/thing.yaml": type, "control/ask.yaml": things])
    #expect(found == [#"control/ask.yaml:6: things: there is no type "thing""#])
  }

  @Test func `an operation and its required keys may not go, and only optional keys may come`()
    throws
  {
    let before = try contract(page([name], example: "{name: x}"))
    func breaks(_ files: [String: String]) throws -> [String] {
      ContractDiff(old: before, new: try contract(files)).problems().map(\.text).sorted()
    }
    #expect(try breaks(page([token, name, slots], example: "{name: x}")) == [])
    let required = "run: {type: u64, about: Run.}"
    #expect(
      try breaks(page([name, required], example: "{name: x, run: 1}")) == [
        "run: a new field must be optional"
      ])
    #expect(try breaks(page([token], example: "{}")) == ["control_ask.name was removed"])
    #expect(try breaks(["control/pair.yaml": pair]) == ["operation ask was removed"])
    let other = operation("ask", [name], from: "broker", example: "{name: x}")
    #expect(
      try breaks(["control/ask.yaml": other]) == [
        "record pair was removed", "the sender of an operation may not change",
      ])
  }

  @Test func `the example begins with the word, and leaves out empty lists`() throws {
    let contract = try contract(page([token, name, pairs, slots], example: "{name: x}"))
    let files = GoldenEmitter(contract: contract).files()
    var bytes: [UInt8] = [0x82]
    for text in ["op", "ask", "name", "x"] {
      bytes.append(0xa0 | UInt8(text.utf8.count))
      bytes += Array(text.utf8)
    }
    #expect(files["control/ask.msgpack"] == Data(bytes))
    let full = try self.contract(page([name, pairs], example: "{name: x, pairs: [$pair]}"))
    let json = GoldenEmitter(contract: full).files()["control/ask.json"] ?? Data()
    #expect(String(decoding: json, as: UTF8.self).contains(#"["x", 7]"#))
  }

  @Test func `tables stand between their marks, and a missing mark is reported`() throws {
    let page = ControlPageEmitter(
      contract: try contract(page([name, slots], example: "{name: x}")))
    let empty =
      "before\n" + ControlPageEmitter.begin("all") + ControlPageEmitter.end + "between\n"
      + ControlPageEmitter.begin("records") + "old\n" + ControlPageEmitter.end + "after\n"
    let text = try #require(page.replaced(in: empty))
    #expect(text.hasPrefix("before\n") && text.hasSuffix("after\n"))
    #expect(text.contains("| **`ask`** | | to the broker | A test. |\n| `name` | str |"))
    #expect(text.contains("| `slots` | list of u64 | optional | Slots. |"))
    #expect(text.contains("| **pair** | | list | A pair. |"))
    #expect(!text.contains("old"))
    #expect(page.replaced(in: text) == text)
    #expect(page.replaced(in: "before\n") == nil)
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

import Foundation
import Fuzzing
import StackFile
import Stage

/// Stack files, as people and editors spoil them.
struct StackFileTarget: FuzzTarget {
  static let name = "stacks"
  static let about = "stack.yaml: read, and checked against the stages that it names"

  private let files: [[UInt8]]
  private let lines: [[UInt8]]
  private let manifests: [String: Manifest]

  init(_ corpus: Corpus) throws {
    let folder = corpus.root.appendingPathComponent("Launch").path
    files = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".yaml") }.sorted().map { try corpus.bytes(of: "Launch/\($0)") }
    lines = files.flatMap { $0.split(separator: 10).map(Array.init) } + Self.strange
    let names = [
      "location", "matcher", "router", "navigator", "poller", "traffic", "voice", "renderer",
    ]
    let all = try Benches().all.map(\.manifest)
    manifests = Dictionary(uniqueKeysWithValues: zip(names, all))
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var file = dice.pick(files)
    var rows = file.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    for _ in 0...(dice.oneIn(2) ? 0 : dice.below(5)) where !rows.isEmpty {
      let row = dice.below(rows.count)
      switch dice.below(8) {
      case 0: rows.remove(at: row)
      case 1: rows.insert(dice.pick(lines), at: row)
      case 2: rows.swapAt(row, dice.below(rows.count))
      case 3: rows[row] = Array(repeating: 32, count: dice.below(9)) + rows[row].drop { $0 == 32 }
      case 4, 5:
        guard let colon = rows[row].firstIndex(of: 58) else { continue }
        rows[row] = rows[row][...colon] + Array(" \(dice.pick(Self.values))".utf8)
      case 6: rows[row] = Self.strange[dice.below(Self.strange.count)]
      default: ByteMutation.spoil(&rows[row], with: lines, &dice)
      }
    }
    file = Array(rows.joined(separator: [10]))
    if dice.oneIn(8) { ByteMutation.spoil(&file, with: files, &dice) }
    return [file]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let text = String(decoding: input[0], as: UTF8.self)
    let (stack, problems) = StackFile.parse(text)
    // YAML knows line ends that others do not.
    let ends: Set<Character> = ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"]
    // What is missing at the end is missed in the line after it.
    try check(problems, lineCount: text.count(where: ends.contains) + 2)
    guard let stack else {
      try promise(problems.hasErrors, "nothing is wrong, and there is no stack")
      return "unreadable"
    }
    guard !problems.hasErrors else { return "wrong" }
    let (_, more) = StackCheck.check(stack, manifests: manifests, folder: "/nowhere")
    try check(more, lineCount: .max)
    return more.hasErrors ? "unfit" : "fit"
  }

  private func check(_ problems: [StackProblem], lineCount: Int) throws(Broken) {
    for problem in problems {
      try promise(!problem.message.isEmpty, "a problem without a sentence")
      try promise(
        (0...lineCount).contains(problem.place.line) && problem.place.column >= 0,
        "a problem in line \(problem.place.line) of \(lineCount): \(problem.message)")
    }
  }

  private static let values = [
    "", "~", "true", "-1", "1e309", "99999999999999999999", "0x7f", "nan", "'", "\"", "[]", "{}",
    "[1, [2, [3]]]", "{a: {b: c}}", "&a [*a]", "*nowhere", "!!binary AAAA", "1h30m", "-5s", "9e99s",
    "999999999TiB", "../../etc/passwd", "${env:HOME}", "${env:", "(((((((((((a+)+)+)+$", ">= 8 Hz",
    ">= nan Hz", "tcp://0.0.0.0:99999", "tcp://[::1", "\u{202e}abc", "|", ">", "- - -", "? x",
  ]

  private static let strange: [[UInt8]] = [
    "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: [*d, *d]", "<<: *a",
    "\tkey: tab", "--- # another document", "...", "%YAML 9.9", "nodes:", "  bus: {run: x}",
    "  matcher: {run: 'a b", "expect: [{topic: x, rate: '>= 1 parsec'}]",
    String(repeating: "[", count: 300), String(repeating: "{a: ", count: 300),
    "defaults: {restart: {on: sometimes, first: -1s, give_up: {times: -9, within: 0s}}}",
    "    ready: {log: '(', port: 70000, exit: maybe}",
    "    after: [location, matcher, nobody, bus]",
    "    limits: {memory: -1, files: 1e9}", "vehicles: [ego, ego, '', 7]",
  ].map { Array($0.utf8) }
}

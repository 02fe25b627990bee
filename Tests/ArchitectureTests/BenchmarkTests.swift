import Foundation
import Testing

/// docs/benchmarks.md, which Benchmarks/page.py writes from Benchmarks/results.
@Suite struct BenchmarkTests {
  static let lines = Line.all(of: "docs/benchmarks.md")
  static let package = Tree.text("Package.swift") ?? ""

  @Test func `the page has at most 150 lines and defines the goals P1 to P16`() {
    // The text ends with a newline, so the last line is empty.
    #expect(Self.lines.count - 1 <= 150)
    for number in 1...16 {
      #expect(Self.lines.contains { $0.text.hasPrefix("| **P\(number)** ") }, "P\(number)")
    }
  }

  @Test func `each command of a row begins with a program that is there`() {
    for line in Self.lines where line.text.hasPrefix("| ") {
      let cell = line.text.split(separator: "|").last.map(String.init) ?? ""
      for command in cell.split(separator: "`") where command.contains(where: \.isLetter) {
        let program = command.split(separator: " ").first.map(String.init) ?? ""
        guard program != "command" else { continue }
        let isThere =
          program.contains("/") ? Tree.exists(program) : Self.package.contains("\"\(program)\"")
        #expect(isThere, "\(line): there is no \(program)")
      }
    }
  }
}

import Foundation
import Testing

/// docs/features.md against the tests that it names.
@Suite struct FeatureTests {
  struct Row {
    let id: String
    let state: String
    /// File and name of each test.
    let tests: [(file: String, name: String)]
    let line: Line
  }

  static let page = "docs/features.md"

  /// Rows `| MM-1 | what | state | FILE: name · FILE: name |`.
  static let rows: [Row] = Line.all(of: page).compactMap { line in
    let cells = line.text.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard cells.count == 6, cells[1].contains("-"), cells[1].last?.isNumber == true
    else { return nil }
    let tests = cells[4].components(separatedBy: " · ").compactMap { text in
      text.range(of: ": ").map {
        (file: String(text[..<$0.lowerBound]), name: String(text[$0.upperBound...]))
      }
    }
    return Row(id: cells[1], state: cells[3], tests: tests, line: line)
  }

  /// `Contract: LOC 7, MM 14` gives LOC-1 … LOC-7, MM-1 … MM-14.
  static let contract: [String] = {
    guard let line = Line.all(of: page).first(where: { $0.text.hasPrefix("Contract: ") })
    else { return [] }
    return line.text.dropFirst("Contract: ".count).split(separator: ",").flatMap { part in
      let words = part.split(separator: " ")
      guard words.count == 2, let count = Int(words[1]), count > 0 else { return [String]() }
      return (1...count).map { "\(words[0])-\($0)" }
    }
  }()

  @Test func `every ID of the contract has one row, and no row is of another`() {
    #expect(Self.contract.count == 120)
    #expect(Self.rows.map(\.id).sorted() == Self.contract.sorted())
  }

  @Test func `a row claims nothing without a test, and denies none`() {
    for row in Self.rows {
      switch row.state {
      case "yes": #expect(!row.tests.isEmpty, "\(row.line)")
      case "not yet": #expect(row.tests.isEmpty, "\(row.line)")
      default:
        #expect(row.state.hasPrefix("partly: "), "\(row.line)")
        #expect(!row.tests.isEmpty, "\(row.line)")
      }
    }
  }

  @Test func `each named test is there and carries the row's ID`() {
    for row in Self.rows {
      for test in row.tests {
        let text = Tree.text("Tests/\(test.file)") ?? ""
        #expect(text.contains(test.name), "\(row.id): Tests/\(test.file) has no \(test.name)")
        let ids = test.name.replacing("_", with: "-").split {
          !$0.isLetter && !$0.isNumber && $0 != "-"
        }
        .flatMap { $0.components(separatedBy: "--") }
        #expect(ids.contains(row.id), "\(row.id): \(test.name)")
      }
    }
  }
}

import Foundation
import Testing

/// A page of docs/ that is written from what the code does.
enum GeneratedPage {
  static let variable = "NAV_WRITE_DOCS"
  static let howTo = "run `\(variable)=1 swift test --filter TagTableTests` and commit the result."

  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Compares a page with its text, or writes it where the environment asks for that.
  static func check(_ path: String, _ text: String) throws {
    let file = root.appending(path: path)
    if ProcessInfo.processInfo.environment[variable] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let old = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard old != text else { return }
    let (was, now) = (old.split(separator: "\n"), text.split(separator: "\n"))
    let place = zip(was, now).enumerated().first { $0.element.0 != $0.element.1 }
    Issue.record(
      """
      \(path) is stale: \(howTo)
      line: \(place.map { String($0.element.0) } ?? "the page ends early")
      code: \(place.map { String($0.element.1) } ?? "has \(now.count) lines, not \(was.count)")
      """)
  }
}

import Foundation

/// The tracked tree as the tests see it: text files by their path from the root of the package.
enum Tree {
  /// The root of the package, found from this file's own place.
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file; nil where there is none or it is no UTF-8.
  static func text(_ path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// Paths of the files below `folder`, sorted; links and what is not tracked are passed over.
  static func files(below folder: String, suffix: String = "") -> [String] {
    let base = folder.isEmpty ? root : root.appending(path: folder)
    guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
    var found: [String] = []
    for case let path as String in walk {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if untracked.contains(name) || name.hasPrefix(".build-") {
        walk.skipDescendants()
      } else if name.hasSuffix(suffix),
        walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular
      {
        found.append(folder.isEmpty ? path : "\(folder)/\(path)")
      }
    }
    return found.sorted()
  }

  private static let untracked: Set<String> = [
    ".git", ".build", ".cache", ".swiftpm", "__pycache__", "vendor", "recordings",
    "Package.resolved", "node_modules",
  ]
}

/// A line of a file.
struct Line: CustomStringConvertible {
  let path: String
  let number: Int
  let text: String

  var description: String { "\(path):\(number): \(text.trimmingCharacters(in: .whitespaces))" }

  static func all(of path: String) -> [Line] {
    (Tree.text(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated().map { Line(path: path, number: $0.offset + 1, text: String($0.element)) }
  }

  /// The line without a comment at its end and without the words of its text literals.
  var code: String {
    var result = ""
    var inText = false
    var last: Character = " "
    for character in text {
      if character == "\"", last != "\\" { inText.toggle() }
      if character == "/", last == "/", !inText { return String(result.dropLast()) }
      if !inText { result.append(character) }
      last = character
    }
    return result
  }
}

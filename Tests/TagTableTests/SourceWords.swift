import Foundation

/// The words in quotes in the sources of the map maker.
struct SourceWords {
  /// Words to which the code compares keys and values, with the file of each.
  private(set) var words: [String: String] = [:]
  /// Keys that the code looks up by name: `tags["x"]`, `tags.isYes("x")`.
  private(set) var lookups: [String: String] = [:]

  /// Files whose words are no tags that are read: the demo's town, tables by country, output.
  private static func isRead(_ name: String) -> Bool {
    name.hasSuffix(".swift") && !name.hasPrefix("Town") && !name.hasPrefix("Country")
      && name != "OSMXML.swift"
  }

  init() throws {
    let folder = GeneratedPage.root.appending(path: "Sources/Core/MapMaking")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      guard Self.isRead(name) else { continue }
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") { read(String(line), name) }
    }
  }

  private mutating func read(_ line: String, _ file: String) {
    let code = line.trimmingCharacters(in: .whitespaces)
    guard !code.hasPrefix("//") else { return }
    for match in code.matches(of: /"((?:[^"\\]|\\.)*)"/) {
      // What stands around an interpolation are words of their own.
      for part in String(match.1).split(separator: /\\\([^)]*\)/) {
        let word = String(part)
        if word.wholeMatch(of: /:?[A-Za-z0-9_-][A-Za-z0-9_:-]+/) != nil { words[word] = file }
      }
    }
    for match in code.matches(of: /(?:tags|full\.tags)\["([^"\\]+)"|isYes\("([^"\\]+)"\)/) {
      if let key = match.1 ?? match.2 { lookups[String(key)] = file }
    }
  }
}

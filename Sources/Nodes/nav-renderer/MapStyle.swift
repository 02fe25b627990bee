import Foundation
import Stage

/// The map's style: a template with named colours, and a palette of them for each theme.
struct MapStyle: Sendable {
  let themes: [String]
  private let texts: [String: String]

  /// Reads the template, and replaces colours of every palette by `replacing` (`name=#rrggbb`).
  ///
  /// - Throws: `StageFailure` for a file that is no such template, or a colour that is not one.
  init(file: String, replacing: [String]) throws(StageFailure) {
    guard let data = FileManager.default.contents(atPath: file),
      let root = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
      var style = root["style"] as? [String: Any],
      let palettes = root["palettes"] as? [String: [String: String]]
    else { throw StageFailure("\(file) is not the template of a map style") }
    let changes = try Self.changes(replacing, palettes: palettes)
    var texts: [String: String] = [:]
    for (theme, colours) in palettes {
      let palette = colours.merging(changes) { _, new in new }
      style["metadata"] = ["palette": palette]
      guard let text = Self.filled(style, with: palette) else {
        throw StageFailure("\(file) is not the template of a map style")
      }
      texts[theme] = text
    }
    self.texts = texts
    themes = palettes.keys.sorted()
  }

  /// The style of a theme, for a server at `origin` with the map of that name; nil for no such theme.
  func text(theme: String, origin: String, map: String) -> String? {
    texts[theme]?
      .replacingOccurrences(of: "{origin}", with: origin)
      .replacingOccurrences(of: "{map}", with: map)
  }

  /// The template as text, with `@name` replaced by the palette's colour.
  private static func filled(_ style: [String: Any], with palette: [String: String]) -> String? {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? JSONSerialization.data(withJSONObject: style, options: options) else {
      return nil
    }
    var text = String(decoding: data, as: UTF8.self)
    for (name, colour) in palette {
      text = text.replacingOccurrences(of: "\"@\(name)\"", with: "\"\(colour)\"")
    }
    return text
  }

  private static func changes(
    _ list: [String], palettes: [String: [String: String]]
  ) throws(StageFailure) -> [String: String] {
    var changes: [String: String] = [:]
    for entry in list {
      let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, palettes.values.contains(where: { $0[parts[0]] != nil }) else {
        let names = Set(palettes.values.flatMap(\.keys)).sorted().joined(separator: ", ")
        throw StageFailure("colours: \"\(entry)\" is not name=#rrggbb with a name of \(names)")
      }
      let digits = parts[1].dropFirst()
      guard parts[1].hasPrefix("#"), [3, 6, 8].contains(digits.count),
        digits.allSatisfy(\.isHexDigit)
      else { throw StageFailure("colours: \"\(parts[1])\" is no colour; write #rrggbb") }
      changes[parts[0]] = parts[1]
    }
    return changes
  }
}

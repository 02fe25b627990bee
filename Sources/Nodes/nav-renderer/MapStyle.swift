import Foundation
import MessagePack
import Scene
import Stage

/// The map's style: a template with named colours, and a palette of them for each theme and set of
/// colours.
struct MapStyle: Sendable {
  /// The set of colours that is served if a page requests no other.
  static let standard = "standard"

  let themes: [String]
  /// Names of the sets of colours, `standard` first.
  let sets: [String]
  private let template: String
  private let palettes: [String: [String: String]]
  /// The colours that differ from the palette of a theme, by set and theme.
  private let changes: [String: [String: [String: String]]]

  /// The mark in the style that is replaced by the current palette, so that the page can draw with
  /// it.
  private static let paletteMark = "@palette"

  /// Reads the template.
  ///
  /// - Throws: `StageFailure` for a file that is not such a template, or that has other colours
  ///   than `SceneColour.names`.
  init(file: String) throws(StageFailure) {
    guard let data = FileManager.default.contents(atPath: file),
      let root = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
      var style = root["style"] as? [String: Any],
      let palettes = root["palettes"] as? [String: [String: String]],
      let changes = root["colour_sets"] as? [String: [String: [String: String]]]
    else { throw StageFailure("\(file) is not the template of a map style") }
    style["metadata"] = ["palette": Self.paletteMark]
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? JSONSerialization.data(withJSONObject: style, options: options) else {
      throw StageFailure("\(file) is not the template of a map style")
    }
    for (theme, colours) in palettes where Set(colours.keys) != SceneColour.names {
      let names = Set(colours.keys).symmetricDifference(SceneColour.names).sorted()
      throw StageFailure(
        "\(file): the palette \"\(theme)\" and the renderer differ in \(names.joined(separator: ", "))"
      )
    }
    for (set, themes) in changes {
      for (theme, colours) in themes {
        let unknown = Set(colours.keys).subtracting(SceneColour.names)
        guard palettes[theme] != nil, unknown.isEmpty else {
          throw StageFailure(
            "\(file): the set of colours \"\(set)\" has an unknown theme or colour: "
              + "\(theme) \(unknown.sorted().joined(separator: ", "))")
        }
      }
    }
    template = String(decoding: text, as: UTF8.self)
    self.palettes = palettes
    self.changes = changes
    sets = [Self.standard] + changes.keys.sorted()
    themes = palettes.keys.sorted()
  }

  /// The style of a theme in a set of colours, with some colours replaced; nil for an unknown theme
  /// or set.
  ///
  /// It is for a server at `origin`, with the map of that name and the data of `day`.
  func text(
    theme: String, set: String, replacing colours: [String: ARGB], origin: String, map: String,
    day: String?
  ) -> String? {
    guard sets.contains(set), var palette = palettes[theme] else { return nil }
    palette.merge(changes[set]?[theme] ?? [:]) { $1 }
    for (name, colour) in colours { palette[name] = colour.cssText }
    var text = template
    for (name, colour) in palette {
      text = text.replacingOccurrences(of: "\"@\(name)\"", with: "\"\(colour)\"")
    }
    let entries = palette.sorted { $0.key < $1.key }
      .map { MessagePackValue.Entry($0.key, .string($0.value)) }
    return
      text
      .replacingOccurrences(
        of: "\"\(Self.paletteMark)\"", with: MessagePackValue.map(entries).json()
      )
      .replacingOccurrences(of: "{origin}", with: origin)
      .replacingOccurrences(of: "{map}", with: map)
      .replacingOccurrences(of: "{day}", with: day.map { ", data of \($0)" } ?? "")
  }
}

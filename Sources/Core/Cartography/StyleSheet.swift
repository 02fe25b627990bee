public import Documents

/// The reason why a text is not a map style that can be drawn.
public struct StyleFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// A layer of a map style: which features of a tile's layer are drawn, and how.
public struct StyleLayer: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case background
    case fill
    case line
    case extrusion = "fill-extrusion"
    case symbol
  }

  public var id: String
  public var kind: Kind
  /// The layer of the tile; empty for the background.
  public var source: String
  public var zooms: Range<Double>
  public var filter: StyleExpression
  /// Paint and layout properties by name; their names are distinct.
  public var properties: [String: StyleExpression]

  /// The value of a property for a feature; `none` if the style does not set it.
  public func value(_ name: String, zoom: Double, _ feature: StyleProperties = [:]) -> StyleValue {
    properties[name]?.value(zoom: zoom, feature) ?? .none
  }
}

/// A map style in the colours of one theme, as the page of the renderer shows it.
public struct StyleSheet: Hashable, Sendable {
  public var layers: [StyleLayer]
  /// The colours by name, as `#rrggbb` or `#rrggbbaa`.
  public var palette: [String: String]
  /// The credit for the data; `{day}` stands for the day of the data.
  public var attribution: String

  /// Reads the template `style.json`: a style whose colours are names, and a palette for each theme.
  ///
  /// `set` names another set of colours, such as `colour-blind`; nil is the standard.
  ///
  /// - Throws: `StyleFault` that names the layer and the problem.
  public init(
    template: JSONValue, theme: String, set: String? = nil
  ) throws(StyleFault) {
    guard let palettes = template["palettes"]?.object, let style = template["style"],
      let layers = style["layers"]?.array
    else { throw StyleFault("not a template of a map style: it lacks palettes or style.layers") }
    guard let own = palettes[theme]?.object else {
      throw StyleFault(
        "there is no palette \"\(theme)\", only \(palettes.keys.sorted().joined(separator: ", "))")
    }
    palette = own.compactMapValues(\.string)
    if let set {
      let sets = template["colour_sets"]?.object ?? [:]
      guard let changes = sets[set] else {
        throw StyleFault(
          "there is no set of colours \"\(set)\", only \(sets.keys.sorted().joined(separator: ", "))"
        )
      }
      palette.merge((changes[theme]?.object ?? [:]).compactMapValues(\.string)) { $1 }
    }
    attribution = style["sources"]?["map"]?["attribution"]?.string ?? ""
    self.layers = []
    for layer in layers {
      do throws(StyleFault) {
        if let read = try StyleLayer(layer, palette: palette) { self.layers.append(read) }
      } catch {
        throw StyleFault("layer \"\(layer["id"]?.string ?? "")\": \(error)")
      }
    }
  }

  /// A colour of the palette; black if it has none of that name.
  public subscript(_ name: String) -> String { palette[name] ?? "#000000" }
}

extension StyleLayer {
  /// Properties whose value is a list of words, not an expression.
  private static let lists: Set<String> = ["text-font", "text-variable-anchor"]

  /// nil for a kind of layer that is not drawn.
  fileprivate init?(_ json: JSONValue, palette: [String: String]) throws(StyleFault) {
    guard let kind = json["type"]?.string.flatMap({ Kind(rawValue: $0) }) else { return nil }
    self.kind = kind
    id = json["id"]?.string ?? ""
    source = json["source-layer"]?.string ?? ""
    let low = json["minzoom"]?.number ?? 0
    zooms = low..<max(low, json["maxzoom"]?.number ?? 25)
    filter = .literal(.bool(true))
    if let given = json["filter"] { filter = try StyleExpression(given, palette: palette) }
    properties = [:]
    for (name, value) in [json["layout"], json["paint"]].compactMap({ $0?.object }).joined() {
      if Self.lists.contains(name) {
        properties[name] = .literal(value.array?.first?.string.map { .text($0) } ?? .none)
      } else {
        properties[name] = try StyleExpression(value, palette: palette)
      }
    }
  }
}

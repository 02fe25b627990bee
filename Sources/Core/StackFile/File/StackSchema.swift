import Documents

/// JSON Schema (2020-12) of stack files and of manifests, for editors.
public enum StackSchema {
  /// The schema of stack files as text, ending in a newline; the same for each build of the
  /// program.
  public static var text: String { text(title: "A navstack stack file", StackKeys.root) }

  /// The schema of manifests.
  public static var manifest: String {
    text(title: "The manifest of a navstack stage", ManifestKeys.root)
  }

  private static func text(title: String, _ keys: [StackKey]) -> String {
    var lines = JSONText()
    lines.open("{")
    lines.pair("$schema", "https://json-schema.org/draft/2020-12/schema")
    lines.pair("title", title)
    write(keys, into: &lines)
    // These keys hold values that several nodes share by YAML anchors.
    lines.object("patternProperties") { $0.object("^x-") { _ in } }
    lines.close("}")
    return lines.text + "\n"
  }

  /// Writes the keywords of `shape` into the object that is open.
  private static func write(_ shape: StackShape, into lines: inout JSONText) {
    switch shape {
    case .any: break
    case .text: lines.pair("type", words: ["string", "number", "boolean"])
    case .name:
      lines.pair("type", "string")
      lines.pair("pattern", "^[a-z0-9][a-z0-9._-]{0,62}$")
    case .choice(let values): lines.pair("enum", words: values)
    case .bool: lines.pair("type", "boolean")
    case .count(let range):
      lines.pair("type", "integer")
      lines.pair("minimum", raw: "\(range.lowerBound)")
      lines.pair("maximum", raw: "\(range.upperBound)")
    case .number: lines.pair("type", "number")
    case .duration:
      lines.pair("type", words: ["string", "integer"])
      lines.pair("pattern", "^[0-9.]+ ?(ms|s|min|m|h)$")
    case .size:
      lines.pair("type", "string")
      lines.pair("pattern", "^[0-9.]+ ?([kKMG]i?)?B$")
    case .bound(let unit):
      lines.pair("type", words: ["string", "number"])
      lines.pair("description", "A bound in \(unit.rawValue): \">= 2\", \"<= 3\", 0.")
    case .processors:
      lines.pair("type", words: ["string", "integer"])
      lines.pair("pattern", "^[0-9]+(-[0-9]+)?$")
    case .list(let item):
      lines.pair("type", "array")
      lines.object("items") { write(item, into: &$0) }
    case .map(let value):
      lines.pair("type", "object")
      lines.object("additionalProperties") { write(value, into: &$0) }
    case .object(let keys): write(keys, into: &lines)
    case .either(let shapes):
      lines.array("anyOf", shapes) { write($0, into: &$1) }
    }
  }

  private static func write(_ keys: [StackKey], into lines: inout JSONText) {
    lines.pair("type", "object")
    lines.pair("additionalProperties", raw: "false")
    let required = keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { lines.pair("required", words: required) }
    lines.object("properties") { lines in
      for key in keys {
        lines.object(key.name) {
          $0.pair("description", key.about)
          if case .bound = key.shape {
            $0.pair("type", words: ["string", "number"])
          } else {
            write(key.shape, into: &$0)
          }
        }
      }
    }
  }
}

/// JSON whose keys are written in the order of the calls.
package struct JSONText {
  private(set) var text = ""
  private var depth = 0
  private var isFirst = true

  mutating func open(_ bracket: String) {
    text += bracket
    depth += 1
    isFirst = true
  }

  mutating func close(_ bracket: String) {
    depth -= 1
    if !isFirst { text += "\n" + indent }
    text += bracket
    isFirst = false
  }

  mutating func pair(_ key: String, _ value: String) { pair(key, raw: Self.quoted(value)) }

  mutating func pair(_ key: String, words: [String]) {
    pair(key, raw: "[" + words.map(Self.quoted).joined(separator: ", ") + "]")
  }

  mutating func pair(_ key: String, raw: String) {
    next()
    text += "\(Self.quoted(key)): \(raw)"
  }

  mutating func object(_ key: String, _ body: (inout JSONText) -> Void) {
    pair(key, raw: "")
    open("{")
    body(&self)
    close("}")
  }

  mutating func array<Item>(_ key: String, _ items: [Item], _ body: (Item, inout JSONText) -> Void)
  {
    pair(key, raw: "")
    open("[")
    for item in items {
      next()
      open("{")
      body(item, &self)
      close("}")
    }
    close("]")
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private mutating func next() {
    text += (isFirst ? "\n" : ",\n") + indent
    isFirst = false
  }

  package static func quoted(_ text: String) -> String { JSONString.quoted(text) }
}

/// The modules that the files of a module name.
struct Imports {
  let module: String
  let line: Line

  static func of(_ module: PackageTargets.Module) -> [Imports] {
    module.lines.compactMap { line in
      Self.module(in: line.text).map { Imports(module: $0, line: line) }
    }
  }

  /// `B` of `@testable public import struct B.C`; nil where the line imports nothing.
  static func module(in line: String) -> String? {
    var words = line.split(separator: " ").map(String.init)
    while let word = words.first, word.hasPrefix("@") || access.contains(word) {
      words.removeFirst()
    }
    guard words.first == "import", words.count > 1 else { return nil }
    let named = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
    let module = named.split(separator: ".").first.map(String.init)
    // Text literals hold the imports of other languages: `import msgpack, sys`.
    guard module?.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) == true else {
      return nil
    }
    // A target's hyphens are underscores in the module's name.
    return module.map { $0.hasPrefix("nav_") ? $0.replacing("_", with: "-") : $0 }
  }

  private static let access: Set<String> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
}

extension PackageTargets.Module {
  /// All lines of the module's Swift files.
  var lines: [Line] {
    Tree.files(below: folder, suffix: ".swift").flatMap { Line.all(of: $0) }
  }
}

extension PackageTargets {
  func module(_ name: String) -> Module? { modules.first { $0.name == name } }

  /// The modules that a module declares, and all that these declare in turn.
  func reach(of name: String) -> Set<String> {
    var found: Set<String> = []
    var open = Array(module(name)?.uses ?? [])
    while let next = open.popLast() {
      if found.insert(next).inserted { open += module(next)?.uses ?? [] }
    }
    return found
  }
}

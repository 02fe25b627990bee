import Foundation

/// A target as the lines of Package.swift declare it.
struct PackageTargets: Sendable {
  enum Kind: String, CaseIterable {
    case core, edge, stage, node, tool, test, module, target, systemLibrary
  }

  struct Module {
    let kind: Kind
    let name: String
    let folder: String
    let uses: Set<String>
  }

  let modules: [Module]

  static let asDeclared = PackageTargets(manifest: Tree.text("Package.swift") ?? "")

  /// Reads `core("X", ["A", real])` and its like; what the helpers add is read from the helpers.
  init(manifest: String) {
    let products = Self.products(manifest)
    let stageUses = Self.strings(Self.body(of: "func stage(", in: manifest))
      .filter { $0 != "Stages" }
    var modules: [Module] = []
    guard let start = manifest.range(of: "let pureModules: [Target]") else {
      self.modules = []
      return
    }
    let plan = manifest[start.lowerBound...]
    for kind in Kind.allCases {
      let dotted = kind == .target || kind == .systemLibrary
      let opening = (dotted ? "." : " ") + kind.rawValue + "("
      var rest = plan
      while let found = rest.range(of: opening) {
        let call = Self.call(from: rest[found.upperBound...])
        rest = rest[found.upperBound...]
        let words = Self.strings(call)
        guard var name = words.first else { continue }
        var folder = Self.value(of: "path:", in: call)
        if kind == .module, words.count > 1 {
          folder = "Sources/\(name)/\(words[1])"
          name = words[1]
        }
        var uses = Self.uses(in: call, products: products)
        if kind == .stage { uses.formUnion(stageUses) }
        modules.append(
          Module(kind: kind, name: name, folder: folder ?? kind.folder(of: name), uses: uses))
      }
    }
    self.modules = modules
  }

  /// `let real: Target.Dependency = .product(name: "RealModule", …)` as `real: RealModule`.
  private static func products(_ manifest: String) -> [String: String] {
    var found: [String: String] = [:]
    for part in ("\n" + manifest).components(separatedBy: "\nlet ").dropFirst() {
      guard let colon = part.firstIndex(of: ":"), part[colon...].hasPrefix(": Target.Dependency"),
        let module = strings(part).first
      else { continue }
      found[String(part[..<colon])] = module
    }
    return found
  }

  /// What stands between an opening bracket that is already read and the one that closes it.
  private static func call(from text: Substring) -> String {
    var depth = 1
    var result = ""
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { break }
      result.append(character)
    }
    return result
  }

  private static func body(of opening: String, in manifest: String) -> String {
    guard let start = manifest.range(of: opening),
      let end = manifest[start.upperBound...].range(of: "\n}")
    else { return "" }
    return String(manifest[start.upperBound..<end.lowerBound])
  }

  private static func strings(_ text: String) -> [String] {
    text.components(separatedBy: "\"").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
  }

  private static func value(of label: String, in call: String) -> String? {
    call.range(of: label).flatMap { strings(String(call[$0.upperBound...])).first }
  }

  /// The first list in the call: targets by their names, products by the names of their constants.
  private static func uses(in call: String, products: [String: String]) -> Set<String> {
    guard let open = call.firstIndex(of: "["), let close = call[open...].firstIndex(of: "]")
    else { return [] }
    let words = call[call.index(after: open)..<close].split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    return Set(
      words.compactMap { word in
        word.hasPrefix("\"") ? word.trimmingCharacters(in: ["\""]) : products[word]
      })
  }
}

extension PackageTargets.Kind {
  func folder(of name: String) -> String {
    switch self {
    case .core: "Sources/Core/\(name)"
    case .edge: "Sources/Edges/\(name)"
    case .stage: "Sources/Stages/\(name)"
    case .node: "Sources/Nodes/\(name)"
    case .tool: "Sources/Tools/\(name)"
    case .test: "Tests/\(name)"
    case .module, .target, .systemLibrary: "Sources/\(name)"
    }
  }
}

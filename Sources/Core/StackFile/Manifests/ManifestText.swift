import MessagePack
import Messages
public import Stage

/// The description of a node's program: the readable part of its manifest, and all its faults.
public struct DescribedManifest: Sendable {
  /// nil if nothing can be read; if there are faults, it contains the correct parts.
  public var manifest: Manifest?
  /// Faults in the manifest's own text, each with its position there.
  public var problems: [StackProblem] = []
  /// The reason why there is no manifest text.
  public var failure: String?

  package init(
    manifest: Manifest? = nil, problems: [StackProblem] = [], failure: String? = nil
  ) {
    self.manifest = manifest
    self.problems = problems
    self.failure = failure
  }

  package static func failed(_ reason: String) -> Self { Self(failure: reason) }
}

/// Parses the text of a manifest, YAML or the JSON that is also YAML, and collects all faults.
package struct ManifestText {
  private var problems: [StackProblem] = []

  /// Maximum size of the text, in bytes.
  package static let maximumBytes = 1 << 20

  /// Parses `text`; `file` is the name of the file or command that it comes from, for messages.
  package static func read(_ text: String, file: String) -> DescribedManifest {
    var reader = ManifestText()
    let manifest = reader.manifest(text)
    let problems = reader.problems.inOrder.map { problem in
      var problem = problem
      problem.file = file
      return problem
    }
    return DescribedManifest(manifest: manifest, problems: problems)
  }

  private init() {}

  private mutating func manifest(_ text: String) -> Manifest? {
    guard text.utf8.count <= Self.maximumBytes else {
      report("it is larger than 1 MiB, which is not a manifest")
      return nil
    }
    let root: YAMLValue
    do {
      root = try YAMLValue(parsing: text)
    } catch {
      let message = error.message.replacing(
        "this is not YAML", with: "this is neither JSON nor YAML")
      report(
        message.hasPrefix("the file is empty") ? "the manifest is empty" : message, at: error.place)
      return nil
    }
    guard case .map = root.content else {
      report(
        "expected a map with name, about, inputs, outputs, …, found \(root.kind)", at: root.place)
      return nil
    }
    problems += StackShape.object(ManifestKeys.root).problems(of: root, path: "")
    return build(root)
  }

  private mutating func report(
    _ message: String, _ path: String = "", at place: Place = .start,
    _ severity: StackProblem.Severity = .error
  ) {
    problems.append(StackProblem(message, path: path, at: place, severity: severity))
  }

  private mutating func build(_ root: YAMLValue) -> Manifest {
    let optional = names(root, "optionalInputs", .topic)
    let required = names(root, "requires", .topic)
    let inputs = names(root, "inputs", .topic)
    for (key, list) in [("requires", required), ("optionalInputs", optional)] {
      checkInputs(list ?? [], key, among: inputs ?? [])
    }
    return Manifest(
      name: root["name"]?.text ?? "", about: root["about"]?.text ?? "",
      parameters: parameters(root), inputs: (inputs ?? []).map(\.value),
      requires: required?.map(\.value), optionalInputs: optional?.map(\.value),
      outputs: (names(root, "outputs", .topic) ?? []).map(\.value),
      serves: (names(root, "serves", .call) ?? []).map(\.value),
      calls: (names(root, "calls", .call) ?? []).map(\.value),
      optionalCalls: names(root, "optionalCalls", .call)?.map(\.value),
      ownVehicles: value(root, "ownVehicles")?.items.compactMap(\.text),
      demandedBy: names(root, "demandedBy", .topic)?.map(\.value))
  }

  /// The value of a key, or of a word that was written in its place.
  private func value(_ root: YAMLValue, _ key: String) -> YAMLValue? {
    if let value = root[key] { return value }
    let synonyms = ManifestKeys.root.first { $0.name == key }?.synonyms ?? []
    return root.entries.first { synonyms.contains($0.key.value.lowercased()) }?.value
  }

  // MARK: Topics and calls

  private enum NameKind {
    case topic
    case call

    var word: String { self == .topic ? "topic" : "call" }
  }

  /// The names in a list, each checked; nil if the key is absent.
  private mutating func names(
    _ root: YAMLValue, _ key: String, _ kind: NameKind
  ) -> [Located<String>]? {
    guard let list = value(root, key) else { return nil }
    var names: [Located<String>] = []
    for (index, item) in list.items.enumerated() {
      guard let name = item.text else { continue }
      let path = "\(key)[\(index)]"
      if names.contains(where: { $0.value == name }) {
        report("\"\(name)\" is listed twice", path, at: item.place)
        continue
      }
      check(name, kind, path, at: item.place)
      names.append(Located(name, at: item.place))
    }
    return names
  }

  private mutating func check(
    _ name: String, _ kind: NameKind, _ path: String, at place: Place
  ) {
    let isTopic = Topics.declaration(of: name) != nil
    let isCall = Calls.declaration(of: name) != nil
    if kind == .topic ? isTopic : isCall { return }
    if isTopic || isCall {
      let lists =
        isTopic ? "list it in \"inputs\" or \"outputs\"" : "list it in \"calls\" or \"serves\""
      return report(
        "\"\(name)\" is a \(isTopic ? "topic" : "call"), not a \(kind.word): \(lists)", path,
        at: place)
    }
    let leaf = BusName.withoutVehicle(name)
    let isKnownLeaf =
      kind == .topic ? Topics.declaration(of: leaf) != nil : Calls.declaration(of: leaf) != nil
    if isKnownLeaf {
      return report(
        "\"\(name)\" contains a vehicle: write \"\(leaf)\", which applies to every vehicle", path,
        at: place)
    }
    guard name.hasPrefix("_") || BusName.isValid(name) else {
      return report(
        "\"\(name)\" is not a valid name: words of a-z 0-9 . _ - separated by /", path, at: place)
    }
    let known = kind == .topic ? Topics.all.map(\.name) : Calls.all.map(\.name)
    guard let near = Self.misspelt(name, among: known) else { return }
    report(
      "the contract has no \(kind.word) \"\(name)\" (did you mean \"\(near)\"?)", path, at: place,
      .warning)
  }

  /// The known name that `name` probably misspells; nil for an unrelated name.
  private static func misspelt(_ name: String, among known: [String]) -> String? {
    guard let near = Suggestion.nearest(to: name, among: known),
      Suggestion.distance(name, near) <= max(2, name.count / 6)
    else { return nil }
    return near
  }

  private mutating func checkInputs(
    _ list: [Located<String>], _ key: String, among inputs: [Located<String>]
  ) {
    let known = inputs.map(\.value)
    for (index, name) in list.enumerated() where !known.contains(name.value) {
      let hint =
        Suggestion.nearest(to: name.value, among: known).map { " (did you mean \"\($0)\"?)" }
        ?? ": add it there"
      report("\"\(name.value)\" is not in \"inputs\"\(hint)", "\(key)[\(index)]", at: name.place)
    }
  }

  // MARK: Parameters

  private mutating func parameters(_ root: YAMLValue) -> [ParameterDeclaration] {
    var declarations: [ParameterDeclaration] = []
    for (index, item) in (value(root, "parameters")?.items ?? []).enumerated() {
      let path = "parameters[\(index)]"
      guard let name = item["name"]?.text,
        let kind = item["kind"]?.text.flatMap(ParameterDeclaration.Kind.init)
      else { continue }
      let place = item["name"]?.place ?? item.place
      if !Self.isParameterName(name) {
        report("\"\(name)\" is not a valid parameter name: a-z 0-9 _", "\(path).name", at: place)
      }
      if declarations.contains(where: { $0.name == name }) {
        report("the parameter \"\(name)\" is declared twice", "\(path).name", at: place)
      }
      let declaration = ParameterDeclaration(
        name, kind, default: item["defaultValue"].flatMap(Self.defaultValue),
        required: item["isRequired"]?.bool ?? false, unit: item["unit"]?.text,
        min: item["minimum"]?.double, max: item["maximum"]?.double,
        values: item["values"]?.items.compactMap(\.text) ?? [], item["about"]?.text ?? "")
      check(declaration, item, path)
      declarations.append(declaration)
    }
    return declarations
  }

  private mutating func check(
    _ declaration: ParameterDeclaration, _ item: YAMLValue, _ path: String
  ) {
    if let least = declaration.minimum, let most = declaration.maximum, least > most {
      report(
        "the minimum \(Figures.plain(least)) is above the maximum \(Figures.plain(most))",
        "\(path).minimum", at: item["minimum"]?.place ?? item.place)
    }
    guard let given = item["defaultValue"], !given.isNothing else { return }
    guard let value = declaration.defaultValue else {
      return report(
        "expected \(declaration.expectation), found \(given.kind)", "\(path).defaultValue",
        at: given.place)
    }
    if case .failure(let failure) = declaration.accept(value) {
      report(failure.message, "\(path).defaultValue", at: given.place)
    }
  }

  private static func isParameterName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
      }
  }

  /// A default value in its written kind; nil for null and for a map.
  private static func defaultValue(_ value: YAMLValue) -> ParameterValue? {
    switch value.content {
    case .map: nil
    case .list(let items): .strings(items.compactMap(\.text))
    case .text(let text, isQuoted: true): .string(text)
    case .text(let text, isQuoted: false):
      if value.isNothing {
        nil
      } else if let number = value.int {
        .int(number)
      } else if let number = value.double {
        .double(number)
      } else if let truth = value.bool {
        .bool(truth)
      } else {
        .string(text)
      }
    }
  }
}

import MessagePack

/// The validated parameters of one node: the given values, and the declared defaults for the rest.
public struct Parameters: Hashable, Sendable {
  public let declarations: [ParameterDeclaration]
  public let values: [String: ParameterValue]

  /// Checks `given` against `declarations` and fills in the defaults.
  ///
  /// - Throws: `StageFailure` that names each unknown, missing, mistyped or out-of-range parameter.
  public init(
    _ given: [String: ParameterValue], declared declarations: [ParameterDeclaration]
  ) throws(StageFailure) {
    var values: [String: ParameterValue] = [:]
    var problems: [String] = []
    for (name, value) in given.sorted(by: { $0.key < $1.key }) {
      guard let declaration = declarations.first(where: { $0.name == name }) else {
        problems.append("unknown parameter \"\(name)\"\(Self.hint(name, declarations))")
        continue
      }
      switch declaration.accept(value) {
      case .success(let accepted): values[name] = accepted
      case .failure(let problem): problems.append(problem.message)
      }
    }
    for declaration in declarations where values[declaration.name] == nil {
      if let fallback = declaration.defaultValue {
        values[declaration.name] = fallback
      } else if declaration.isRequired, given[declaration.name] == nil {
        problems.append("parameter \"\(declaration.name)\" is missing: \(declaration.about)")
      }
    }
    guard problems.isEmpty else { throw StageFailure(problems.joined(separator: "; ")) }
    self.declarations = declarations
    self.values = values
  }

  /// Returns the parameter that was probably meant, or all parameters.
  private static func hint(_ name: String, _ declarations: [ParameterDeclaration]) -> String {
    let names = declarations.map(\.name)
    if let nearest = Suggestion.nearest(to: name, among: names) {
      return " (did you mean \"\(nearest)\"?)"
    }
    return names.isEmpty ? "; there are none" : "; known are \(names.joined(separator: ", "))"
  }

  public func bool(_ name: String) -> Bool {
    guard case .bool(let value)? = value(name) else { return false }
    return value
  }

  public func int(_ name: String) -> Int {
    guard case .int(let value)? = value(name) else { return 0 }
    return value
  }

  /// Returns the value of a number; 0 if it was not given and has no default.
  public func double(_ name: String) -> Double { optionalDouble(name) ?? 0 }

  public func optionalDouble(_ name: String) -> Double? {
    switch value(name) {
    case .double(let value)?: value
    case .int(let value)?: Double(value)
    default: nil
    }
  }

  /// Returns the value of a string or path; nil if it was not given and has no default.
  public func string(_ name: String) -> String? {
    guard case .string(let value)? = value(name) else { return nil }
    return value
  }

  public func strings(_ name: String) -> [String] {
    guard case .strings(let value)? = value(name) else { return [] }
    return value
  }

  private func value(_ name: String) -> ParameterValue? {
    precondition(
      declarations.contains { $0.name == name },
      "a stage may read only parameters of its own manifest; \"\(name)\" is not declared")
    return values[name]
  }
}

extension ParameterDeclaration {
  /// Returns the value in this declaration's kind, or the reason why it is invalid.
  public func accept(_ value: ParameterValue) -> Result<ParameterValue, StageFailure> {
    switch (kind, value) {
    case (.bool, .bool), (.strings, .strings), (.path, .string):
      return .success(value)
    case (.int, .int(let number)):
      return inRange(Double(number)) ? .success(value) : .failure(outOfRange("\(number)"))
    case (.double, .int(let number)):
      return inRange(Double(number))
        ? .success(.double(Double(number))) : .failure(outOfRange("\(number)"))
    case (.double, .double(let number)):
      return inRange(number) ? .success(value) : .failure(outOfRange("\(number)"))
    case (.string, .string(let word)):
      guard values.isEmpty || values.contains(word) else {
        return .failure(
          StageFailure(
            "\(name): \"\(word)\" is not one of \(values.joined(separator: ", "))"))
      }
      return .success(value)
    case (.string, .int(let number)) where values.isEmpty:
      return .success(.string("\(number)"))
    default:
      return .failure(StageFailure("\(name): expected \(expectation)"))
    }
  }

  /// Describes the valid values: `metres, 1 to 200, default 40`.
  public var expectation: String {
    var parts = [kind.rawValue]
    if let unit { parts.append("in \(unit)") }
    if !values.isEmpty { parts.append("one of \(values.joined(separator: ", "))") }
    if let minimum { parts.append("at least \(minimum)") }
    if let maximum { parts.append("at most \(maximum)") }
    return parts.joined(separator: ", ")
  }

  private func inRange(_ number: Double) -> Bool {
    number.isFinite && number >= (minimum ?? -.infinity) && number <= (maximum ?? .infinity)
  }

  private func outOfRange(_ text: String) -> StageFailure {
    StageFailure("\(name): \(text) is out of range, expected \(expectation)")
  }
}

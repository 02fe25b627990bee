import MessagePack
public import Stage

/// Converts a parameter of a stack file into its value, according to the node's declaration.
package struct ParameterReading {
  /// Folder of the stack file, to which paths are relative.
  package var folder: String
  package var environment: [String: String]

  package init(folder: String, environment: [String: String]) {
    self.folder = folder
    self.environment = environment
  }

  /// The value, or a sentence about why it is invalid.
  func value(
    _ value: YAMLValue, for declaration: ParameterDeclaration
  ) -> Result<ParameterValue, StageFailure> {
    guard let read = read(value, declaration.kind) else {
      return .failure(
        StageFailure(
          "expected \(declaration.kindText), found \(value.kind) (\(declaration.summary))"))
    }
    switch read {
    case .failure(let failure): return .failure(failure)
    case .success(let read):
      if case .success(let accepted) = declaration.accept(read) { return .success(accepted) }
      return .failure(StageFailure(refusal(read, value, declaration)))
    }
  }

  private func refusal(
    _ read: ParameterValue, _ value: YAMLValue, _ declaration: ParameterDeclaration
  ) -> String {
    if case .string(let word) = read {
      var text = "\"\(word)\" is not one of \(declaration.values.joined(separator: ", "))"
      if let nearest = Suggestion.nearest(to: word, among: declaration.values) {
        text += " (did you mean \"\(nearest)\"?)"
      }
      return text
    }
    return "\(value.text ?? "the value") is out of range (\(declaration.summary))"
  }

  private func read(
    _ value: YAMLValue, _ kind: ParameterDeclaration.Kind
  ) -> Result<ParameterValue, StageFailure>? {
    switch kind {
    case .bool: return value.bool.map { .success(.bool($0)) }
    case .int: return (value.int ?? expandedInt(value)).map { .success(.int($0)) }
    case .double: return value.double.map { .success(.double($0)) }
    case .string: return value.text.map { expand($0).map { .string($0) } }
    case .path: return value.text.map { expand($0).map { .string(absolute($0)) } }
    case .strings:
      if case .list(let items) = value.content {
        let words = items.compactMap(\.text)
        return words.count == items.count ? .success(.strings(words)) : nil
      }
      return value.text.map {
        .success(.strings($0.split(separator: ",").map { Quantity.trimmed(String($0)) }))
      }
    }
  }

  private func expandedInt(_ value: YAMLValue) -> Int? {
    guard let text = value.text, case .success(let expanded) = expand(text) else { return nil }
    return expanded == text ? nil : Int(expanded)
  }

  /// Replaces `${env:NAME}` by values of the environment.
  package func expand(_ text: String) -> Result<String, StageFailure> {
    var rest = Substring(text)
    var out = ""
    while let open = rest.range(of: "${env:") {
      out += rest[..<open.lowerBound]
      rest = rest[open.upperBound...]
      guard let close = rest.firstIndex(of: "}") else {
        return .failure(StageFailure("\"\(text)\": a ${env:…} is not closed"))
      }
      guard let value = environment[String(rest[..<close])] else {
        return .failure(StageFailure("the environment variable \(rest[..<close]) is not set"))
      }
      out += value
      rest = rest[rest.index(after: close)...]
    }
    return .success(out + rest)
  }

  package func absolute(_ path: String) -> String {
    if path == "~" || path.hasPrefix("~/"), let home = environment["HOME"] {
      return home + path.dropFirst()
    }
    if path.hasPrefix("/") || folder.isEmpty { return path }
    return "\(folder)/\(path)"
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

extension ParameterDeclaration {
  var kindText: String {
    switch kind {
    case .bool: "true or false"
    case .int: "a whole number"
    case .double: "a number"
    case .string: values.isEmpty ? "text" : "one of \(values.joined(separator: ", "))"
    case .path: "a path"
    case .strings: "a list of strings"
    }
  }

  /// Unit, range and default for people: `metres, 1 to 200, default 40`.
  var summary: String {
    var parts = [unit ?? kindText]
    switch (minimum, maximum) {
    case (let low?, let high?): parts.append("\(Figures.plain(low)) to \(Figures.plain(high))")
    case (let low?, nil): parts.append("at least \(Figures.plain(low))")
    case (nil, let high?): parts.append("at most \(Figures.plain(high))")
    case (nil, nil): break
    }
    if let defaultValue { parts.append("default \(defaultValue.text)") }
    if isRequired, defaultValue == nil { parts.append("required") }
    return parts.joined(separator: ", ")
  }
}

extension ParameterValue {
  /// The value in the form in which people write it.
  public var text: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .double(let value): Figures.plain(value)
    case .string(let value): value
    case .strings(let values): values.joined(separator: ", ")
    }
  }
}

import Stage

extension YAMLValue {
  /// Returns the value with each `${env:NAME}` in it replaced, at any depth; keys are unchanged.
  ///
  /// A reference that cannot be replaced is added to `problems`. In parameters and maps it stays
  /// unchanged, because the code that reads them reports it.
  func expanded(
    _ environment: [String: String], path: String, _ problems: inout [StackProblem]
  ) -> YAMLValue {
    var copy = self
    switch content {
    case .text(let text, let isQuoted):
      guard text.contains("${env:") else { return self }
      switch ParameterReading(folder: "", environment: environment).expand(text) {
      case .success(let value): copy.content = .text(value, isQuoted: isQuoted)
      case .failure(let failure):
        guard !path.contains(".params."), path != "map", !path.hasPrefix("map[") else {
          return self
        }
        problems.append(StackProblem(failure.message, path: path, at: place))
      }
    case .list(let items):
      copy.content = .list(
        items.enumerated().map {
          $0.element.expanded(environment, path: "\(path)[\($0.offset)]", &problems)
        })
    case .map(let entries):
      copy.content = .map(
        entries.map { entry in
          let key = entry.key.value
          let inner = path.isEmpty ? key : "\(path).\(key)"
          return Entry(entry.key, entry.value.expanded(environment, path: inner, &problems))
        })
    }
    return copy
  }
}

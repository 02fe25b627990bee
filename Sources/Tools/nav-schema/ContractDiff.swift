/// The differences between two contracts that break an older reader or writer.
///
/// Within a major version, only optional fields, fields with a default, lists, wider ranges, and
/// words of open sets may be added. Nothing may be removed, renamed, retyped, or change its unit.
struct ContractDiff {
  let old: Contract
  let new: Contract

  func problems() -> [Problem] {
    var problems: [Problem] = []
    for topic in old.topics {
      guard let now = new.topics.first(where: { $0.name == topic.name }) else {
        problems.append(gone("topic \(topic.name)", topic.structure.place))
        continue
      }
      if major(topic.version) != major(now.version) { continue }
      if topic.deliveryClass != now.deliveryClass || topic.key != now.key {
        problems.append(
          Problem(place: now.structure.place, text: "the class or key of a topic may not change"))
      }
      problems += compare(topic.structure, now.structure)
    }
    for call in old.calls {
      guard let now = new.calls.first(where: { $0.name == call.name }) else {
        problems.append(gone("call \(call.name)", call.place))
        continue
      }
      if major(call.version) != major(now.version) { continue }
      problems +=
        compare(old.resolved(call.request), new.resolved(now.request))
        + compare(old.resolved(call.reply), new.resolved(now.reply))
    }
    for type in old.types.values {
      guard let now = new.types[type.name] else {
        problems.append(gone("type \(type.name)", type.place))
        continue
      }
      problems += compare(type, now)
    }
    for operation in old.operations {
      guard let now = new.operations.first(where: { $0.name == operation.name }) else {
        problems.append(gone("operation \(operation.name)", operation.structure.place))
        continue
      }
      if now.sender != operation.sender, now.sender != .both {
        problems.append(
          Problem(place: now.structure.place, text: "the sender of an operation may not change"))
      }
      problems += compare(operation.structure, now.structure)
    }
    for record in old.records.values {
      guard let now = new.records[record.name] else {
        problems.append(gone("record \(record.name)", record.place))
        continue
      }
      if now.isPositional != record.isPositional {
        problems.append(Problem(place: now.place, text: "its form changed"))
      }
      problems += compare(record, now)
    }
    for words in old.words.values {
      guard let now = new.words[words.name] else { continue }
      problems += compare(words, now)
    }
    return problems
  }

  private func major(_ version: String) -> Substring { version.prefix { $0 != "." } }

  private func gone(_ what: String, _ place: Place) -> Problem {
    Problem(place: place, text: "\(what) was removed")
  }

  private func compare(_ before: Structure, _ after: Structure) -> [Problem] {
    var problems: [Problem] = []
    for field in before.fields {
      guard let now = after.fields.first(where: { $0.name == field.name }) else {
        problems.append(gone("\(before.name).\(field.name)", after.place))
        continue
      }
      problems += compare(field, now)
    }
    for field in after.fields where field.isRequired {
      if !before.fields.contains(where: { $0.name == field.name }) {
        problems.append(
          Problem(place: field.place, text: "\(field.name): a new field must be optional"))
      }
    }
    return problems
  }

  private func compare(_ before: Field, _ after: Field) -> [Problem] {
    func problem(_ text: String) -> Problem {
      Problem(place: after.place, text: "\(after.name): \(text)")
    }
    var problems: [Problem] = []
    if !hasSameEncoding(before.type.innermost, after.type.innermost, before, after) {
      problems.append(problem("its type changed"))
    }
    if before.unit != after.unit { problems.append(problem("its unit changed")) }
    if after.isRequired && !before.isRequired { problems.append(problem("it became required")) }
    if before.isRequired && !after.isRequired {
      problems.append(problem("it is no longer required, which older readers refuse"))
    }
    if after.minimum ?? -.infinity > before.minimum ?? -.infinity
      || after.maximum ?? .infinity < before.maximum ?? .infinity
    {
      problems.append(problem("its range became narrower"))
    }
    if case .words(let old) = before.type.innermost, case .words(let new) = after.type.innermost,
      old.name.isEmpty
    {
      problems += compare(old, new)
    }
    return problems
  }

  /// Whether values of two types have the same encoding.
  ///
  /// A set of words that got its own name has the same strings as before.
  private func hasSameEncoding(
    _ before: FieldType, _ after: FieldType, _ old: Field, _ new: Field
  ) -> Bool {
    if case .words(let was) = before, case .words(let now) = after, was.name != now.name {
      return was.values == now.values && was.isOpen == now.isOpen
    }
    return old.type.title == new.type.title
  }

  private func compare(_ before: WordSet, _ after: WordSet) -> [Problem] {
    let lost = before.values.filter { !after.values.contains($0) }
    let come = after.values.filter { !before.values.contains($0) }
    var problems = lost.map { Problem(place: after.place, text: "the value \($0) was removed") }
    if !come.isEmpty, !before.isOpen {
      problems.append(
        Problem(
          place: after.place,
          text: "new values \(come.joined(separator: ", ")) in an enumeration that is not open"))
    }
    return problems
  }
}

import ArgumentParser
import BusClient
import BusProtocol
import Messages
import Watch

/// `nav topic find WORD`: finds topics of the contract and of the bus by a part of their names.
struct TopicFindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Find topics by a part of their name, schema or writer.")

  @Argument(help: "Part of the name, the schema or the writer.")
  var word: String

  @OptionGroup var lists: ListOptions

  @OptionGroup var stack: StackOptions

  /// A topic, or that topic of several vehicles.
  private struct Row {
    var name: String
    var `class`: String
    var schema: String
    var writers: Set<String>
    var ageMS: UInt64
    var vehicles: Int?
  }

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard let topics = client.topicReports() else { throw Problem("the broker does not answer") }
    let wanted = word.lowercased()
    let found = topics.filter {
      [$0.name, $0.schema, $0.source].contains { $0.lowercased().contains(wanted) }
    }
    if stack.json {
      for topic in found.sorted(by: { $0.name < $1.name }) { print(try Lines.json(topic)) }
    } else {
      for row in try rows(found) {
        let vehicles = row.vehicles.map { ["\($0) vehicles"] } ?? []
        let cells = [
          row.name, row.class, row.schema, TopicGroups.nodes(row.writers),
          "\(Explanation.text(ms: row.ageMS)) ago",
        ]
        print(Lines.columns(cells + vehicles))
      }
    }
    let silent = Topics.all.filter { known in
      known.name.contains(wanted) && !topics.contains { known.matches(StackOptions.leaf($0.name)) }
    }
    if !stack.json {
      for known in silent {
        print(
          Lines.columns([
            known.name, known.deliveryClass.rawValue, known.schema, "-", "never published",
          ]))
      }
    }
    if found.isEmpty, silent.isEmpty || stack.json { throw ExitCode.failure }
  }

  private func rows(_ found: [TopicReport]) throws -> [Row] {
    let single = found.map {
      Row(
        name: $0.name, class: $0.deliveryClass.rawValue, schema: $0.schema, writers: [$0.source],
        ageMS: $0.ageMS)
    }
    return try lists.selection(stack).rows(single, name: \.name) { name, rows in
      Row(
        name: name, class: rows[0].class, schema: rows[0].schema,
        writers: rows.reduce(into: []) { $0.formUnion($1.writers) },
        ageMS: rows.map(\.ageMS).min() ?? 0, vehicles: rows.count)
    }
  }
}

/// `nav trace TOPIC`: shows the destinations of a message, and its permitted writers.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show which nodes may publish a topic, and which read it.")

  @Argument(help: "Topic, with or without the vehicle.")
  var topic: String

  @OptionGroup var stack: StackOptions

  private struct Answer: Encodable {
    var topic: String
    var deliveryClass: String
    var hasManyWriters: Bool
    var writer: String?
    var declared: [String]
    var readers: [String]
    var maxSizeBytes: Int?
  }

  func run() throws {
    let name = stack.fullName(topic)
    let leaf = StackOptions.leaf(name)
    let client = try stack.connect()
    defer { client.close() }
    guard let topics = client.topicReports(), let nodes = client.nodeReports() else {
      throw Problem("the broker does not answer")
    }
    let report = topics.first { $0.name == name }
    let known = Topics.declaration(of: leaf)
    let readers = nodes.filter { node in
      node.isAlive && node.subscribes.contains { TopicName.matches($0, name) }
    }.map(\.name)
    let answer = Answer(
      topic: name,
      deliveryClass: known?.deliveryClass.rawValue ?? report?.deliveryClass.rawValue ?? "stream",
      hasManyWriters: known?.hasManyWriters ?? false,
      writer: report.map(\.source).flatMap { $0.isEmpty ? nil : $0 },
      declared: nodes.filter { $0.publishes.contains(leaf) }.map(\.name), readers: readers,
      maxSizeBytes: known?.maxSizeBytes)
    if stack.json { return print(try Lines.json(answer)) }
    print("\(name)  \(answer.deliveryClass)")
    let rule = answer.hasManyWriters ? "many writers" : "one writer"
    print("  \(rule); current writer: \(answer.writer ?? "none")")
    print("  declared writers: \(text(answer.declared))")
    print("  readers: \(text(answer.readers))")
    if let size = answer.maxSizeBytes { print("  at most \(size) bytes per message") }
    if known == nil { print("  not in the contract: no delivery class, no check, no size limit") }
  }

  private func text(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
  }
}

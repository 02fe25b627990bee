import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import Messages
import NodeKit
import Watch

/// `nav topic list`: lists every topic that the broker has seen.
struct TopicListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List all published topics with counts and readers.",
    discussion: """
      The topics of more than 5 vehicles are combined: */location/matched is that topic of all vehicles.
      --vehicle NAME lists the topics of one vehicle, 'car1*' those of several.
      """)

  @OptionGroup var lists: ListOptions

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard let topics = client.topicReports() else { throw Problem("the broker does not answer") }
    let selection = try lists.selection(stack)
    if stack.json, selection.grouping == .single {
      let rows = selection.rows(topics, name: \.name) { _, rows in rows[0] }
      for topic in rows { print(try Lines.json(topic)) }
      return
    }
    let rows = selection.rows(topics.map(Row.init), name: \.name, merge: Row.init)
    if stack.json {
      for row in rows { print(try Lines.json(row)) }
      return
    }
    let isGrouped = rows.contains { $0.vehicles != nil }
    let vehicles = { (text: String) in isGrouped ? [text] : [] }
    print(
      Lines.columns(
        ["topic", "class"] + vehicles("vehicles") + [
          "writer", "messages", "bytes", "age", "readers",
        ]))
    for row in rows {
      let count = vehicles(row.vehicles.map { "\($0)" } ?? "-")
      let readers =
        isGrouped ? TopicGroups.nodes(row.readers) : row.readers.joined(separator: ",")
      let figures = ["\(row.messages)", "\(row.bytes)", "\(row.ageMs) ms"]
      print(Lines.columns([row.name, row.class] + count + [row.writer] + figures + [readers]))
    }
    if rows.isEmpty, let vehicle = stack.givenVehicle {
      throw Problem("no topic of a vehicle \"\(vehicle)\" was published")
    }
  }

  /// A topic, or that topic of several vehicles.
  private struct Row: Encodable {
    var name: String
    var `class`: String
    /// nil for a single topic.
    var vehicles: Int?
    var writer: String
    var messages: UInt64
    var bytes: UInt64
    var ageMs: UInt64
    var readers: [String]

    init(_ topic: TopicReport) {
      name = topic.name
      `class` = topic.deliveryClass.rawValue
      writer = topic.source
      messages = topic.messages
      bytes = topic.bytes
      ageMs = topic.ageMS
      readers = topic.readers
    }

    init(_ name: String, _ rows: [Row]) {
      self.name = name
      `class` = rows[0].class
      vehicles = rows.count
      writer = TopicGroups.nodes(rows.map(\.writer))
      messages = rows.reduce(0) { $0 + $1.messages }
      bytes = rows.reduce(0) { $0 + $1.bytes }
      ageMs = rows.map(\.ageMs).min() ?? 0
      readers = Set(rows.flatMap(\.readers)).sorted()
    }
  }
}

/// `nav topic info NAME`: describes one topic from the contract and the broker.
struct TopicInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what the contract and the broker know about a topic.")

  @Argument(help: "Topic, with or without the vehicle.")
  var topic: String

  @OptionGroup var stack: StackOptions

  func run() throws {
    let name = stack.fullName(topic)
    let leaf = StackOptions.leaf(name)
    guard let known = Topics.declaration(of: leaf) else {
      throw Problem("no topic \"\(leaf)\" in the contract; see Protocols/topics.md")
    }
    let client = try stack.connect()
    defer { client.close() }
    let report = client.topicReports()?.first { $0.name == name }
    if stack.json {
      if let report { print(try Lines.json(report)) }
      return
    }
    print("\(name)\n  schema    \(known.schema)\n  class     \(known.deliveryClass.rawValue)")
    if let rate = known.expectHz { print("  expected  \(rate) Hz") }
    guard let report else {
      print("  nothing published yet")
      return
    }
    print(
      "  writer    \(report.source)\n  messages  \(report.messages)\n  bytes     \(report.bytes)")
    print("  last      seq \(report.lastSequence), \(report.ageMS) ms ago")
    print("  refused   \(report.refused), oversize \(report.oversize)")
    print("  readers   \(report.readers.joined(separator: ", "))")
  }
}

/// Formatting of lines that commands print.
enum Lines {
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Formats cells in columns; the first is wide enough for a topic's name.
  static func columns(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let width = index == 0 ? 34 : 10
      return cell.padding(toLength: max(width, cell.count), withPad: " ", startingAt: 0)
    }.joined(separator: "  ")
  }
}

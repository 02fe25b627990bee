import ArgumentParser
import Bus
import Foundation
import Messages
import NodeKit

/// `nav topic list`: every topic that the broker has seen.
struct TopicListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Every topic that was published, with counts and readers.")

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard let topics = client.topicReports() else { throw Problem("the broker does not answer") }
    if stack.json {
      for topic in topics { print(try Lines.json(topic)) }
      return
    }
    print(Lines.columns(["topic", "class", "writer", "messages", "bytes", "age", "readers"]))
    for topic in topics.sorted(by: { $0.name < $1.name }) {
      print(
        Lines.columns([
          topic.name, topic.deliveryClass.rawValue, topic.source, "\(topic.messages)",
          "\(topic.bytes)", "\(topic.ageMS) ms", topic.readers.joined(separator: ","),
        ]))
    }
  }
}

/// `nav topic info NAME`: what the contract and the broker say of one topic.
struct TopicInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "What the contract and the broker know of a topic.")

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
      print("  nothing was published yet")
      return
    }
    print(
      "  writer    \(report.source)\n  messages  \(report.messages)\n  bytes     \(report.bytes)")
    print("  last      seq \(report.lastSequence), \(report.ageMS) ms ago")
    print("  refused   \(report.refused), oversize \(report.oversize)")
    print("  readers   \(report.readers.joined(separator: ", "))")
  }
}

/// Lines as commands print them.
enum Lines {
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Cells side by side; the first is wide enough for a topic's name.
  static func columns(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let width = index == 0 ? 34 : 10
      return cell.padding(toLength: max(width, cell.count), withPad: " ", startingAt: 0)
    }.joined(separator: "  ")
  }
}

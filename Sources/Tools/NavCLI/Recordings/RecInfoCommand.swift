import ArgumentParser
import Bag
import Foundation
import Recorder
import StackFile
import Watch

/// `nav rec info`: describes the contents of a recording.
struct RecInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what a recording contains and what was lost.")

  @Argument(help: "The file; a .part file that was never closed is read up to its end.")
  var file: String

  @Flag(help: "Only lost messages, by topic and cause.")
  var loss = false

  @Flag(help: "Exit with code 1 if messages were lost.")
  var strict = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help:
      "List each topic of each vehicle; by default, the topics of more than 5 vehicles are combined."
  )
  var expand = false

  func run() throws {
    let info = try RecordingInfo(path: file)
    if json {
      print(try Lines.json(info))
    } else if loss {
      printLoss(info)
    } else {
      printAll(info)
    }
    if strict, info.lost > 0 { throw ExitCode.failure }
  }

  private func printAll(_ info: RecordingInfo) {
    print("\(info.path)  \(ByteCount.text(info.bytes))  \(info.closed ? "" : "NOT CLOSED")")
    if let stopped = info.stopped { print("read until: \(stopped)") }
    print(
      "\(info.messages) messages in \(Figures.duration(seconds: info.durationS)), from "
        + "\(RecordingInfo.time(info.startNs))")
    for (name, text) in info.session.sorted(by: { $0.key < $1.key }) { print("  \(name): \(text)") }
    print("")
    let selection = TopicGroups(expand ? .single : .automatic)
    let topics = selection.rows(info.topics, name: \.topic, merge: RecordingInfo.Topic.init)
    let isGrouped = topics.contains { $0.vehicles != nil }
    let vehicles = { (text: String) in isGrouped ? [text] : [] }
    print(
      Lines.columns(
        ["topic"] + vehicles("vehicles") + ["messages", "Hz", "class", "source", "schema"]))
    for topic in topics {
      let count = vehicles(topic.vehicles.map { "\($0)" } ?? "-")
      let rate = topic.hz.map { String(format: "%.2f", $0) } ?? "-"
      let cells = ["\(topic.messages)", rate, topic.class, topic.source, topic.schema]
      print(Lines.columns([topic.topic] + count + cells))
    }
    if !info.attachments.isEmpty { print("") }
    for attachment in info.attachments {
      print("attached: \(attachment.name) (\(ByteCount.text(attachment.bytes)))")
    }
    print("")
    printLoss(info)
  }

  private func printLoss(_ info: RecordingInfo) {
    if info.loss.isEmpty { print(info.hasLossTable ? "nothing was lost" : "no table of losses") }
    for row in info.loss { print(Lines.columns([row.topic, row.cause, "\(row.messages)"])) }
  }
}

/// The output of `nav rec info`.
struct RecordingInfo: Encodable {
  struct Topic: Encodable {
    var topic: String
    var source: String
    var schema: String
    var `class`: String
    var messages: UInt64
    var hz: Double?
    /// Number of vehicles with the topic; nil for a single topic.
    var vehicles: Int?
  }

  struct Attachment: Encodable {
    var name: String
    var mediaType: String
    var bytes: Int
  }

  struct Loss: Encodable {
    var topic: String
    var cause: String
    var messages: UInt64
  }

  var path: String
  var bytes: Int
  var profile: String
  var library: String
  var closed: Bool
  /// The reason why a file that was not closed could not be read further.
  var stopped: String?
  var messages: UInt64 = 0
  var startNs: UInt64 = 0
  var endNs: UInt64 = 0
  var durationS: Double
  var session: [String: String] = [:]
  var topics: [Topic] = []
  var attachments: [Attachment] = []
  var loss: [Loss] = []
  /// Whether there is a loss table; recordings that were not closed, or not made on a bus, have
  /// none.
  var hasLossTable: Bool
  /// Number of messages that the broker had accepted, but that are not in the file.
  var lost: UInt64

  init(path: String) throws {
    let contents: RecordingContents
    if let indexed = try RecordingContents(indexed: path) {
      contents = indexed
    } else {
      contents = try RecordingContents(streamed: path)
    }
    self.path = path
    bytes = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    profile = contents.header.profile
    library = contents.header.library
    closed = contents.isClosed
    stopped = contents.stopped
    startNs = contents.statistics.startTimeNS
    endNs = contents.statistics.endTimeNS
    // The fields of a file may have any value.
    durationS = endNs > startNs ? Double(endNs - startNs) / 1e9 : 0
    for one in contents.metadata where one.name == "session" {
      session.merge(one.entries) { _, new in new }
    }
    attachments = contents.attachments
    let entries = contents.metadata.last { $0.name == LossTable.metadataName }?.entries
    hasLossTable = entries != nil
    let table = LossTable(entries: entries ?? [:])
    lost = table.lost
    loss = table.counts.sorted { $0.key < $1.key }.map {
      Loss(topic: $0.key.topic, cause: $0.key.cause.rawValue, messages: $0.value)
    }
    topics = Self.topics(contents, durationS)
    messages = topics.reduce(0) { $0 &+ $1.messages }
  }

  /// Combines the channels of one topic, source and schema, whatever the run; without the traces.
  private static func topics(_ contents: RecordingContents, _ durationS: Double) -> [Topic] {
    var topics: [[String]: Topic] = [:]
    for channel in contents.channels.values where channel.topic != Recording.traceTopic {
      let schema = contents.schemas[channel.schemaID]?.name ?? ""
      let source = channel.metadata["source"] ?? ""
      let count = contents.statistics.channelMessageCounts[channel.id] ?? 0
      topics[
        [channel.topic, source, schema],
        default: Topic(
          topic: channel.topic, source: source, schema: schema,
          class: channel.metadata["class"] ?? "", messages: 0)
      ].messages &+= count
    }
    return topics.values.map { topic in
      var topic = topic
      if durationS > 0 { topic.hz = Double(topic.messages) / durationS }
      return topic
    }.sorted { ($0.topic, $0.source, $0.schema) < ($1.topic, $1.source, $1.schema) }
  }

  static func time(_ ns: UInt64) -> String {
    Date(timeIntervalSince1970: Double(ns) / 1e9).formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true))
  }
}

extension RecordingInfo.Topic {
  /// That topic of several vehicles.
  init(_ name: String, _ rows: [RecordingInfo.Topic]) {
    topic = name
    source = TopicGroups.nodes(rows.map(\.source))
    schema = Set(rows.map(\.schema)).sorted().joined(separator: ",")
    `class` = rows[0].class
    messages = rows.reduce(0) { $0 &+ $1.messages }
    let rates = rows.compactMap(\.hz)
    hz = rates.isEmpty ? nil : rates.reduce(0, +)
    vehicles = Set(rows.map(\.topic)).count
  }
}

/// The contents of a file, from its summary or from reading it completely.
private struct RecordingContents {
  var header: BagHeader
  var isClosed = true
  var stopped: String?
  var schemas: [UInt16: BagSchema] = [:]
  var channels: [UInt16: BagChannel] = [:]
  var statistics = BagStatistics()
  var metadata: [BagMetadata] = []
  var attachments: [RecordingInfo.Attachment] = []

  /// nil if the file has no sufficient summary.
  init?(indexed path: String) throws {
    guard try Recording(path: path).isIndexed else { return nil }
    let reader = try BagReader(path: path)
    header = reader.header
    schemas = reader.summary.schemas
    channels = reader.summary.channels
    statistics = reader.summary.statistics ?? BagStatistics()
    metadata = try reader.summary.metadata.map { try reader.metadata($0) }
    attachments = reader.summary.attachments.map {
      RecordingInfo.Attachment(name: $0.name, mediaType: $0.mediaType, bytes: $0.dataSize)
    }
  }

  init(streamed path: String) throws {
    let stream = try BagStream(path: path)
    header = stream.header
    do {
      while let item = try stream.next() {
        switch item {
        case .message(let message): statistics.add(message)
        case .attachment(let one):
          attachments.append(
            RecordingInfo.Attachment(
              name: one.name, mediaType: one.mediaType, bytes: one.data.count))
        case .metadata(let one): metadata.append(one)
        case .schema, .channel: break
        }
      }
    } catch {
      isClosed = false
      stopped = "\(error)"
    }
    schemas = stream.schemas
    channels = stream.channels
  }
}

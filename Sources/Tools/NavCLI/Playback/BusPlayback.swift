import Bag
import BusClient
import BusProtocol
import Foundation
import Foundations
import Messages
import NodeKit
import Positioning
import Recorder
import Replay

/// Plays recordings onto a bus, at their original pace.
struct BusPlayback {
  /// Number of messages per turn at full speed: less than the capacity of a node's shortest queue.
  private static let window = 32

  let files: [String]
  let target: StackOptions
  let options: Player.Options
  /// The topics that are played.
  let selection: TopicFilter

  func run() throws {
    let survey = try RecordingSurvey(paths: files)
    try warnOfForeignTopics(survey)
    try rejectUnknownNames(survey)
    let playedS = min(
      options.durationS ?? .infinity,
      Double(survey.lastNS - survey.firstNS) / 1e9 - options.startS)
    guard !options.isLooping || playedS >= 1 else {
      throw Problem(
        "--loop: the selected part lasts less than a second and cannot be looped")
    }
    let bus = try PlaybackBus(target)
    defer { bus.close() }
    try rejectWrittenTopics(survey, bus.client)
    let publisher = try FramePublisher(to: bus.address)
    let player = try Player(
      files, survey, options, run: RunNumber.next()
    ) { frame in
      do {
        try publisher.publish(frame)
      } catch {
        throw Problem("the bus refuses \(frame.topic): \(error)")
      }
    }
    print(
      "playing \(survey.messageCount) messages, \(Int(player.lengthS)) s, on \(bus.address.base)")
    let keys = PlayKeys()
    defer { keys.close() }
    var turn = PlayerFlowControl(bus.client, publisher)
    while !player.isOver {
      guard try keys.obey(player, waitingMS: Self.waitMS(player.due)) else { break }
      try player.playDue(limit: options.rate == nil ? Self.window : 1_000)
      if options.rate == nil { try turn.next() }
    }
    try turn.next()
    print("played \(player.played) messages")
    guard survey.understoodCount > 0 else {
      throw Problem("no message has a topic that the nodes of a stack read")
    }
  }

  /// Warns about topics that no node reads, or that no bus accepts.
  ///
  /// - Throws: `Problem` if the recording contains nothing else.
  private func warnOfForeignTopics(_ survey: RecordingSurvey) throws {
    for (topic, foreign) in survey.foreign.sorted(by: { $0.key < $1.key }) {
      let kind = [foreign.schema, foreign.encoding].filter { !$0.isEmpty }.joined(separator: ", ")
      let what = "\(topic)\(kind.isEmpty ? "" : " (\(kind))"): \(foreign.count) messages"
      let fate =
        foreign.isPlayable
        ? "have a topic that is not in the contract; they are played, but no node of a stack reads them"
        : "are not played: a bus accepts MessagePack on topics such as ego/location/raw"
      FileHandle.standardError.write(Data("warning: \(what) \(fate)\n".utf8))
    }
    guard survey.topics.isEmpty else { return }
    let hasFixes = survey.foreign.values.contains {
      FixMessageForm(schema: $0.schema, encoding: $0.encoding) != nil
    }
    throw Problem(
      survey.foreign.isEmpty
        ? "the recording contains no message that can be played"
        : "no part of the recording can be played"
          + (hasFixes
            ? "; nav match and the location provider (source: recording) can read its fixes"
            : ""))
  }

  private static func waitMS(_ due: MonotonicTime?) -> Int {
    guard let due else { return 200 }
    return max(0, min(200, due.millisecondsLeft()))
  }

  /// Throws if options name something missing in the recording, or a name that the broker would
  /// reject.
  ///
  /// Such an option must not be ignored silently.
  private func rejectUnknownNames(_ survey: RecordingSurvey) throws {
    let leaves = survey.topics.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for (old, new) in options.vehicles.sorted(by: { $0.key < $1.key }) {
      guard survey.vehicles.contains(old) else {
        throw Problem(
          "--rename-vehicle: the recording contains no vehicle \"\(old)\"; it contains "
            + survey.vehicles.sorted().joined(separator: ", "))
      }
      guard TopicName.isValidVehicle(new) else {
        throw Problem(
          "--rename-vehicle: \"\(new)\" is not a vehicle name: use lowercase letters and digits, and _ . - after the first character"
        )
      }
    }
    for (old, new) in options.remap.sorted(by: { $0.key < $1.key }) {
      guard leaves.contains(TopicName.split(old).leaf) || leaves.contains(old) else {
        throw Problem(
          "--remap: the recording contains no topic \"\(old)\"; it contains " + Self.few(leaves))
      }
      guard TopicName.isValid(new) || TopicName.isValid("ego/\(new)") else {
        throw Problem("--remap: \"\(new)\" is not a topic name such as location/raw")
      }
    }
    let names = leaves.flatMap { leaf in
      leaf.hasPrefix("_") || survey.vehicles.isEmpty
        ? [leaf] : survey.vehicles.map { "\($0)/\(leaf)" }
    }
    let spoken = names.filter { !TopicName.split($0).leaf.hasPrefix("_") }
    guard spoken.isEmpty || spoken.contains(where: options.isWanted) else {
      throw Problem(
        "--topics and --without select no topic of the recording; it contains " + Self.few(leaves))
    }
    try RecordingChoice(topics: selection.patterns).check(files.map { try Recording(path: $0) })
  }

  private static func few(_ names: Set<String>) -> String {
    let spoken = names.filter { !$0.hasPrefix("_") }.sorted()
    return spoken.prefix(20).joined(separator: ", ") + (spoken.count > 20 ? ", …" : "")
  }

  /// Throws if another source writes a topic, because two writers would confuse every reader.
  private func rejectWrittenTopics(_ survey: RecordingSurvey, _ client: BusClient) throws {
    var written: [String: Set<String>] = [:]
    for node in client.nodeReports() ?? [] where node.isAlive && node.kind == "node" {
      for topic in node.publishes { written[topic, default: []].insert(node.name) }
    }
    var problems: [String] = []
    for (source, topics) in survey.topics.sorted(by: { $0.key < $1.key })
    where !options.replaced.contains(source) {
      for topic in topics.sorted() where options.isWanted("ego/\(topic)") {
        guard Contract.table["ego/\(topic)"].hasManyWriters == false,
          let writers = written[options.remap[topic] ?? topic]
        else { continue }
        problems.append("\(topic) is published by \(writers.sorted().joined(separator: ", "))")
      }
    }
    guard problems.isEmpty else {
      throw Problem(
        "live nodes publish topics of the recording:\n  \(problems.joined(separator: "\n  "))\n"
          + "leave out the recorded messages of a stage with --replace STAGE, or topics with --without"
      )
    }
  }
}

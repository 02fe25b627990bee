import Bus
import EventTime
import Foundation
import LaunchKit
import Messages
import NodeKit
import Replay

/// Plays recordings onto a bus, at their pace.
struct BusPlay {
  /// Messages between two turns at full speed: less than a node's shortest queue holds.
  private static let window = 32

  let files: [String]
  let target: StackOptions
  let options: Player.Options

  func run() throws {
    let survey = try RecordingSurvey(paths: files)
    let bus = try PlayedBus(target)
    defer { bus.close() }
    try refuseWhatIsWritten(survey, bus.client)
    let publisher = try FramePublisher(to: bus.address)
    let player = try Player(
      files, survey, options, run: RunNumber.next()
    ) { frame in
      do {
        try publisher.publish(frame)
      } catch {
        throw Problem("the bus does not take \(frame.topic): \(error)")
      }
    }
    print(
      "playing \(survey.messageCount) messages, \(Int(player.lengthS)) s, on \(bus.address.base)")
    let keys = PlayKeys()
    defer { keys.close() }
    var turn = PlayerTurns(bus.client, publisher)
    while !player.isOver {
      guard try keys.obey(player, waitingMS: Self.waitMS(player.due)) else { break }
      try player.playDue(limit: options.rate == nil ? Self.window : 1_000)
      if options.rate == nil { try turn.next() }
    }
    try turn.next()
    print("played \(player.played) messages")
  }

  private static func waitMS(_ due: MonotonicTime?) -> Int {
    guard let due else { return 200 }
    return max(0, min(200, due.millisecondsLeft()))
  }

  /// Two voices on one topic would confuse every reader.
  private func refuseWhatIsWritten(_ survey: RecordingSurvey, _ client: BusClient) throws {
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
        problems.append("\(topic) is written by \(writers.sorted().joined(separator: ", "))")
      }
    }
    guard problems.isEmpty else {
      throw Problem(
        "live nodes write what the recording has:\n  \(problems.joined(separator: "\n  "))\n"
          + "hold back the recorded words with --replace STAGE, or leave topics out with --without")
    }
  }
}

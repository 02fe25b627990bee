import BusClient
import BusProtocol
import Foundation
import Messages
import NodeKit

/// Paces a player by its readers.
///
/// After each turn it waits until the bus has passed on the published messages, and until every
/// node has handled them.
struct PlayerFlowControl {
  /// Time limit for the slowest node in a turn.
  private static let patienceMS: Int64 = 60_000

  private let client: BusClient
  private let publisher: FramePublisher
  private let name = "player-\(ProcessInfo.processInfo.processIdentifier)"
  private let run = RunNumber.next()
  private var number: UInt64 = 0
  private var nodes: Set<String> = []
  private var nextLook = MonotonicTime.now

  init(_ client: BusClient, _ publisher: FramePublisher) {
    self.client = client
    self.publisher = publisher
    _ = client.subscribe([PlayTurn.topic, "_play/heard/"], waitingMS: 5_000)
  }

  /// Ends a turn, and waits for all nodes.
  mutating func next() throws {
    number += 1
    updateNodes()
    try publisher.publish(
      Frame(
        topic: PlayTurn.topic,
        header: Header(
          sequence: number, stampNS: 0, source: name, run: run, schema: PlayTurn.schema,
          deliveryClass: .event), payload: PlayTurn(number: number).encoded()))
    var waitsForBus = true
    var waiting = nodes
    let deadline = MonotonicTime.now.advanced(byMS: Self.patienceMS)
    while waitsForBus || !waiting.isEmpty {
      guard deadline > .now else {
        throw Problem(
          waitsForBus
            ? "the bus did not forward the published messages within 60 s"
            : "\(waiting.sorted().joined(separator: ", ")) did not process the published messages within 60 s"
        )
      }
      guard case .message(let heard)? = client.next(waitingMS: 1_000) else {
        updateNodes()
        waiting.formIntersection(nodes)
        continue
      }
      if heard.topic == PlayTurn.topic, heard.header.source == name,
        heard.header.sequence == number
      {
        waitsForBus = false
      } else if let turn = try? PlayHeard(decoding: heard.payload), turn.player == name,
        turn.number == number
      {
        waiting.remove(heard.header.source)
      }
    }
  }

  /// Updates the list of nodes once per second, since nodes may join and leave during playback.
  private mutating func updateNodes() {
    guard nextLook <= .now else { return }
    nextLook = MonotonicTime.now.advanced(byMS: 1_000)
    let reports = client.nodeReports() ?? []
    nodes = Set(
      reports.filter { node in
        node.isAlive && node.kind == "node"
          && node.subscribes.contains { TopicName.matches($0, PlayTurn.topic) }
      }.map(\.name))
  }
}

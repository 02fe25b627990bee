import BusClient
import Messages
import NodeKit
import Stage

/// The journal of a node: `_journal/<node>`, if the stack was started with a recording
/// (NAV_JOURNAL=1).
final class JournalWriter {
  private let topic: String
  private let client: BusClient
  private let clock: NodeClock
  private let report: NodeReport

  init(node: String, client: BusClient, clock: NodeClock, report: NodeReport) {
    topic = Self.topic(of: node)
    self.client = client
    self.clock = clock
    self.report = report
  }

  static func topic(of node: String) -> String { "_journal/\(node)" }

  /// Announces a message that is published by the node itself and not by its stage.
  func announceOwnMessage(_ topic: String, vehicle: String) {
    write(NodeJournal(event: .aside, vehicle: vehicle, topic: topic))
  }

  func write(_ entry: NodeJournal) {
    let publication = Publication(
      topic: topic, stampNS: clock.stampNS(), schema: NodeJournal.schema, payload: entry.encoded())
    // Its number is then missing, which a replay reports.
    if case .refused(let reason) = client.publish(publication) {
      report.figures.count("journal_refused", by: 1)
      report.log.write(.warning, kind: "journal", "the journal has a gap: \(reason.rawValue)")
    }
  }
}

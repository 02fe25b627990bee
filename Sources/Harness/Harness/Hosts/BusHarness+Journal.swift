import BusClient
import BusProtocol
import Messages
import NodeKit
import Stage

/// The journal of a node: `_journal/<node>`, if the stack was started with a recording
/// (NAV_JOURNAL=1).
extension BusHarness {
  static func journalTopic(of node: String) -> String { "_journal/\(node)" }

  /// Records the events of the stages from now on.
  ///
  /// In lock-step the recording itself contains everything.
  func openJournal() {
    guard setUp.environment.isJournaled, lockStep == nil else { return }
    host = JournaledHost(host, node: setUp.environment.name) { [weak self] entry in
      self?.write(entry)
    }
  }

  /// Announces a message that is published by the node itself and not by its stage.
  func journalOwnMessage(_ topic: String, vehicle: String) {
    guard host is JournaledHost else { return }
    write(NodeJournal(event: .aside, vehicle: vehicle, topic: topic))
  }

  private func write(_ entry: NodeJournal) {
    let publication = Publication(
      topic: Self.journalTopic(of: setUp.environment.name), stampNS: stampNS(.now),
      schema: NodeJournal.schema, payload: entry.encoded())
    // Its number is then missing, which a replay reports.
    if case .refused(let reason) = client.publish(publication) {
      figures.count("journal_refused", by: 1)
      log.write(.warning, kind: "journal", "the journal has a gap: \(reason.rawValue)")
    }
  }
}

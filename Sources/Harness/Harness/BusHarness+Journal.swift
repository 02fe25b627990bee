import Bus
import Messages
import NodeKit
import Stage

/// The journal of a node: `_journal/<node>`, where the stack was started with a recording (NAV_JOURNAL=1).
extension BusHarness {
  static func journalTopic(of node: String) -> String { "_journal/\(node)" }

  /// Writes down what happens to the stages from now on.
  ///
  /// In lock-step the recording itself has all that there is.
  func openJournal() {
    guard setUp.environment.isJournaled, lockStep == nil else { return }
    host = JournaledHost(host, node: setUp.environment.name) { [weak self] entry in
      self?.write(entry)
    }
  }

  /// Tells that the node itself is about to say something, and not its stage.
  func noteAside(_ topic: String, vehicle: String) {
    guard host is JournaledHost else { return }
    write(NodeJournal(event: .aside, vehicle: vehicle, topic: topic))
  }

  private func write(_ entry: NodeJournal) {
    let publication = Publication(
      topic: Self.journalTopic(of: setUp.environment.name), stampNS: stampNS(.now),
      schema: NodeJournal.schema, payload: entry.encoded())
    // Its number is missing then, and who replays says so.
    if case .refused(let reason) = client.publish(publication) {
      figures.count("journal_refused", by: 1)
      log.write(.warning, kind: "journal", "the journal has a gap: \(reason.rawValue)")
    }
  }
}

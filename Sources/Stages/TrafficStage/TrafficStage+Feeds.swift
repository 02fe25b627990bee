import Stage
import TrafficFeeds

extension TrafficStage {
  /// Maximum number of notes of one feed that are logged individually.
  private static let noteLimit = 20

  /// Reports what is new in the feeds of `shared` compared with `old`: log lines, counts by reason,
  /// and the degraded state.
  func reports(beside old: TrafficShared?) -> [StageOutput] {
    var outputs: [StageOutput] = []
    for feed in shared.feeds {
      let before = old?.feeds.first { $0.name == feed.name }
      let known = Set(before?.notes ?? [])
      let notes = feed.notes.filter { !known.contains($0) }
      for note in notes.prefix(Self.noteLimit) {
        outputs.append(.log(.warning, "\(feed.name): \(note)"))
      }
      if notes.count > Self.noteLimit {
        let more = notes.count - Self.noteLimit
        outputs.append(
          .log(.warning, "\(feed.name): \(more) more notes; the status counts them by reason"))
      }
      for reason in FeedReason.allCases {
        let count = notes.count { $0.reason == reason }
        if count > 0 { outputs.append(.count("feed_\(reason.rawValue)", count)) }
      }
      if let fault = feed.fault, fault != before?.fault {
        outputs.append(.log(.warning, "\(feed.name): \(fault)"))
        outputs.append(.count("feed_files_refused", 1))
      }
    }
    let faults = shared.feeds.compactMap { feed in feed.fault.map { "\(feed.name): \($0)" } }
    let before = old?.feeds.contains { $0.fault != nil } ?? false
    if !faults.isEmpty || before {
      outputs.append(.degraded(faults.isEmpty ? nil : faults.joined(separator: "; ")))
    }
    return outputs
  }
}

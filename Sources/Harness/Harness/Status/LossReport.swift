import BusProtocol

/// Combines lost messages of the same topic of many vehicles into one line of the log.
///
/// The gap after a restart is detected with each vehicle's next message, so over a second or more.
/// A line is written when a second has passed without a new loss, and after at most five seconds.
struct LossReport {
  private struct Entry {
    var topics: Set<String> = []
    var lost: UInt64 = 0
    var rounds = 0
    var isNew = true
  }

  static let mostRounds = 5

  private var entries: [String: Entry] = [:]

  /// Adds the losses of a second; returns the lines that are due, sorted.
  mutating func lines(adding losses: [(topic: String, lost: UInt64)]) -> [String] {
    for leaf in entries.keys { entries[leaf]?.isNew = false }
    for (topic, lost) in losses {
      let leaf = TopicName.split(topic).leaf
      entries[leaf, default: Entry()].topics.insert(topic)
      entries[leaf]?.lost += lost
      entries[leaf]?.isNew = true
    }
    var lines: [String] = []
    for (leaf, var entry) in entries.sorted(by: { $0.key < $1.key }) {
      entry.rounds += 1
      guard !entry.isNew || entry.rounds >= Self.mostRounds else {
        entries[leaf] = entry
        continue
      }
      entries[leaf] = nil
      let name = entry.topics.count == 1 ? entry.topics.first ?? leaf : leaf
      let vehicles = entry.topics.count == 1 ? "" : " of \(entry.topics.count) vehicles"
      lines.append("\(name): \(entry.lost) messages\(vehicles) lost")
    }
    return lines
  }
}

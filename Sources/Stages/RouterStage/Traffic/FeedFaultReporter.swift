import Foundations
import RoadGraph
import Stage
import Synchronization
import Traffic

/// Reports unusable feed data once per feed and reason, for all vehicles of a router.
final class FeedFaultReporter: Sendable {
  /// Reasons with the names of their counters in the node's status.
  enum Reason: String, Sendable {
    /// Rows and incidents that lie on no road of the map.
    case unplaced = "traffic_unplaced"
    /// Speeds that no vehicle can drive there.
    case clipped = "traffic_clipped"
    /// Invalid values: negative speeds, delays that are not numbers.
    case badValues = "traffic_bad_values"
    /// OpenLR lines that are malformed or fit no path.
    case openLR = "traffic_openlr"
    /// Messages of a feed whose clock is wrong.
    case clock = "traffic_clock"
    /// Messages that are older than the validity of their values.
    case stale = "traffic_stale"
  }

  private struct Matter: Hashable {
    var topic: String
    var feed: String
    var reason: Reason
  }

  private struct Seen {
    var named: Set<Matter> = []
    /// Number of rows of a feed at its last check, by topic and feed.
    var checked: [String: Int] = [:]
  }

  private let seen = Mutex(Seen())

  /// Counts a problem, and logs it if that was not done for the feed before.
  func report(
    _ count: Int, _ reason: Reason, topic: String, feed: String,
    _ sentence: @autoclosure () -> String
  ) -> [StageOutput] {
    guard count > 0 else { return [] }
    let isNew = seen.withLock {
      $0.named.insert(Matter(topic: topic, feed: feed, reason: reason)).inserted
    }
    return [.count(reason.rawValue, count)]
      + (isNew ? [.log(.warning, "\(topic) \(feed): \(sentence())")] : [])
  }

  /// Feeds with up to this many rows are checked with each message.
  private static let smallCount = 1000

  /// Whether the places of a feed are to be checked: it is small, new, or its number of rows has
  /// changed.
  func wantsCheck(topic: String, feed: String, count: Int) -> Bool {
    guard count > 0 else { return false }
    return seen.withLock {
      $0.checked.updateValue(count, forKey: "\(topic) \(feed)") != count
    } || count <= Self.smallCount
  }

  /// Returns the counters and log lines for a check.
  func outputs(_ check: FeedCheck, topic: String, feed: String, of count: Int) -> [StageOutput] {
    report(
      check.unplaced, .unplaced, topic: topic, feed: feed,
      "\(check.unplaced) of \(count) lie on no road of the map: "
        + check.unplacedNames.joined(separator: "; "))
      + report(
        check.clipped, .clipped, topic: topic, feed: feed,
        "\(check.clipped) of \(count) speeds are implausible and clipped: "
          + check.clippedNames.joined(separator: "; "))
      + report(
        check.badOpenLR, .openLR, topic: topic, feed: feed,
        "\(check.badOpenLR) OpenLR lines of \(count) incidents match no road: "
          + check.badOpenLRNames.joined(separator: "; "))
  }

  /// Returns the counters and log lines for the clock of a feed.
  func outputs(_ finding: FeedClock.Finding, topic: String, feed: String) -> [StageOutput] {
    switch finding {
    case .right: []
    case .ahead(let seconds):
      report(
        1, .clock, topic: topic, feed: feed,
        "its clock is \(Int(seconds.rounded())) s ahead; its stamps are corrected by that")
    case .behind(let seconds):
      report(
        1, .clock, topic: topic, feed: feed,
        "its clock is \(Int(seconds.rounded())) s late, because of a wrong time zone; its stamps are corrected by that"
      )
    case .stale(let seconds):
      report(
        1, .stale, topic: topic, feed: feed,
        "its values are \(Int(seconds.rounded())) s old without an end and are no longer used")
    }
  }
}

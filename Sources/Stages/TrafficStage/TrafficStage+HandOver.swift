import Foundations
public import Stage
import Traffic

extension TrafficStage {
  /// The state that a successor needs to continue without repeating publications.
  private struct VehicleSnapshot: Codable {
    static let version = 1

    var began: Instant?
    var hasStarted: Bool
    var published: [Int]?
    /// Name of the scenario's feed, and fingerprints of its messages and of the table of speeds; nil
    /// from a release without them.
    var feed: String?
    var fingerprint: UInt64?
    var speeds: UInt64?
    /// Fingerprints of the feeds' messages, by topic and key; nil from a release without feeds.
    var feeds: [String: UInt64]?
  }

  public var handOverState: [UInt8]? {
    HandoverCoding.encode(
      VehicleSnapshot(
        began: began, hasStarted: hasStarted, published: published,
        feed: shared.scenario.feed, fingerprint: published.map(fingerprint),
        speeds: hasStarted ? speedsFingerprint : nil, feeds: feeds.published),
      version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    began = whole.began
    hasStarted = whole.hasStarted
    feeds.published = whole.feeds ?? [:]
    // Another scenario, table or map has other messages, which are published.
    publishesSpeeds =
      whole.hasStarted && whole.speeds != speedsFingerprint
      && !(whole.speeds == nil && shared.speeds.isEmpty)
    published = whole.published.flatMap { active in
      active.allSatisfy(shared.scenario.events.indices.contains)
        && fingerprint(of: active) == whole.fingerprint ? active : nil
    }
    if whole.published != nil, published == nil { obsoleteFeed = whole.feed }
  }
}

import EventTime
public import Stage
import Traffic

extension TrafficStage {
  /// The state that a successor needs to continue without repeating publications.
  private struct VehicleSnapshot: Codable {
    static let version = 1

    var began: Instant?
    var hasStarted: Bool
    var published: [Int]?
    /// Fingerprint of the messages about the published events; nil from a release without it.
    var fingerprint: UInt64?
    /// Fingerprints of the feeds' messages, by topic and key; nil from a release without feeds.
    var feeds: [String: UInt64]?
  }

  public var handOverState: [UInt8]? {
    HandoverCoding.encode(
      VehicleSnapshot(
        began: began, hasStarted: hasStarted, published: published,
        fingerprint: published.map(fingerprint), feeds: feeds.published),
      version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    began = whole.began
    hasStarted = whole.hasStarted
    feeds.published = whole.feeds ?? [:]
    // Another scenario or another map has other messages, which are published.
    published = whole.published.flatMap { active in
      active.allSatisfy(shared.scenario.events.indices.contains)
        && fingerprint(of: active) == whole.fingerprint ? active : nil
    }
  }
}

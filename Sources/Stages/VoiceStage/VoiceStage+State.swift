import Foundations
import Messages
import Speech
public import Stage

extension VoiceStage {
  /// Announcements made on the route, and the current one.
  ///
  /// With them a restart repeats nothing, and it counts an announcement that a kill interrupted.
  public var savedState: [UInt8]? {
    WireVoiceState(
      routeId: routeID, maneuvers: timing.said.mapValues(\.rawValue),
      keys: Array(arbiter.saidKeys.suffix(64)), warnings: aheadWarnings, nextId: nextID,
      speaking: arbiter.speaking?.key
    ).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved = try WireVoiceState(savedState: state)
    routeID = saved.routeId
    nextID = max(nextID, saved.nextId)
    cutOff = saved.speaking
    aheadWarnings = saved.warnings.suffix(32)
    arbiter = Arbiter(tuning: settings.arbiter, saidKeys: saved.keys)
    for (key, word) in saved.maneuvers.sorted(by: { $0.key < $1.key }) {
      guard let kind = AnnouncementKind(rawValue: word) else { continue }
      _ = timing.handle(.said(key: key, through: kind))
    }
  }
}

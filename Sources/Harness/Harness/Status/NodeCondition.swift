import Foundations
import Messages

/// The state of a node, and the reasons why it is degraded.
struct NodeCondition {
  typealias State = NodeFigures.State

  private(set) var state = State.starting
  /// Stack time of the last change of the state; nil if that was unknown.
  private(set) var since: Instant?
  /// By subject.
  private var reasons: [String: String] = [:]

  var isSound: Bool { reasons.isEmpty }

  func reason(_ subject: String) -> String? { reasons[subject] }

  /// All reasons in the order of their subjects; nil if there is none.
  var summary: String? {
    reasons.isEmpty
      ? nil : reasons.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; ")
  }

  /// Sets the reason of a subject, nil for none; returns whether it has changed.
  mutating func set(_ subject: String, _ reason: String?) -> Bool {
    guard reasons[subject] != reason else { return false }
    reasons[subject] = reason
    return true
  }

  /// Changes the state at `now`.
  mutating func enter(_ new: State, now: Instant?) {
    guard new != state else { return }
    state = new
    since = now
  }

  /// Is ready from now on, or degraded if there is a reason for it.
  mutating func enterReadyOrDegraded(now: Instant?) {
    enter(isSound ? .ready : .degraded, now: now)
  }
}

import Foundations
import NodeKit
import Stage

/// Routes the messages of a conductor to the tap, to the condition of a run, and to the nodes that
/// read them.
final class MessageRouter {
  var tap: ((PublishedMessage) -> Void)?
  /// Whether a node's message is withheld from its readers.
  var holdsBack: ((PublishedMessage) -> Bool)?
  private var stopWhen: ((PublishedMessage) -> Bool)?
  /// Whether the condition of the run has accepted a message.
  private(set) var hasMetCondition = false
  private var lastValues: [String: PublishedMessage] = [:]
  private var outsideSequences: [String: UInt64] = [:]
  private let schedule: EventSchedule

  init(schedule: EventSchedule) { self.schedule = schedule }

  /// Starts to compare messages with the condition of a run; nil for none.
  func startCondition(stopWhen: ((PublishedMessage) -> Bool)?) {
    self.stopWhen = stopWhen
    hasMetCondition = false
  }

  func endCondition() { stopWhen = nil }

  /// Publishes a message of a node.
  func publish(
    _ topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    of member: ConductorMember, vehicle: String
  ) {
    let owner = topic.hasPrefix("_") ? nil : vehicle
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    route(
      PublishedMessage(
        vehicle: owner, topic: topic, stamp: stamp, source: member.name, run: member.run,
        sequence: member.nextSequence(of: name), schema: Contract.schema(ofTopic: topic), key: key,
        ttlMS: ttlMS, cause: cause, payload: payload))
  }

  /// Publishes a message that no node here has made.
  func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String?, vehicle: String?, source: String
  ) {
    let owner = topic.hasPrefix("_") ? nil : vehicle
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    route(
      PublishedMessage(
        vehicle: owner, topic: topic, stamp: stamp, source: source, run: 1,
        sequence: nextSequence(of: name, source: source), schema: Contract.schema(ofTopic: topic),
        key: key, ttlMS: nil, cause: nil, payload: payload))
  }

  /// The number of the next message of a name from a source that is no node here.
  func nextSequence(of name: String, source: String) -> UInt64 {
    let sequence = outsideSequences["\(source) \(name)", default: 0] + 1
    outsideSequences["\(source) \(name)"] = sequence
    return sequence
  }

  /// Passes a message to the tap and to every node that reads its topic.
  private func route(_ message: PublishedMessage) {
    tap?(message)
    if let stopWhen, !hasMetCondition { hasMetCondition = stopWhen(message) }
    if Contract.isState(message.topic) {
      lastValues["\(message.name) \(message.key ?? "")"] = message
    }
    if holdsBack?(message) == true { return }
    schedule.deliver(message)
  }

  /// Passes the last values of states to a node that was restarted.
  func repeatLastValues(to member: ConductorMember) {
    for (_, value) in lastValues.sorted(by: { $0.key < $1.key }) where member.reads(value.topic) {
      var inbound = value.inbound
      inbound.isLatched = true
      schedule.deliver(
        .message(inbound), to: member, vehicle: value.vehicle, cause: inbound.cause)
    }
  }
}

import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage

/// Publishes the messages of a node, and shows them to its attachments.
final class NodePublisher {
  private var promises: PromisedIntervals
  private let environment: NodeEnvironment
  private let client: BusClient
  private let role: NodeRole
  private let report: NodeReport
  private let attachments: NodeAttachments
  /// nil if the node has no journal.
  private let journal: JournalWriter?

  init(
    _ environment: NodeEnvironment, outputs: [String], client: BusClient, role: NodeRole,
    report: NodeReport, attachments: NodeAttachments, journal: JournalWriter?
  ) {
    promises = PromisedIntervals(outputs: outputs, environment.wiring)
    self.environment = environment
    self.client = client
    self.role = role
    self.report = report
    self.attachments = attachments
    self.journal = journal
  }

  /// Publishes a message of a stage or an attachment; `topic` is the name on the bus without the
  /// vehicle.
  func publish(
    _ topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    vehicle: String
  ) {
    let owner = topic.hasPrefix("_") ? nil : vehicle
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    let own = environment.wiring.inStage(topic)
    let publication = Publication(
      topic: name, stampNS: stamp.nanoseconds, schema: Contract.schema(ofTopic: own),
      payload: payload, cause: cause.map(Origin.init), key: key, ttlMS: ttlMS,
      nextMS: promises.next(topic, vehicle: vehicle))
    if case .refused(let reason) = client.publish(publication) {
      report.write(
        .warning, kind: "publish \(topic)", "\(name) was not published: \(reason.rawValue)")
    }
    guard !attachments.isEmpty, !role.isStandby else { return }
    attachments.didPublish(
      PublishedMessage(
        vehicle: owner, topic: own, stamp: stamp, source: environment.name, run: client.run,
        sequence: client.lastSequence(of: name) ?? 0, schema: publication.schema, key: key,
        ttlMS: ttlMS, cause: cause, payload: payload))
  }

  /// Publishes a message that is the node's own and not its stage's.
  func publishOwnMessage(
    _ topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    vehicle: String
  ) {
    journal?.announceOwnMessage(topic, vehicle: vehicle)
    publish(
      topic, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: cause, vehicle: vehicle)
  }

  /// Publishes an update of stack time, of which this node is the source.
  func publishClock(
    now: Instant, rate: Double, isPaused: Bool, run: UInt64, vehicle: String
  ) {
    publish(
      Contract.clockTopic, stamp: now,
      payload: Contract.clockPayload(now: now, rate: rate, isPaused: isPaused, run: run), key: nil,
      ttlMS: nil, cause: nil, vehicle: vehicle)
  }

  /// Reports to a player that all messages before its turn are handled; a standby does not report.
  func confirmTurn(_ delivery: Delivery) {
    guard !role.isStandby, let turn = try? PlayTurn(decoding: delivery.payload) else { return }
    let heard = PlayHeard(number: turn.number, player: delivery.header.source)
    _ = client.publish(
      Publication(
        topic: "_play/heard/\(environment.name)", stampNS: delivery.header.stampNS,
        schema: PlayHeard.schema, payload: heard.encoded()))
  }

  /// Performs `body`, whose publications may be sent together.
  func asBatch(_ body: () -> Void) {
    client.beginTurn()
    body()
    let refused = client.endTurn()
    if refused > 0 {
      report.write(
        .warning, kind: "publish", "\(refused) messages of a batch were not published")
    }
  }

  // MARK: Promises of the interval to the next message

  /// Sets the stage's promise; nil leaves it to the topic's declaration.
  func promise(_ topic: String, vehicle: String, nextS: Double?) {
    promises.set(topic, vehicle: vehicle, nextS: nextS)
  }

  /// Promises for the topics that follow an input what that input promises.
  func followPromise(of input: String, vehicle: String, nextMS: UInt32?) {
    promises.follow(input, vehicle: vehicle, nextMS: nextMS)
  }

  /// The current promises of a vehicle: milliseconds by topic.
  func promises(of vehicle: String) -> [String: UInt64] { promises.all(of: vehicle) }

  func forgetPromises(of vehicle: String) { promises.forget(vehicle) }
}

extension Origin {
  init(_ cause: Cause) {
    self.init(
      topic: cause.topic, source: cause.source, run: cause.run, sequence: cause.sequence)
  }
}

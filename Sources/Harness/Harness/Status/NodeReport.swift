import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage

/// The reports of a node about itself: log lines, counters, and its status.
///
/// The log lines of stages, and of refusals, are limited: a cause that repeats does not fill the
/// log.
final class NodeReport {
  let log: LogSink
  var figures: NodeFigures
  private var condition = NodeCondition()
  private var repeats = LogRateLimiter()
  private var losses = LossReport()
  private let environment: NodeEnvironment
  private let notifier: Notifier
  private let inputs: Set<String>
  private let host: any StageHosting
  private let client: BusClient
  private let clock: NodeClock
  private let role: NodeRole

  init(
    _ setUp: BusHarness.SetUp, host: any StageHosting, inputs: Set<String>, client: BusClient,
    log: LogSink, clock: NodeClock, role: NodeRole
  ) {
    environment = setUp.environment
    notifier = setUp.notifier
    figures = NodeFigures(parameters: setUp.parameters)
    self.host = host
    self.inputs = inputs
    self.client = client
    self.log = log
    self.clock = clock
    self.role = role
  }

  /// Writes a line with the current stack time.
  func write(_ level: LogLevel, _ text: String) {
    log.write(level, text, stampNS: clock.stampNS())
  }

  /// Writes a line of a kind that may be frequent, with the current stack time.
  func write(_ level: LogLevel, kind: String, _ text: String) {
    log.write(level, kind: kind, text, stampNS: clock.stampNS())
  }

  // MARK: Refusals and lines of stages

  /// Counts a refused event, and logs it once per vehicle and cause.
  func refuse(_ refusal: Refusal, place: String, vehicle: String?) {
    let sentence = refusal.sentence(at: place)
    figures.refuse(place, refusal.reason, vehicle: vehicle, text: sentence)
    let isOfVehicle = vehicle != nil && !place.hasPrefix("_")
    let whole = isOfVehicle ? "\(vehicle ?? "")/\(place)" : place
    write(
      LogRateLimiter.Line(level: .warning, text: "\(whole): \(sentence)", vehicle: vehicle),
      cause: "\(place) \(refusal.reason)")
  }

  /// Logs a line of a stage or an attachment; a line about one of its inputs names the vehicle in
  /// the topic.
  func line(_ level: LogLevel, _ text: String, vehicle: String?) {
    guard level != .debug else { return write(level, text) }
    let isOwn = vehicle.map { host.manifest.ownVehicles?.contains($0) == true } ?? true
    let vehicle = isOwn ? nil : vehicle
    let isOfInput = inputs.contains { text.hasPrefix("\($0): ") }
    let whole = isOfInput ? vehicle.map { "\($0)/\(text)" } : nil
    write(
      LogRateLimiter.Line(level: level, text: whole ?? text, vehicle: vehicle),
      cause: "\(level.rawValue) \(LogRateLimiter.cause(of: text))")
  }

  private func write(_ line: LogRateLimiter.Line, cause: String) {
    if let line = repeats.record(line, cause: cause, at: .now) { write(line) }
  }

  private func write(_ line: LogRateLimiter.Line) {
    log.write(line.level, line.text, stampNS: clock.stampNS(), vehicle: line.vehicle)
  }

  /// Writes the summaries of repeated lines that are due.
  func writeSummaries(at now: MonotonicTime, all: Bool = false) {
    for line in repeats.summaries(at: now, all: all) { write(line) }
  }

  // MARK: Counters

  /// Adds to a stage's counter; one named after an input and a reason also explains missing
  /// outputs.
  func count(_ counter: String, by amount: Int, vehicle: String) {
    figures.count(counter, by: amount)
    guard let space = counter.firstIndex(of: " ") else { return }
    let topic = String(counter[..<space])
    let reason = String(counter[counter.index(after: space)...])
    guard Self.isUnused(reason), inputs.contains(environment.wiring.onBus(topic)) else { return }
    figures.countUnused(topic, reason, vehicle: vehicle, count: amount)
  }

  /// Whether messages counted under this reason were not used; otherwise they only lack a value.
  private static func isUnused(_ reason: String) -> Bool {
    !reason.hasSuffix("_left_out") && !reason.hasSuffix("_not_believed")
      && !reason.hasPrefix("answered_") && reason != "time_began_anew"
  }

  // MARK: Condition and status

  /// Whether the node is degraded because of the subject, which is only computed for a degraded
  /// node.
  func isDegraded(_ subject: @autoclosure () -> String) -> Bool {
    !condition.isSound && condition.reason(subject()) != nil
  }

  /// The reason why the node is degraded because of the subject; nil if it is not.
  func degradation(_ subject: String) -> String? { condition.reason(subject) }

  /// Sets the reason why the node is degraded, by subject; nil removes it.
  func setDegraded(_ subject: String, _ reason: String?) {
    let before = condition.reason(subject)
    guard condition.set(subject, reason), condition.state != .starting else { return }
    condition.enterReadyOrDegraded(now: clock.now())
    if let reason {
      log.write(.warning, kind: "degraded \(subject)", "degraded: \(reason)")
    } else if let before, condition.state == .ready {
      log.write(.info, kind: "ready \(subject)", "ready again; it was degraded: \(before)")
    }
    publishStatus()
  }

  /// Publishes that the node has started.
  func start() {
    condition.enter(.ready, now: clock.now())
    publishStatus()
  }

  /// Publishes that this process is the node from now on.
  func becomeNode() {
    condition.enterReadyOrDegraded(now: clock.now())
    publishStatus()
  }

  /// Publishes that the node ends.
  func end() {
    condition.enter(.stopping, now: clock.now())
    publishStatus()
    write(.info, "stopping")
  }

  /// Reports what has happened in the last second, with a status.
  func eachSecond(now: MonotonicTime) {
    setDegraded("bus", client.isConnected ? nil : "the bus is not connected")
    if let error = figures.countFailedWaits() {
      write(.error, kind: "failed_waits", "waiting failed: \(error)")
    }
    if let count = figures.countRefusedConnections() {
      write(
        .warning, kind: "connections_refused",
        "connections refused because the limit of open files was reached: \(count) in total")
    }
    for line in losses.lines(adding: client.drainLosses()) { write(.warning, line) }
    writeSummaries(at: now)
    publishStatus()
  }

  private func publishStatus() {
    guard !role.isStill, !role.isRetired else { return }
    let status = figures.status(
      of: environment.name, host: host, client: client, condition: condition)
    _ = client.publish(
      Publication(
        topic: "_node/\(environment.name)/status", stampNS: clock.stampNS(),
        schema: Contract.schema(ofTopic: "_node/x/status"), payload: status.encoded()))
    notifier.status(condition.summary ?? condition.state.rawValue)
  }
}

extension Refusal {
  /// The sentence without the name of the place, with which some stages start it.
  func sentence(at place: String) -> String {
    let prefix = "\(place): "
    return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }
}

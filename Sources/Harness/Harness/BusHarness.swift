import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage
import ZMQ

/// The queue of a node's work loop for other threads.
typealias NodeJobs = LoopQueue<@Sendable (BusHarness) -> Void>

/// Runs one stage as a node of the bus, with one work loop on the thread that calls `run`.
final class BusHarness {
  struct SetUp {
    var environment: NodeEnvironment
    var parameters: Parameters
    var supervision: Supervision
    var notifier: Notifier
    var host: any StageHosting
    var attachments: [any NodeAttachment]
    /// Maximum time to wait for a broker.
    var brokerWaitMS = 20_000
  }

  /// Number of waiting events that one turn of the loop handles before its other work.
  private static let batch = 64

  /// Why the loop ends.
  private enum Ending {
    case ordered
    case failed(NodeFailure)
  }

  /// When the regular work of the loop is due.
  private struct DueTimes {
    var second = MonotonicTime.now
    var watchdog = MonotonicTime.now

    var first: MonotonicTime { min(second, watchdog) }
  }

  let client: BusClient
  let report: NodeReport
  let stages: StageRunner
  let attachments: NodeAttachments
  let maps: MapReplacement
  /// nil if the node serves all its vehicles at all times.
  let demand: VehiclesOnDemand?
  private let setUp: SetUp
  private let jobs: NodeJobs
  private let role: NodeRole
  private let input: InputQueue
  private let predecessor: PredecessorRole
  private let successor: SuccessorRole
  /// Set if a conductor drives the node, event by event.
  private let lockStep: LockStepServer?
  private var due = DueTimes()
  /// nil while the node runs.
  private var ending: Ending?

  init(_ setUp: SetUp) throws(BusError) {
    self.setUp = setUp
    let environment = setUp.environment
    let wiring = environment.wiring
    let plain = wiring.isEmpty ? setUp.host : WiredHost(setUp.host, wiring)
    let manifest = plain.manifest
    let topics = NodeTopics(
      inputs: manifest.inputs, outputs: manifest.outputs, vehicles: environment.vehicles)
    let setsClock = manifest.outputs.contains(Contract.clockTopic)
    jobs = try NodeJobs()
    client = try BusClient(Self.configuration(setUp, manifest, topics, setsClock: setsClock))
    let log = LogSink(node: environment.name, isSupervised: environment.isSupervised)
    let handle = BusNodeHandle(
      name: environment.name, vehicles: environment.vehicles, parameters: setUp.parameters,
      wiring: wiring, client: client, log: log, jobs: jobs)
    let clock = NodeClock(isSource: setsClock, handle: handle)
    role = NodeRole(
      isStandby: environment.isStandby, isReplica: environment.replica != nil, client: client)
    report = NodeReport(
      setUp, host: plain, inputs: topics.inputs, client: client, log: log, clock: clock, role: role)
    input = InputQueue(client: client)
    attachments = NodeAttachments(setUp, handle: handle, report: report)
    // In lock-step the recording itself contains everything.
    let journal =
      environment.isJournaled && !environment.isLockStep && !environment.isStandby
      ? JournalWriter(node: environment.name, client: client, clock: clock, report: report) : nil
    let host =
      journal.map { JournaledHost(plain, node: environment.name, publish: $0.write) } ?? plain
    let wakes = WakeSchedule(input: input, clock: clock, report: report)
    stages = StageRunner(
      environment, host: host, topics: topics,
      monitor: InputMonitor(
        environment, manifest: manifest, clock: clock, report: report, role: role),
      publisher: NodePublisher(
        environment, outputs: manifest.outputs, client: client, role: role, report: report,
        attachments: attachments, journal: journal),
      calls: OpenCalls(client: client, jobs: jobs), wakes: wakes,
      saved: SavedStates(
        node: environment.name, host: host, client: client, clock: clock, report: report,
        role: role),
      shadow: Shadow(
        of: environment.name, topics: topics, host: host, client: client, clock: clock,
        report: report, wakes: wakes, jobs: jobs),
      clock: clock, report: report, role: role, jobs: jobs)
    maps = MapReplacement(
      environment, parameters: setUp.parameters, stages: stages, attachments: attachments,
      report: report, role: role, jobs: jobs)
    demand = VehiclesOnDemand(
      environment, stages: stages, attachments: attachments, client: client, role: role, jobs: jobs)
    predecessor = PredecessorRole(
      environment, stages: stages, input: input, demand: demand, client: client, clock: clock,
      report: report, role: role)
    successor = SuccessorRole(
      stages: stages, input: input, demand: demand, client: client, report: report, role: role)
    lockStep =
      environment.isLockStep
      ? LockStepServer(
        node: environment.name, host: host, client: client, clock: clock, report: report,
        attachments: attachments) : nil
  }

  private static func configuration(
    _ setUp: SetUp, _ manifest: Manifest, _ topics: NodeTopics, setsClock: Bool
  ) -> BusClient.Configuration {
    let environment = setUp.environment
    var configuration = BusClient.Configuration(
      address: environment.bus, name: environment.name, version: NodeVersion.text,
      table: Contract.table(wired: environment.wiring),
      publishes: manifest.outputs
        + [
          "_node/<name>/status", "_log/<node>", "_state/<node>", "_journal/<node>",
          PlayHeard.topic,
        ],
      streamDepth: 64, lane: environment.replica?.lane ?? 0, group: environment.replica?.group,
      isStandby: environment.isStandby, inputs: topics.inputNames)
    // An attachment and the source of time are shared by all vehicles.
    configuration.handsOverInParts =
      setUp.attachments.isEmpty && !setsClock && !environment.isLockStep
    return configuration
  }

  // MARK: Start

  /// Runs until the process must end.
  ///
  /// - Throws: `NodeFailure` if the node cannot be set up or is rejected by the broker.
  func run() throws(NodeFailure) {
    defer { client.close() }
    guard try waitForBroker() else { return }
    if role.isStandby {
      try standBy()
    } else {
      try start()
    }
    while ending == nil { turn() }
    stop()
    if case .failed(let failure)? = ending { throw failure }
  }

  private func waitForBroker() throws(NodeFailure) -> Bool {
    let base = setUp.environment.bus.base
    setUp.notifier.status("waiting for the bus at \(base)")
    let deadline = MonotonicTime.now.advanced(byMS: Int64(setUp.brokerWaitMS))
    while !client.waitForBroker(timeoutMS: 50) {
      if isStopRequested() { return false }
      if case .rejected(_, let message)? = client.next() {
        throw NodeFailure(message, .configuration)
      }
      guard deadline > .now else {
        throw NodeFailure(
          "no bus at \(base) within \(setUp.brokerWaitMS / 1_000) s", .unavailable)
      }
    }
    return true
  }

  private func isStopRequested() -> Bool {
    var items = [setUp.supervision.stop.pollItem]
    return pollOrPause(&items, timeoutMS: 0)
  }

  private func start() throws(NodeFailure) {
    report.log.attach(client)
    if let lockStep {
      lockStep.start()
    } else {
      try restore()
      let listed = setUp.environment.vehicles + (stages.host.manifest.ownVehicles ?? [])
      for vehicle in listed where role.serves(vehicle) { stages.admit(vehicle) }
      subscribe()
      if setUp.environment.replica != nil { reportReady() }
    }
    try attachments.start()
    if stages.setsClock, lockStep == nil { stages.startClock() }
    report.start()
    setUp.notifier.ready()
    report.write(.info, "ready")
  }

  /// Continues where a process of this name has ended.
  private func restore() throws(NodeFailure) {
    try stages.saved.restore { event in
      if case .message(let delivery) = event, delivery.topic == Contract.clockTopic {
        stages.handleClockUpdate(delivery)
      } else {
        receive(event)
      }
    }
    stages.saved.reclaimPublished(stages.topics)
    // Counts messages that were lost between the death of that process and the first message here.
    guard !stages.topics.inputs.isEmpty else { return }
    if !client.goOnAfterPredecessor(stages.topics.inputNames, waitingMS: 5_000) {
      report.log.write(
        .warning, "the bus did not report within 5 s what this node had already processed")
    }
  }

  private func subscribe() {
    client.serve(stages.host.manifest.serves)
    let clock = stages.setsClock ? [] : [Contract.clockTopic]
    let patterns = servedNames(of: stages.topics.inputs.sorted() + clock + [PlayTurn.topic])
    guard !patterns.isEmpty else { return }
    if !client.subscribe(patterns, waitingMS: 5_000) {
      report.log.write(.warning, "the bus did not confirm the subscriptions within 5 s")
    }
  }

  /// The names on the bus of topics of the vehicles that are currently served.
  func servedNames(of topics: [String]) -> [String] {
    demand?.names(of: topics) ?? stages.topics.names(of: topics)
  }

  /// Reports readiness to the broker first, because a reader of READY may order a handover at once.
  private func reportReady() {
    if !client.becomeReady(waitingMS: 5_000) {
      report.log.write(
        .warning, "the bus did not confirm within 5 s that this process is ready")
    }
  }

  /// Waits for the node's turn, with everything loaded.
  private func standBy() throws(NodeFailure) {
    subscribe()
    // The node's outputs, for a comparison; they are unsubscribed as soon as this process is the
    // node.
    _ = client.subscribe(stages.shadow.names, waitingMS: 5_000)
    reportReady()
    attachments.wait()
    setUp.notifier.ready()
    setUp.notifier.status("standby")
    report.log.write(.info, "ready as standby")
  }

  // MARK: The loop

  /// One turn of the work loop.
  private func turn() {
    let began = MonotonicTime.now
    stages.publisher.asBatch {
      for job in jobs.drain() { job(self) }
      for _ in 0..<Self.batch {
        guard let event = predecessor.nextEvent() else { break }
        receive(event)
      }
      demand?.serveWaitingCalls(isHandover: predecessor.isLeaving)
    }
    let now = MonotonicTime.now
    predecessor.replyIfSettled()
    successor.startIfReleased()
    if !role.isStandby { attachments.startWaiting(now: now, map: maps.newest) }
    stages.recreateStages()
    if successor.wakesStages {
      stages.publisher.asBatch { stages.wakeDue(now: now, predecessor) }
    }
    if !role.isStill {
      if now >= stages.saved.nextSave { stages.saved.saveDue(now: now) }
      // Actions that are due each second do not cause a wake-up of their own.
      if now >= stages.monitor.nextCheck || now >= due.second { stages.monitor.check(now: now) }
    }
    if now >= due.second { eachSecond(now: now) }
    if now >= due.watchdog {
      setUp.notifier.watchdog()
      due.watchdog = now.advanced(byMS: setUp.environment.watchdogMS)
    }
    if role.isRetired { end() }
    report.figures.turned(in: MonotonicTime.now.nanoseconds - began.nanoseconds)
    wait()
  }

  private func wait() {
    stages.wakes.pause()
    var until = due.first
    if !role.isStill {
      until = min(until, stages.saved.nextSave)
      if !stages.monitor.isEmpty { until = min(until, stages.monitor.nextCheck) }
    }
    if successor.wakesStages, let wake = stages.wakes.next { until = min(until, wake) }
    if attachments.areWaiting, !role.isStandby { until = min(until, attachments.nextAttempt) }
    let hasMore = !input.isEmpty || stages.hasReturned
    var items = [
      client.wakeUp.pollItem, jobs.wakeUp.pollItem, setUp.supervision.stop.pollItem,
    ]
    pollOrPause(
      &items, timeoutMS: hasMore ? 0 : min(1_000, until.millisecondsLeft()))
    if items[2].isReady { end() }
  }

  /// Ends the loop after this turn; a failure that has ended it before is kept.
  private func end() { ending = ending ?? .ordered }

  private func eachSecond(now: MonotonicTime) {
    due.second = now.advanced(byMS: 1_000)
    if setUp.supervision.isOrphaned { end() }
    // In lock-step only the conductor knows which vehicles are present.
    if !role.isStill, lockStep == nil {
      // A saved state is valid until its vehicle is watched again, so the vehicle is not forgotten.
      stages.dropSilent(at: now, keepsSaved: demand != nil)
    }
    demand?.requestReaders()
    maps.follow()
    report.eachSecond(now: now)
  }

  /// Finishes work in progress, signs off, and closes.
  private func stop() {
    setUp.notifier.stopping()
    for job in jobs.drain() { job(self) }
    if role.isStandby { return }
    // The name on the bus belongs to the successor.
    if role.isRetired { client.close() }
    attachments.retire(isRetired: role.isRetired)
    attachments.stop()
    if role.isRetired { return }
    for job in jobs.drain() { job(self) }
    report.writeSummaries(at: .now, all: true)
    stages.saved.saveDue(now: .now, all: true)
    report.end()
  }

  // MARK: Events of the bus

  private func receive(_ event: BusEvent) {
    switch event {
    case .message(let delivery): receive(delivery)
    case .call(let call): receive(call)
    case .cancelled(let id):
      demand?.cancelWaiting(id)
      stages.cancelServing(id)
    case .refused(let topic, let writer, let owner, let code):
      report.figures.count("bus_refused", by: 1)
      report.log.write(
        .error, kind: "refused \(topic)",
        "\(topic): \(code): \(owner) publishes it; messages of \(writer) are dropped")
      if writer == setUp.environment.name {
        report.setDegraded("refused \(topic)", "\(topic) is published by \(owner)")
      }
    case .rejected(_, let message): ending = .failed(NodeFailure(message, .configuration))
    case .handover(let event):
      predecessor.handle(event, on: self)
      successor.handle(event)
    case .notServed(let message):
      report.log.write(.error, "calls \(message)")
      report.setDegraded("calls", "calls \(message)")
    }
  }

  private func receive(_ delivery: Delivery) {
    stages.wakes.lastArrival = delivery.arrival
    if delivery.leaf == PlayTurn.topic { return stages.publisher.confirmTurn(delivery) }
    // In lock-step only attachments have subscribed.
    if lockStep == nil { stages.followTime(of: delivery) }
    attachments.remember(delivery)
    if role.isStandby, !successor.isForStandby(delivery) { return }
    if role.keepsForSuccessor(delivery, inputs: stages.topics.inputs) { return }
    if let demand, !demand.includes(delivery.vehicle) { return }
    attachments.receive(delivery)
    if lockStep == nil { stages.receive(delivery) }
  }

  private func receive(_ call: IncomingCall) {
    stages.wakes.lastArrival = call.arrival
    if let lockStep { return lockStep.serve(call) }
    let vehicle = call.vehicle ?? setUp.environment.vehicles.first ?? "ego"
    guard stages.canServe(vehicle) else {
      return client.reply(
        to: call.id,
        .failed(
          code: "invalid", message: "this node does not serve a vehicle \"\(vehicle)\"",
          field: "vehicle"))
    }
    if let demand, demand.mustWait(call, of: vehicle) { return }
    stages.serve(call, vehicle: vehicle)
  }

  // MARK: Requests of attachments

  /// Starts to watch a vehicle, whose known values are passed to the attachments.
  func watch(_ vehicle: String) {
    demand?.watch(vehicle)
    attachments.repeatStates(of: vehicle)
  }

  /// Performs a job of an attachment, or keeps it until the current handover has ended.
  func whenNotLeaving(_ job: @escaping @Sendable (BusHarness) -> Void) {
    predecessor.performWhenNotLeaving(job, on: self)
  }

  /// Whether an attachment's request to publish is ignored, as in lock-step; such requests are
  /// counted.
  func ignoresInLockStep() -> Bool {
    guard let lockStep else { return false }
    lockStep.ignoreRequest()
    return true
  }
}

import BusClient
import BusProtocol
import EventTime
import Messages
import NodeKit
import Stage
import ZMQ

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

  /// Maximum number of vehicles.
  static let maximumVehicles = 100_000
  /// Number of waiting events that one turn of the loop handles before its other work.
  private static let batch = 64

  let setUp: SetUp
  /// Its events are recorded if the node has a journal.
  var host: any StageHosting
  let client: BusClient
  let log: LogSink
  let handle: BusNodeHandle
  let jobs: LoopQueue<@Sendable (BusHarness) -> Void>
  let setsClock: Bool
  let inputs: Set<String>

  var time = StackTime()
  var wakes = WakeHeap()
  var waking = WakeProgress()
  var calls: [PendingCall: String] = [:]
  var served: [String: (vehicle: String, cause: Cause)] = [:]
  var subscribers: [AttachmentSubscription] = []
  var lastStates: [String: Delivery] = [:]
  var keeper: SnapshotScheduler
  var figures: NodeFigures
  var promises: PromisedIntervals
  var health: InputHealth
  /// The findings of the last check of the inputs.
  var findings: [String: InputHealth.Finding] = [:]
  var nextHealth = MonotonicTime.now
  var degradations: [String: String] = [:]
  private var lossReport = LossReport()
  var repeats = LogRateLimiter()
  /// Set if a conductor drives the node, event by event.
  var lockStep: LockStep?
  /// A failure that ends the node.
  var failure: NodeFailure?
  /// Whether another process has the name, and this one does not publish.
  var isStandby: Bool
  /// Whether another process has the name from now on; this one ends silently.
  var isRetired = false
  /// The watched vehicles; nil if the node serves all its vehicles at all times.
  var demand: Demand?
  var waitingCalls: [WaitingCall] = []
  var leaving: OutgoingHandover?
  var arriving: IncomingHandover?
  /// Set while a standby does the node's work silently.
  var shadow: ShadowComparison?
  /// The result of the last shadow.
  var compared: ShadowComparison?
  /// Slots of the node that a standby already has.
  var taken = SlotSet()
  /// The part of a handover that this process started last; only this part can become void.
  var begun: (token: UInt64, slots: SlotSet)?
  /// Vehicles that the node has given to its successor, which may still fail.
  var lent = LentVehicles()
  /// Vehicles that were returned by a successor, until their stages are recreated.
  var returned = ReturnedVehicles()
  /// Input that is handled before the input in the inbox.
  var kept = KeptEvents()
  /// Input that waits for the end of a handover.
  var held = KeptEvents()
  var maps: FileWatcher
  /// Jobs of attachments for the time after the handover.
  var deferred: [@Sendable (BusHarness) -> Void] = []
  var waitingAttachments: [any NodeAttachment] = []
  var nextAttempt = MonotonicTime.now
  /// Number of running `work` outputs outside the loop, by vehicle.
  var works: [String: Int] = [:]
  private var state = NodeFigures.State.starting {
    didSet { if state != oldValue { stateSince = time.now(at: .now) } }
  }
  private var stateSince: Instant?
  private var nextSecond = MonotonicTime.now
  private var nextWatchdog = MonotonicTime.now
  private var isStopping = false

  /// A call that the stage has made.
  struct PendingCall: Hashable {
    var vehicle: String
    var token: UInt64
  }

  init(_ setUp: SetUp) throws(BusError) {
    self.setUp = setUp
    let environment = setUp.environment
    let wiring = environment.wiring
    host = wiring.isEmpty ? setUp.host : WiredHost(setUp.host, wiring)
    let manifest = host.manifest
    log = LogSink(node: environment.name, isSupervised: environment.isSupervised)
    jobs = try LoopQueue()
    setsClock = manifest.outputs.contains(Contract.clockTopic)
    inputs = Set(manifest.inputs)
    demand = Self.demand(environment, manifest)
    var configuration = BusClient.Configuration(
      address: environment.bus, name: environment.name, version: NodeVersion.text,
      table: Contract.table(wired: wiring),
      publishes: manifest.outputs
        + [
          "_node/<name>/status", "_log/<node>", "_state/<node>", "_journal/<node>",
          PlayHeard.topic,
        ],
      streamDepth: 64, lane: environment.replica?.lane ?? 0, group: environment.replica?.group,
      isStandby: environment.isStandby,
      inputs: Self.names(of: manifest.inputs.sorted(), vehicles: environment.vehicles))
    // An attachment and the source of time are shared by all vehicles.
    configuration.handsOverInParts =
      setUp.attachments.isEmpty && !setsClock && !environment.isLockStep
    client = try BusClient(configuration)
    promises = PromisedIntervals(outputs: manifest.outputs, wiring)
    maps = FileWatcher(environment.isLockStep ? [] : host.maps(setUp.parameters))
    lockStep = environment.isLockStep ? LockStep() : nil
    isStandby = environment.isStandby
    // In lock-step the conductor reads for the node.
    health = InputHealth(
      inputs: environment.isLockStep ? [] : manifest.inputs, required: manifest.requires ?? [],
      vehicles: environment.vehicles.count, wiring: wiring)
    figures = NodeFigures(parameters: setUp.parameters)
    keeper = SnapshotScheduler(node: environment.name, program: manifest.name)
    handle = BusNodeHandle(
      name: environment.name, vehicles: environment.vehicles,
      parameters: setUp.parameters, wiring: wiring, client: client, log: log, jobs: jobs)
  }

  /// Runs until the process must end.
  ///
  /// - Throws: `NodeFailure` if the node cannot be set up or is rejected by the broker.
  func run() throws(NodeFailure) {
    defer { client.close() }
    guard try waitForBroker() else { return }
    if isStandby {
      try standBy()
    } else {
      try begin()
    }
    while !isStopping { turn() }
    stop()
    if let failure { throw failure }
  }

  private func begin() throws(NodeFailure) {
    log.attach(client)
    openJournal()
    if lockStep == nil {
      try restoreStates()
      takeBackStates()
      goOnAfterPredecessor()
      let listed = setUp.environment.vehicles + (host.manifest.ownVehicles ?? [])
      for vehicle in listed where servesVehicle(vehicle) { admit(vehicle) }
      try subscribe()
      if setUp.environment.replica != nil { reportReady() }
    } else {
      client.serve([Self.lockStepCall(of: setUp.environment.name)])
    }
    for attachment in setUp.attachments {
      do throws(StageFailure) {
        try attachment.start(handle)
      } catch {
        throw NodeFailure(error)
      }
    }
    if setsClock, lockStep == nil {
      // The source of time gets its time from the machine, unless it restored an earlier time.
      wakeAll(at: time.now(at: .now) ?? Instant(nanoseconds: wallClockNS()))
    }
    state = .ready
    publishStatus(now: .now)
    setUp.notifier.ready()
    log.write(.info, "ready", stampNS: stampNS(.now))
  }

  /// Reports readiness to the broker first, because a reader of READY may order a handover at once.
  private func reportReady() {
    if !client.becomeReady(waitingMS: 5_000) {
      log.write(.warning, "the bus did not confirm within 5 s that this process is ready")
    }
  }

  /// Waits for the node's turn, with everything loaded.
  private func standBy() throws(NodeFailure) {
    try subscribe()
    // The node's outputs, for a comparison; they are unsubscribed as soon as this process is the
    // node.
    _ = client.subscribe(shadowed, waitingMS: 5_000)
    reportReady()
    waitingAttachments = setUp.attachments
    setUp.notifier.ready()
    setUp.notifier.status("standby")
    log.write(.info, "ready as standby")
  }

  /// Becomes the node.
  func becomeLive() {
    state = degradations.isEmpty ? .ready : .degraded
    publishStatus(now: .now)
  }

  /// One turn of the work loop.
  private func turn() {
    let began = MonotonicTime.now
    publishAsBatch {
      for job in jobs.takeAll() { job(self) }
      for _ in 0..<Self.batch {
        guard let event = nextEvent() else { break }
        take(event)
      }
      serveWaitingCalls()
    }
    let now = MonotonicTime.now
    answerFreeze()
    beginIfReleased()
    startAttachments(now: now)
    recreateStages()
    if wakesStages { publishAsBatch { fireWakes(now: now) } }
    if !isStill {
      if now >= keeper.nextSave { saveStates(now: now) }
      // Actions that are due each second do not cause a wake-up of their own.
      if now >= nextHealth || now >= nextSecond { checkInputHealth(now: now) }
    }
    if now >= nextSecond { eachSecond(now: now) }
    if now >= nextWatchdog {
      setUp.notifier.watchdog()
      nextWatchdog = now.advanced(byMS: setUp.environment.watchdogMS)
    }
    if failure != nil || isRetired { isStopping = true }
    figures.turned(in: MonotonicTime.now.nanoseconds - began.nanoseconds)
    wait()
  }

  private func wait() {
    waking.pause()
    var until = min(nextSecond, nextWatchdog)
    if !isStill { until = min(until, keeper.nextSave) }
    if !isStill, !health.isEmpty { until = min(until, nextHealth) }
    if wakesStages, let wake = nextWake() { until = min(until, wake) }
    if !waitingAttachments.isEmpty, !isStandby { until = min(until, nextAttempt) }
    let hasMore = client.queueLength > 0 || !kept.isEmpty || !returned.isEmpty
    var items = [
      client.wakeUp.pollItem, jobs.wakeUp.pollItem, setUp.supervision.stop.pollItem,
    ]
    pollOrPause(
      &items, timeoutMS: hasMore ? 0 : min(1_000, until.millisecondsLeft()))
    if items[2].isReady { isStopping = true }
  }

  private func eachSecond(now: MonotonicTime) {
    nextSecond = now.advanced(byMS: 1_000)
    if setUp.supervision.isOrphaned { isStopping = true }
    // In lock-step only the conductor knows which vehicles are present.
    if !isStill, lockStep == nil { dropSilent(at: time.now(at: now)) }
    requestReaders()
    followMap()
    setDegraded("bus", client.isConnected ? nil : "the bus is not connected")
    if let error = figures.takeFailedWaits() {
      log.write(
        .error, kind: "failed_waits", "waiting failed: \(error)", stampNS: stampNS(now))
    }
    if let count = figures.takeRefusedConnections() {
      log.write(
        .warning, kind: "connections_refused",
        "connections refused because the limit of open files was reached: \(count) in total",
        stampNS: stampNS(now))
    }
    for line in lossReport.lines(adding: client.takeNewLosses()) {
      log.write(.warning, line, stampNS: stampNS(now))
    }
    writeSummaries(at: now)
    publishStatus(now: now)
  }

  /// Finishes work in progress, signs off, and closes.
  private func stop() {
    setUp.notifier.stopping()
    for job in jobs.takeAll() { job(self) }
    if isStandby { return }
    retireAttachments()
    for attachment in setUp.attachments { attachment.stop() }
    if isRetired { return }
    for job in jobs.takeAll() { job(self) }
    writeSummaries(at: .now, all: true)
    saveStates(now: .now, all: true)
    state = .stopping
    publishStatus(now: .now)
    log.write(.info, "stopping", stampNS: stampNS(.now))
  }

  /// Sets the reason why the node is degraded, by subject; nil removes it.
  func setDegraded(_ matter: String, _ why: String?) {
    let before = degradations[matter]
    guard before != why else { return }
    degradations[matter] = why
    guard state != .starting else { return }
    state = degradations.isEmpty ? .ready : .degraded
    if let why {
      log.write(.warning, kind: "degraded \(matter)", "degraded: \(why)")
    } else if let before, state == .ready {
      log.write(.info, kind: "ready \(matter)", "ready again; it was degraded: \(before)")
    }
    publishStatus(now: .now)
  }

  var degradation: String? {
    degradations.isEmpty
      ? nil : degradations.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; ")
  }

  func stampNS(_ now: MonotonicTime) -> Int64 { time.now(at: now)?.nanoseconds ?? 0 }

  private func publishStatus(now: MonotonicTime) {
    guard !isStill, !isRetired else { return }
    let status = figures.status(
      of: self, state: state, since: stateSince, why: degradation)
    _ = client.publish(
      Publication(
        topic: "_node/\(setUp.environment.name)/status", stampNS: stampNS(now),
        schema: Contract.schema(ofTopic: "_node/x/status"), payload: status.encoded()))
    setUp.notifier.status(degradation ?? state.rawValue)
  }
}

import BusClient
import BusProtocol
import Dispatch
import Foundations
import Messages
import NodeKit
import Stage

/// Runs the stages of a node: passes them events, and performs their outputs.
///
/// A vehicle's stage is created with its first message, and removed after silence.
final class StageRunner {
  /// Maximum number of vehicles.
  static let maximumVehicles = 100_000

  /// Its events are recorded if the node has a journal.
  let host: any StageHosting
  let topics: NodeTopics
  let monitor: InputMonitor
  let publisher: NodePublisher
  let calls: OpenCalls
  let wakes: WakeSchedule
  let saved: SavedStates
  let shadow: Shadow
  /// Number of running `work` outputs outside the loop, by vehicle.
  private var works: [String: Int] = [:]
  /// Vehicles that were returned by a successor, until their stages are recreated.
  private var returned = ReturnedVehicles()
  private let environment: NodeEnvironment
  private let clock: NodeClock
  private let report: NodeReport
  private let role: NodeRole
  private let jobs: NodeJobs

  init(
    _ environment: NodeEnvironment, host: any StageHosting, topics: NodeTopics,
    monitor: InputMonitor, publisher: NodePublisher, calls: OpenCalls, wakes: WakeSchedule,
    saved: SavedStates, shadow: Shadow, clock: NodeClock, report: NodeReport, role: NodeRole,
    jobs: NodeJobs
  ) {
    self.environment = environment
    self.host = host
    self.topics = topics
    self.monitor = monitor
    self.publisher = publisher
    self.calls = calls
    self.wakes = wakes
    self.saved = saved
    self.shadow = shadow
    self.clock = clock
    self.report = report
    self.role = role
    self.jobs = jobs
  }

  // MARK: Events

  /// Passes a message to the stage of its vehicle, or to all stages if it has none.
  func receive(_ delivery: Delivery) {
    let leaf = delivery.leaf
    guard topics.inputs.contains(leaf), monitor.accepts(delivery) else { return }
    report.figures.received(leaf, delivery, at: .now)
    let inbound = EncodedMessage(delivery)
    guard let vehicle = delivery.vehicle else {
      for vehicle in host.vehicles {
        handle(.message(inbound), vehicle: vehicle, since: delivery.arrival)
      }
      return
    }
    guard admitIfServed(vehicle) else { return }
    publisher.followPromise(of: leaf, vehicle: vehicle, nextMS: delivery.header.nextMS)
    if handle(.message(inbound), vehicle: vehicle, since: delivery.arrival) {
      monitor.accepted(delivery)
    } else {
      monitor.refused(leaf)
    }
  }

  /// Whether a stage can be found or created for a call.
  func canServe(_ vehicle: String) -> Bool {
    TopicName.isValidVehicle(vehicle)
      && (host.has(vehicle) || recreateStage(vehicle) || hasRoom(for: vehicle))
  }

  /// Passes a call to the stage of its vehicle.
  func serve(_ call: IncomingCall, vehicle: String) {
    admit(vehicle)
    let cause = Cause.call(call.name, of: call.source)
    calls.serve(call.id, OpenCalls.ServedCall(vehicle: vehicle, cause: cause))
    handle(
      .call(
        EncodedCall(
          id: call.id, name: call.name, stamp: clock.now() ?? Instant(nanoseconds: 0),
          payload: call.payload)), vehicle: vehicle, cause: cause)
  }

  /// Informs the stage that serves a call that its caller has cancelled it.
  func cancelServing(_ id: String) {
    guard let call = calls.endServing(id) else { return }
    handle(.cancelled(callID: id), vehicle: call.vehicle, cause: call.cause)
  }

  /// Passes the reply of a call to the stage that has made it.
  func endCall(_ call: OpenCalls.MadeCall, name: String, _ outcome: EncodedOutcome) {
    calls.end(call)
    handle(
      .reply(
        token: call.token, stamp: clock.now() ?? Instant(nanoseconds: 0), outcome: outcome),
      vehicle: call.vehicle, cause: .call(name, of: environment.name))
  }

  /// Passes an event to a stage and performs its outputs; false if the stage refuses it.
  ///
  /// `cause` is the cause of the event if the event itself does not contain it.
  @discardableResult
  func handle(
    _ event: EncodedEvent, vehicle: String, cause: Cause? = nil, since arrival: MonotonicTime? = nil
  ) -> Bool {
    let cause = cause ?? event.cause(at: environment.name)
    do {
      let outputs = try host.handle(event, vehicle: vehicle)
      guard !shadow.isActive else {
        performInShadow(outputs, vehicle: vehicle, cause: cause)
        return true
      }
      keepAndPerform(outputs, vehicle: vehicle, cause: cause)
      if let arrival, outputs.contains(where: \.isPublication) {
        report.figures.latency.add(
          nanoseconds: MonotonicTime.now.nanoseconds - arrival.nanoseconds)
      }
      return true
    } catch {
      report.refuse(error, place: event.place, vehicle: vehicle)
      if case .call(let request) = event {
        calls.reply(
          to: request.id,
          .failed(CallError(code: "invalid", message: error.message, field: error.field)))
      }
      return false
    }
  }

  // MARK: Outputs

  /// Saves a stage's state before it performs outputs that others would notice.
  ///
  /// A stage that is killed in between may lose an output, but never repeats one.
  ///
  /// Leading stream messages do not wait for the state, because receiving one of them twice does no
  /// harm.
  func keepAndPerform(_ outputs: [EncodedOutput], vehicle: String, cause: Cause?) {
    let wiring = environment.wiring
    guard outputs.contains(where: { $0.isHeard(wiring) }) else {
      saved.changed(vehicle)
      return perform(outputs, vehicle: vehicle, cause: cause)
    }
    let streams = outputs.prefix { $0.isStream(wiring) }
    perform(streams, vehicle: vehicle, cause: cause)
    saved.save(vehicle, now: .now)
    perform(outputs[streams.endIndex...], vehicle: vehicle, cause: cause)
  }

  private func perform(
    _ outputs: some Sequence<EncodedOutput>, vehicle: String, cause: Cause?
  ) {
    for output in outputs {
      switch output {
      case .publish(let topic, let stamp, let payload, let key, let ttlMS, let given):
        publisher.publish(
          topic, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: given ?? cause,
          vehicle: vehicle)
      case .call(let name, let payload, let timeoutMS, let token):
        calls.call(name, payload: payload, timeoutMS: timeoutMS, token: token, vehicle: vehicle)
      case .cancelCall(let token):
        calls.cancel(OpenCalls.MadeCall(vehicle: vehicle, token: token))
      case .reply(let id, let outcome): calls.reply(to: id, outcome)
      case .wake(let at): wakes.record(vehicle, at: at)
      case .wakeDuringWork(let everyS): wakes.beginDuringWork(vehicle, everyS: everyS)
      case .work(_, let body): work(body, vehicle: vehicle, cause: cause)
      case .log(let level, let text): report.line(level, text, vehicle: vehicle)
      case .count(let counter, let amount): report.count(counter, by: amount, vehicle: vehicle)
      case .promise(let topic, let nextS):
        publisher.promise(topic, vehicle: vehicle, nextS: nextS)
      case .degraded(let why): report.setDegraded(Self.subject(vehicle), why)
      case .admit(let another):
        guard host.admit(another), let now = clock.now() else { break }
        handle(.wake(now: now), vehicle: another)
      case .leave: drop(vehicle)
      case .setClock(let now, let rate, let isPaused, let run):
        let change = clock.set(now: now, rate: rate, isPaused: isPaused, run: run)
        publisher.publishClock(
          now: now, rate: rate, isPaused: isPaused, run: run, vehicle: vehicle)
        follow(change, by: vehicle)
      }
    }
  }

  /// Runs long work outside the loop; its outputs are performed on the loop.
  private func work(
    _ body: @escaping @Sendable () -> [EncodedOutput], vehicle: String, cause: Cause?
  ) {
    let jobs = jobs
    report.figures.count("work", by: 1)
    works[vehicle, default: 0] += 1
    WorkQueue.shared.async {
      let outputs = body()
      jobs.post { $0.stages.endWork(outputs, vehicle: vehicle, cause: cause) }
    }
  }

  private func endWork(_ outputs: [EncodedOutput], vehicle: String, cause: Cause?) {
    works[vehicle] = works[vehicle].flatMap { $0 > 1 ? $0 - 1 : nil }
    if works[vehicle] == nil { wakes.endDuringWork(vehicle) }
    perform(outputs, vehicle: vehicle, cause: cause)
  }

  /// Performs outputs that stay within the process; the others are only compared.
  func performInShadow(_ outputs: [EncodedOutput], vehicle: String, cause: Cause?) {
    shadow.perform(outputs, vehicle: vehicle, cause: cause) { admit($0) }
  }

  /// Whether one of the vehicles has an open call, or work outside the loop.
  func isBusy(where isOne: (String) -> Bool) -> Bool {
    calls.areOpen(where: isOne) || works.keys.contains(where: isOne)
  }

  // MARK: Time

  /// Whether the node is the source of time.
  var setsClock: Bool { clock.isSource }

  /// Handles an update of the source of time.
  func handleClockUpdate(_ delivery: Delivery) {
    do throws(DecodeError) {
      follow(try clock.follow(update: delivery))
    } catch {
      report.refuse(
        Refusal(reason: "does_not_decode", message: error.message), place: Contract.clockTopic,
        vehicle: nil)
    }
  }

  /// Advances stack time by a message, if the node is not the source of time.
  func followTime(of delivery: Delivery) {
    if delivery.leaf == Contract.clockTopic, delivery.vehicle == nil {
      if !clock.isSource { handleClockUpdate(delivery) }
    } else if delivery.traits.deliveryClass == .stream {
      follow(clock.follow(stampOf: delivery))
    }
  }

  /// Informs the stages of a change of time; `setter` has caused it itself.
  private func follow(_ change: StackTime.Change, by setter: String? = nil) {
    switch change {
    case .none: return
    case .began(let now):
      // A source of time is woken first, without being informed.
      if !clock.isSource { wakeAll(at: now) }
    case .reset(let now):
      wakes.reset(to: now)
      monitor.reset()
      for vehicle in host.vehicles where vehicle != setter {
        wakes[vehicle] = nil
        handle(.clockReset(now: now), vehicle: vehicle)
      }
    }
  }

  /// Starts the source of time, which gets its time from the machine, unless it restored an
  /// earlier time.
  func startClock() {
    wakeAll(at: clock.now() ?? Instant(nanoseconds: wallClockNS()))
  }

  private func wakeAll(at now: Instant) {
    for vehicle in host.vehicles { handle(.wake(now: now), vehicle: vehicle) }
  }

  /// Wakes the stages whose wake-ups are due; those of vehicles that are handed over wait.
  func wakeDue(now: MonotonicTime, _ predecessor: PredecessorRole) {
    for vehicle in wakes.popDueDuringWork(now: now) where host.has(vehicle) {
      handle(.wake(now: wakes.advance(now: now) ?? Instant(nanoseconds: 0)), vehicle: vehicle)
    }
    guard let due = wakes.popDue(now: now) else { return }
    let vehicles = predecessor.keepWakes(of: due.vehicles)
    for vehicle in vehicles { handle(.wake(now: due.time), vehicle: vehicle) }
    wakes.recordWoken(vehicles.count, now: now)
  }

  // MARK: Vehicles

  /// Whether to handle a message of the vehicle; creates its stage if it is new.
  private func admitIfServed(_ vehicle: String) -> Bool {
    let served = environment.vehicles
    guard served.isEmpty || served.contains(vehicle) else { return false }
    if host.has(vehicle) || recreateStage(vehicle) { return true }
    // A message that was in transit when its slot was moved belongs to another replica.
    guard role.serves(vehicle), hasRoom(for: vehicle) else { return false }
    admit(vehicle)
    return true
  }

  /// Whether one more vehicle may be added; a rejected vehicle is counted and reported.
  private func hasRoom(for vehicle: String) -> Bool {
    guard host.vehicleCount >= Self.maximumVehicles else { return true }
    report.figures.count("vehicles_refused", by: 1)
    report.write(
      .warning, kind: "vehicles_refused",
      "\(vehicle) is refused: this node already serves \(Self.maximumVehicles) vehicles")
    return false
  }

  /// Creates the stage of a vehicle, and wakes it for the first time if time is known.
  func admit(_ vehicle: String) {
    guard host.admit(vehicle), !clock.isSource, let now = clock.now() else { return }
    handle(.wake(now: now), vehicle: vehicle)
  }

  /// Forgets a vehicle: its stage, its wake-up, and its saved state.
  func drop(_ vehicle: String) {
    guard removeStage(of: vehicle) else { return }
    saved.save(vehicle, now: .now)
    report.figures.count("vehicles_dropped", by: 1)
  }

  /// Removes the stage of a vehicle, and keeps its saved state; false if there is no stage.
  @discardableResult
  func removeStage(of vehicle: String) -> Bool {
    guard host.drop(vehicle) else { return false }
    wakes[vehicle] = nil
    publisher.forgetPromises(of: vehicle)
    report.setDegraded(Self.subject(vehicle), nil)
    return true
  }

  /// Forgets vehicles that were silent for the time that the stack allows.
  ///
  /// Only if any vehicle is served: vehicles named by the stack are never forgotten. With
  /// `keepsSaved`, a vehicle with a saved state stays.
  func dropSilent(at moment: MonotonicTime, keepsSaved: Bool) {
    guard let silenceS = environment.forgetAfterS, environment.vehicles.isEmpty,
      !topics.inputs.isEmpty, let now = clock.now(at: moment)
    else { return }
    var silent = host.silent(forS: silenceS, at: now)
    if keepsSaved { silent.removeAll { host.savedState(of: $0) != nil } }
    for vehicle in silent { drop(vehicle) }
    if let first = silent.first {
      let others = silent.count > 1 ? " and \(silent.count - 1) more" : ""
      report.log.write(
        .info, "\(first)\(others) removed: no message for \(Int(silenceS)) s",
        stampNS: now.nanoseconds)
    }
  }

  /// The subject under which a stage is degraded.
  static func subject(_ vehicle: String) -> String { "stage \(vehicle)" }

  // MARK: Vehicles that a successor has returned

  /// Whether stages of returned vehicles must still be recreated.
  var hasReturned: Bool { !returned.isEmpty }

  /// Takes back the vehicles of a successor that is gone.
  func reclaim(_ vehicles: ReturnedVehicles) { returned = vehicles }

  /// Recreates the stages of some returned vehicles.
  func recreateStages() {
    guard !returned.isEmpty else { return }
    for _ in 0..<ReturnedVehicles.perTurn {
      guard let vehicle = returned.next else { return }
      _ = recreateStage(vehicle)
    }
  }

  /// Recreates the stage of a returned vehicle; false for other vehicles.
  private func recreateStage(_ vehicle: String) -> Bool {
    guard let (handed, states) = returned.remove(vehicle) else { return false }
    do throws(Refusal) {
      try createStage(handed)
    } catch {
      report.refuse(error, place: saved.topic, vehicle: vehicle)
    }
    for delivery in states { handle(.message(EncodedMessage(delivery)), vehicle: vehicle) }
    if let now = clock.now() { handle(.wake(now: now), vehicle: vehicle) }
    saved.changed(vehicle)
    return true
  }

  /// Creates the stage of a vehicle with the state that another process handed over.
  ///
  /// - Throws: `Refusal` if the stage cannot use the state.
  func createStage(_ handed: NodeHandoverState.Vehicle) throws(Refusal) {
    _ = host.admit(handed.name)
    guard let state = handed.state else { return }
    if handed.isFull {
      try host.takeOver(state, vehicle: handed.name)
    } else {
      try host.restore(state, vehicle: handed.name)
    }
  }

  /// Takes over time, wake-ups and promises of a predecessor.
  func goOn(from handed: NodeHandoverState) {
    if let reading = handed.clock { clock.goOn(from: reading, wallNS: handed.wallNS) }
    for vehicle in handed.vehicles {
      wakes[vehicle.name] = vehicle.wakeNS.map { Instant(nanoseconds: $0) }
      for (topic, nextMS) in vehicle.promises {
        publisher.promise(topic, vehicle: vehicle.name, nextS: Double(nextMS) / 1_000)
      }
    }
  }
}

/// The queues on which `work` of stages runs, outside the loop.
enum WorkQueue {
  static let shared = DispatchQueue(label: "navstack.work", attributes: .concurrent)
}

extension EncodedMessage {
  init(_ delivery: Delivery) {
    let header = delivery.header
    self.init(
      topic: delivery.leaf, stamp: Instant(nanoseconds: header.stampNS), source: header.source,
      run: header.run, sequence: header.sequence, key: header.key, isLatched: header.isLatched,
      payload: delivery.payload)
  }
}

extension EncodedOutput {
  /// Whether a repetition of this output would be noticed outside the node.
  func isHeard(_ wiring: Wiring) -> Bool {
    switch self {
    case .publish(let topic, _, _, _, _, _): Contract.isEvent(wiring.inStage(topic))
    case .call, .reply: true
    default: false
    }
  }

  fileprivate func isStream(_ wiring: Wiring) -> Bool {
    if case .publish(let topic, _, _, _, _, _) = self {
      Contract.isStream(wiring.inStage(topic))
    } else {
      false
    }
  }

  fileprivate var isPublication: Bool {
    if case .publish = self { true } else { false }
  }
}

import BusClient
import BusProtocol
import Dispatch
import EventTime
import NodeKit
import Stage

extension BusHarness {
  func perform(_ outputs: some Sequence<EncodedOutput>, vehicle: String, cause: Cause?) {
    for output in outputs {
      switch output {
      case .publish(let topic, let stamp, let payload, let key, let ttlMS, let given):
        publish(
          topic, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: given ?? cause,
          vehicle: vehicle)
      case .call(let name, let payload, let timeoutMS, let token):
        call(name, payload: payload, timeoutMS: timeoutMS, token: token, vehicle: vehicle)
      case .cancelCall(let token):
        if let id = calls[PendingCall(vehicle: vehicle, token: token)] {
          client.cancel(callID: id)
        }
      case .reply(let id, let outcome): reply(to: id, outcome)
      case .wake(let at): recordWakeUp(of: vehicle, at: at)
      case .wakeDuringWork(let everyS): waking.duringWork.ask(vehicle, everyS: everyS, at: .now)
      case .work(_, let body): work(body, vehicle: vehicle, cause: cause)
      case .log(let level, let text): report(level, text, vehicle: vehicle)
      case .count(let counter, let amount): count(counter, by: amount, vehicle: vehicle)
      case .promise(let topic, let nextS):
        promises.set(topic, vehicle: vehicle, nextS: nextS)
      case .degraded(let why):
        setDegraded("stage \(vehicle)", why)
      case .admit(let another):
        guard host.admit(another), let now = time.now(at: .now) else { break }
        handle(.wake(now: now), vehicle: another)
      case .leave: drop(vehicle)
      case .setClock(let now, let rate, let isPaused, let run):
        setClock(now: now, rate: rate, isPaused: isPaused, run: run, by: vehicle)
      }
    }
  }

  func publish(
    _ topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    vehicle: String
  ) {
    let owner = topic.hasPrefix("_") ? nil : vehicle
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    let own = setUp.environment.wiring.inStage(topic)
    let publication = Publication(
      topic: name, stampNS: stamp.nanoseconds, schema: Contract.schema(ofTopic: own),
      payload: payload, cause: cause.map(Origin.init), key: key, ttlMS: ttlMS,
      nextMS: promises.next(topic, vehicle: vehicle))
    if case .refused(let reason) = client.publish(publication) {
      log.write(
        .warning, kind: "publish \(topic)", "\(name) was not published: \(reason.rawValue)",
        stampNS: stampNS(.now))
    }
    guard !setUp.attachments.isEmpty, !isStandby else { return }
    let message = PublishedMessage(
      vehicle: owner, topic: own, stamp: stamp, source: setUp.environment.name,
      run: client.run,
      sequence: client.lastSequence(of: name) ?? 0, schema: publication.schema, key: key,
      ttlMS: ttlMS, cause: cause, payload: payload)
    for attachment in setUp.attachments { attachment.didPublish(message) }
  }

  private func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32, token: UInt64, vehicle: String
  ) {
    let pending = PendingCall(vehicle: vehicle, token: token)
    let jobs = jobs
    calls[pending] = client.call(name, vehicle: vehicle, payload: payload, timeoutMS: timeoutMS) {
      end in
      jobs.post { harness in
        harness.calls[pending] = nil
        harness.handle(
          .reply(
            token: token, stamp: harness.time.now(at: .now) ?? Instant(nanoseconds: 0),
            outcome: EncodedOutcome(end)), vehicle: vehicle,
          cause: .call(name, of: harness.setUp.environment.name))
      }
    }
  }

  func reply(to id: String, _ outcome: EncodedOutcome) {
    served[id] = nil
    switch outcome {
    case .ok(let payload): client.reply(to: id, .ok(payload: payload))
    case .failed(let error):
      client.reply(
        to: id, .failed(code: error.code, message: error.message, field: error.field))
    }
  }

  /// Runs long work outside the loop; its outputs are performed on the loop.
  private func work(
    _ body: @escaping @Sendable () -> [EncodedOutput], vehicle: String, cause: Cause?
  ) {
    let jobs = jobs
    figures.count("work", by: 1)
    works[vehicle, default: 0] += 1
    WorkQueue.shared.async {
      let outputs = body()
      jobs.post { harness in
        harness.works[vehicle] = harness.works[vehicle].flatMap { $0 > 1 ? $0 - 1 : nil }
        if harness.works[vehicle] == nil { harness.waking.duringWork.end(vehicle) }
        harness.perform(outputs, vehicle: vehicle, cause: cause)
      }
    }
  }

  private func setClock(
    now: Instant, rate: Double, isPaused: Bool, run: UInt64, by vehicle: String
  ) {
    let change = time.hear(now: now, rate: rate, isPaused: isPaused, run: run, at: .now)
    publish(
      Contract.clockTopic, stamp: now,
      payload: Contract.clockPayload(now: now, rate: rate, isPaused: isPaused, run: run), key: nil,
      ttlMS: nil, cause: nil, vehicle: vehicle)
    follow(change, by: vehicle)
  }
}

/// The queues on which `work` of stages runs, outside the loop.
enum WorkQueue {
  static let shared = DispatchQueue(label: "navstack.work", attributes: .concurrent)
}

extension Origin {
  init(_ cause: Cause) {
    self.init(
      topic: cause.topic, source: cause.source, run: cause.run, sequence: cause.sequence)
  }
}

extension EncodedOutcome {
  init(_ end: CallEnd) {
    switch end {
    case .ok(let payload): self = .ok(payload: payload)
    case .failed(let code, let message, let field):
      self = .failed(CallError(code: code, message: message, field: field))
    }
  }
}

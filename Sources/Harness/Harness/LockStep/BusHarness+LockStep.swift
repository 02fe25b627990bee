import BusClient
import BusProtocol
import EventTime
import Messages
import NodeKit
import Stage

/// State of a node that a conductor drives.
struct LockStep {
  var desk = BatchProcessor()
}

extension BusHarness {
  static func lockStepCall(of node: String) -> String { "_lockstep/\(node)" }

  /// Answers a conductor's batch; nothing else drives a node in lock-step.
  func answerBatch(_ call: IncomingCall) {
    let batch: EventBatch
    do {
      batch = try EventBatch(try LockstepRequest(decoding: call.payload))
    } catch {
      let reason = (error as? LockStepFault)?.message ?? "\(error)"
      log.write(.error, kind: "lockstep", "a batch cannot be decoded: \(reason)")
      return client.reply(
        to: call.id,
        .failed(code: "invalid", message: reason, field: (error as? DecodeError)?.field))
    }
    if let now = batch.now { hear(now) }
    guard var lockStep else { return }
    let answer = lockStep.desk.answer(batch, host)
    self.lockStep = lockStep
    for (item, result) in zip(batch.items, answer.results) { show(result, of: item) }
    client.reply(to: call.id, .ok(payload: answer.reply.encoded()))
  }

  /// Sets the time, which only the conductor advances.
  private func hear(_ now: Instant) {
    _ = time.hear(now: now, rate: 1, isPaused: true, run: 1, at: .now)
    handle.tell(time)
  }

  /// Passes the node's outputs to attachments, log and status; the conductor performs them.
  private func show(_ result: BatchAnswer.Result, of item: EventBatch.Item) {
    figures.count("lockstep_events", by: 1)
    switch result {
    case .failure(let refusal): refuse(refusal, place: item.event.place, vehicle: item.vehicle)
    case .success(let outputs):
      for output in outputs { show(output, vehicle: item.vehicle) }
    }
  }

  private func show(_ output: EncodedOutput, vehicle: String) {
    switch output {
    case .publish(let topic, let stamp, let payload, let key, let ttlMS, let cause):
      for attachment in setUp.attachments {
        attachment.didPublish(
          PublishedMessage(
            vehicle: topic.hasPrefix("_") ? nil : vehicle, topic: topic, stamp: stamp,
            source: setUp.environment.name, run: 1, sequence: 0,
            schema: Contract.schema(ofTopic: topic), key: key, ttlMS: ttlMS, cause: cause,
            payload: payload))
      }
    case .log(let level, let text): report(level, text, vehicle: vehicle)
    case .count(let counter, let amount): count(counter, by: amount, vehicle: vehicle)
    case .degraded(let why): setDegraded("stage \(vehicle)", why)
    default: break
    }
  }

  /// Whether an attachment's request to publish is ignored, as in lock-step; such requests are
  /// counted.
  func ignoresInLockStep() -> Bool {
    guard lockStep != nil else { return false }
    figures.count("lockstep_ignored", by: 1)
    return true
  }
}

extension BusHarness {
  /// Reports to a player that all messages before its turn are handled; a standby does not report.
  func answerTurn(_ delivery: Delivery) {
    guard !isStandby, let turn = try? PlayTurn(decoding: delivery.payload) else { return }
    let heard = PlayHeard(number: turn.number, player: delivery.header.source)
    _ = client.publish(
      Publication(
        topic: "_play/heard/\(setUp.environment.name)", stampNS: delivery.header.stampNS,
        schema: PlayHeard.schema, payload: heard.encoded()))
  }
}

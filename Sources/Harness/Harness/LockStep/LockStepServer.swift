import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage

/// A node that a conductor drives, event by event: answers the conductor's batches.
final class LockStepServer {
  private var processor = BatchProcessor()
  private let node: String
  private let host: any StageHosting
  private let client: BusClient
  private let clock: NodeClock
  private let report: NodeReport
  private let attachments: NodeAttachments

  init(
    node: String, host: any StageHosting, client: BusClient, clock: NodeClock, report: NodeReport,
    attachments: NodeAttachments
  ) {
    self.node = node
    self.host = host
    self.client = client
    self.clock = clock
    self.report = report
    self.attachments = attachments
  }

  /// The call of the node that contains a batch.
  static func call(of node: String) -> String { "_lockstep/\(node)" }

  /// Serves the call for batches; nothing else drives a node in lock-step.
  func start() { client.serve([Self.call(of: node)]) }

  /// Answers a conductor's batch.
  func serve(_ call: IncomingCall) {
    let batch: EventBatch
    do {
      batch = try EventBatch(try LockstepRequest(decoding: call.payload))
    } catch {
      let reason = (error as? LockStepFault)?.message ?? "\(error)"
      report.log.write(.error, kind: "lockstep", "a batch cannot be decoded: \(reason)")
      return client.reply(
        to: call.id,
        .failed(code: "invalid", message: reason, field: (error as? DecodeError)?.field))
    }
    // Only the conductor advances time.
    if let now = batch.now { clock.set(now: now, rate: 1, isPaused: true, run: 1) }
    let answer = processor.process(batch, host)
    for (item, result) in zip(batch.items, answer.results) { show(result, of: item) }
    client.reply(to: call.id, .ok(payload: answer.reply.encoded()))
  }

  /// Passes the node's outputs to attachments, log and status; the conductor performs them.
  private func show(_ result: BatchAnswer.Result, of item: EventBatch.Item) {
    report.figures.count("lockstep_events", by: 1)
    switch result {
    case .failure(let refusal):
      report.refuse(refusal, place: item.event.place, vehicle: item.vehicle)
    case .success(let outputs):
      for output in outputs { show(output, vehicle: item.vehicle) }
    }
  }

  private func show(_ output: EncodedOutput, vehicle: String) {
    switch output {
    case .publish(let topic, let stamp, let payload, let key, let ttlMS, let cause):
      guard !attachments.isEmpty else { return }
      attachments.didPublish(
        PublishedMessage(
          vehicle: topic.hasPrefix("_") ? nil : vehicle, topic: topic, stamp: stamp,
          source: node, run: 1, sequence: 0, schema: Contract.schema(ofTopic: topic), key: key,
          ttlMS: ttlMS, cause: cause, payload: payload))
    case .log(let level, let text): report.line(level, text, vehicle: vehicle)
    case .count(let counter, let amount): report.count(counter, by: amount, vehicle: vehicle)
    case .degraded(let why): report.setDegraded(StageRunner.subject(vehicle), why)
    default: break
    }
  }

  /// Counts an attachment's request to publish, which is ignored in lock-step.
  func ignoreRequest() { report.figures.count("lockstep_ignored", by: 1) }
}

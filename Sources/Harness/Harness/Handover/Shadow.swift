import BusClient
import BusProtocol
import Dispatch
import Foundations
import NodeKit
import Stage

/// The shadow of a node: a standby that handles all its input without publishing, for a comparison.
final class Shadow {
  /// Set while the standby does the node's work silently.
  private var comparison: ShadowComparison?
  /// The result of the last comparison.
  private(set) var result: ShadowComparison?
  private let node: String
  private let topics: NodeTopics
  private let host: any StageHosting
  private let client: BusClient
  private let clock: NodeClock
  private let report: NodeReport
  private let wakes: WakeSchedule
  private let jobs: NodeJobs

  init(
    of node: String, topics: NodeTopics, host: any StageHosting, client: BusClient,
    clock: NodeClock, report: NodeReport, wakes: WakeSchedule,
    jobs: NodeJobs
  ) {
    self.node = node
    self.topics = topics
    self.host = host
    self.client = client
    self.clock = clock
    self.report = report
    self.wakes = wakes
    self.jobs = jobs
  }

  var isActive: Bool { comparison != nil }

  /// The names of the topics that are compared.
  var names: [String] {
    let read = Set(topics.inputNames)
    return topics.names(of: topics.outputs + [client.fenceTopic]).filter { !read.contains($0) }
  }

  /// Starts to compare with the node's messages of `run`.
  func start(run: UInt64, vehicles: Int) {
    comparison = ShadowComparison(run: run)
    report.log.write(.info, "shadows run \(run) with \(vehicles) vehicles")
  }

  /// Ends the comparison; the state of the stages is discarded, and the result is kept.
  func end() {
    guard let ended = comparison else { return }
    comparison = nil
    result = ended
    for vehicle in host.vehicles { _ = host.drop(vehicle) }
    wakes.removeAll()
    report.log.write(
      .info,
      "shadow: \(ended.compared) messages compared, \(ended.different) different"
        + (ended.first.map { ", first \($0)" } ?? ""))
  }

  /// Records a message that the node has published; false for other messages.
  func record(_ delivery: Delivery) -> Bool {
    guard comparison != nil, delivery.header.source == node else { return false }
    let isFence = delivery.topic == client.fenceTopic
    guard isFence || topics.outputs.contains(delivery.leaf) else { return false }
    comparison?.ingest(delivery, isFence: isFence)
    return true
  }

  /// Performs outputs that stay within the process; the others are only compared.
  func perform(
    _ outputs: [EncodedOutput], vehicle: String, cause: Cause?, admit: (String) -> Void
  ) {
    for output in outputs {
      switch output {
      case .publish(let topic, _, let payload, let key, _, let given):
        let name = topic.hasPrefix("_") ? topic : "\(vehicle)/\(topic)"
        comparison?.say(name, key: key, cause: (given ?? cause).map(Origin.init), payload: payload)
      case .wake(let at): wakes[vehicle] = at
      case .work(_, let body):
        let jobs = jobs
        WorkQueue.shared.async {
          let outputs = body()
          jobs.post { $0.stages.performInShadow(outputs, vehicle: vehicle, cause: cause) }
        }
      case .setClock(let now, let rate, let isPaused, let run):
        clock.set(now: now, rate: rate, isPaused: isPaused, run: run)
      case .log(let level, let text): report.line(level, "(shadow) \(text)", vehicle: vehicle)
      case .call: comparison?.countCall()
      case .admit(let another): admit(another)
      case .leave:
        wakes[vehicle] = nil
        _ = host.drop(vehicle)
      case .cancelCall, .reply, .count, .degraded, .promise, .wakeDuringWork: break
      }
    }
  }
}

import Bus
import EventTime
import Messages
import NodeKit
import Stage

/// What a node counts of itself, for its status.
struct NodeFigures {
  typealias State = NodeStatus.State

  private struct Input {
    var lastStamp: Instant
    var maximumAgeMS: Double = 0
  }

  var latency = LatencyHistogram()
  private var counters: [String: Int64] = [:]
  private var refusals: [String: Int64] = [:]
  private var inputs: [String: Input] = [:]
  private var lost: [String: UInt64] = [:]
  private var process = ProcessFigures()

  mutating func count(_ counter: String, by amount: Int) {
    counters[counter, default: 0] += Int64(amount)
  }

  mutating func refuse(_ place: String, _ reason: String) {
    refusals["\(place) \(reason)", default: 0] += 1
  }

  mutating func received(_ leaf: String, _ delivery: Delivery, at now: MonotonicTime) {
    let age = Double(now.nanoseconds - delivery.arrival.nanoseconds) / 1e6
    let stamp = Instant(nanoseconds: delivery.header.stampNS)
    var input = inputs[leaf] ?? Input(lastStamp: stamp)
    input.lastStamp = max(input.lastStamp, stamp)
    input.maximumAgeMS = max(input.maximumAgeMS, age)
    inputs[leaf] = input
  }

  /// Messages lost since this was last asked, by topic.
  mutating func newLosses(_ receptions: [String: ReceptionCounters]) -> [(String, UInt64)] {
    var losses: [(String, UInt64)] = []
    for (topic, counters) in receptions {
      let all = counters.lost + counters.queueDrops
      let before = lost[topic] ?? 0
      if all > before { losses.append((topic, all - before)) }
      lost[topic] = all
    }
    return losses.sorted { $0.0 < $1.0 }
  }

  /// The status of now; percentiles are of the time since the last one.
  mutating func status(
    of harness: BusHarness, state: State, why: String?, at stackNow: Instant?, now: MonotonicTime
  ) -> NodeStatus {
    let manifest = harness.host.manifest
    let status = NodeStatus(
      node: harness.setUp.environment.name, program: manifest.name, version: NodeVersion.text,
      state: state, why: why, pid: process.pid, run: harness.client.configuration.run,
      uptimeS: process.uptimeS, loopAgeMs: 0, queue: UInt64(harness.client.queueLength),
      latencyP50Ms: latency.percentileMS(0.5), latencyP99Ms: latency.percentileMS(0.99),
      memoryBytes: process.residentBytes, cpuFraction: process.takeCPUFraction(),
      vehicles: UInt64(harness.host.vehicleCount),
      subscriptions: subscriptions(
        harness.client.receptions, inputs: manifest.inputs, at: stackNow),
      publications: publications(harness.client.publications),
      counters: counters, refusals: refusals)
    if latency.total >= 1_000 { latency.reset() }
    return status
  }

  private func subscriptions(
    _ receptions: [String: ReceptionCounters], inputs leaves: [String], at stackNow: Instant?
  ) -> [String: WireSubscriptionStatus] {
    var byLeaf: [String: WireSubscriptionStatus] = [:]
    for leaf in leaves { byLeaf[leaf] = WireSubscriptionStatus(health: health(leaf, stackNow)) }
    for (topic, counters) in receptions {
      let leaf = TopicName.split(topic).leaf
      guard var status = byLeaf[leaf] else { continue }
      status.received += counters.received
      status.gaps += counters.gaps
      status.lost += counters.lost
      status.duplicates += counters.duplicates
      status.late += counters.late
      status.refilled += counters.refilled
      status.queueDrops += counters.queueDrops
      status.maxAgeMs = inputs[leaf]?.maximumAgeMS
      byLeaf[leaf] = status
    }
    for (key, count) in refusals {
      guard let space = key.firstIndex(of: " "), byLeaf[String(key[..<space])] != nil else {
        continue
      }
      let leaf = String(key[..<space])
      if key.hasSuffix(" schema_mismatch") {
        byLeaf[leaf]?.schemaMismatch += UInt64(count)
      } else {
        byLeaf[leaf]?.refused += UInt64(count)
      }
    }
    return byLeaf
  }

  private func health(_ leaf: String, _ stackNow: Instant?) -> WireSubscriptionStatus.Health? {
    guard let staleS = Topics.declaration(of: leaf)?.staleS else { return nil }
    guard let input = inputs[leaf] else { return .never }
    guard let stackNow else { return .ok }
    return stackNow.seconds(since: input.lastStamp) > staleS ? .stale : .ok
  }

  private func publications(
    _ counters: [String: PublicationCounters]
  ) -> [String: WirePublicationStatus] {
    var byLeaf: [String: WirePublicationStatus] = [:]
    for (topic, counter) in counters {
      let leaf = TopicName.split(topic).leaf
      var status = byLeaf[leaf] ?? WirePublicationStatus()
      status.sent += counter.sent
      status.refused += counter.refused
      status.lastSeq = max(status.lastSeq, counter.lastSequence)
      byLeaf[leaf] = status
    }
    return byLeaf
  }
}

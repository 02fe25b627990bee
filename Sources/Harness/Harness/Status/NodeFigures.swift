import BusClient
import BusProtocol
import CLinux
import Foundations
import Messages
import NodeKit
import Stage
import ZMQ

/// The counts of a node, for its status.
struct NodeFigures {
  typealias State = NodeStatus.State

  var latency = LatencyHistogram()
  /// The findings of the last check of the inputs.
  var findings: [String: InputHealth.Finding] = [:]
  private var counters: [String: Int64] = [:]
  private var refusals: [String: Int64] = [:]
  private var refused = RefusedInputs()
  private var maximumAgeMS: [String: Double] = [:]
  /// The longest wait of an input and the longest turn of the loop since the last status.
  private var loopAgeNS: Int64 = 0
  private let configurationHash: String
  private var process = ProcessFigures()

  init(parameters: Parameters) {
    configurationHash = Self.hash(of: parameters)
  }

  /// An FNV-1a hash of names and values in order: the same for the same values in each process.
  static func hash(of parameters: Parameters) -> String {
    let values = parameters.values.sorted { $0.key < $1.key }
    return FNV1a(values.map { "\($0.key)=\($0.value.text)\n" }.joined().utf8).hexadecimal
  }

  mutating func count(_ counter: String, by amount: Int) {
    counters[counter, default: 0] += Int64(amount)
  }

  /// Counts the failed waits of the process since the last call; returns the last error, or nil if
  /// there was none.
  mutating func countFailedWaits() -> BusError? {
    let count = Int64(clamping: FailedWaits.count)
    guard count != counters["failed_waits", default: 0] else { return nil }
    counters["failed_waits"] = count
    return FailedWaits.last
  }

  /// Updates the counter of connections that were refused for lack of descriptors.
  ///
  /// Returns the new total; nil if it has not changed.
  mutating func countRefusedConnections() -> Int64? {
    let count = clinux_refused_connections()
    guard count != counters["connections_refused", default: 0] else { return nil }
    counters["connections_refused"] = count
    return count
  }

  /// Counts a refused message or call of a vehicle; `text` is a sentence about it.
  mutating func refuse(_ place: String, _ reason: String, vehicle: String?, text: String) {
    refusals["\(place) \(reason)", default: 0] += 1
    refused.record(place, reason, vehicle: vehicle, text: text, wallNS: wallClockNS())
  }

  /// Counts messages of a vehicle that were valid but not used.
  mutating func countUnused(_ place: String, _ reason: String, vehicle: String, count: Int) {
    refused.record(place, reason, vehicle: vehicle, count: count, wallNS: wallClockNS())
  }

  mutating func received(_ leaf: String, _ delivery: Delivery, at now: MonotonicTime) {
    let age = max(0, now.nanoseconds - delivery.arrival.nanoseconds)
    let ageMS = Double(age) / 1e6
    if maximumAgeMS[leaf, default: 0] <= ageMS { maximumAgeMS[leaf] = ageMS }
    loopAgeNS = max(loopAgeNS, age)
  }

  /// Records the duration of a turn of the work loop.
  mutating func turned(in nanoseconds: Int64) { loopAgeNS = max(loopAgeNS, nanoseconds) }

  /// The current status of a node; percentiles cover the time since the last one.
  mutating func status(
    of name: String, host: any StageHosting, client: BusClient, condition: NodeCondition
  ) -> NodeStatus {
    let manifest = host.manifest
    let status = NodeStatus(
      node: name, program: manifest.name, version: NodeVersion.text,
      state: condition.state, why: condition.summary, sinceNs: condition.since?.nanoseconds,
      pid: process.pid, run: client.run,
      uptimeS: process.uptimeS, loopAgeMs: Double(loopAgeNS) / 1e6,
      queue: UInt64(client.queueLength),
      latencyP50Ms: latency.percentileMS(0.5), latencyP99Ms: latency.percentileMS(0.99),
      memoryBytes: process.residentBytes, cpuFraction: process.measureCPUFraction(),
      vehicles: UInt64(host.vehicleCount),
      subscriptions: subscriptions(client.receptionsByLeaf, inputs: manifest.inputs),
      publications: publications(client.publicationsByLeaf),
      counters: counters, refusals: refusals,
      refused: refused.recent(at: wallClockNS()), configHash: configurationHash)
    loopAgeNS = 0
    if latency.total >= 1_000 { latency.reset() }
    return status
  }

  private func subscriptions(
    _ receptions: [String: ReceptionCounters], inputs leaves: [String]
  ) -> [String: WireSubscriptionStatus] {
    var byLeaf: [String: WireSubscriptionStatus] = [:]
    for leaf in leaves {
      let finding = findings[leaf]
      byLeaf[leaf] = WireSubscriptionStatus(
        health: finding?.verdict, rateHz: finding?.rateHz, expectHz: finding?.expectHz,
        silenceS: finding?.silenceS)
    }
    for (leaf, counters) in receptions {
      guard var status = byLeaf[leaf] else { continue }
      status.received += counters.received
      status.gaps += counters.gaps
      status.lost += counters.lost
      status.duplicates += counters.duplicates
      status.late += counters.late
      status.refilled += counters.refilled
      status.queueDrops += counters.queueDrops
      status.maxAgeMs = maximumAgeMS[leaf]
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

  private func publications(
    _ counters: [String: PublicationCounters]
  ) -> [String: WirePublicationStatus] {
    counters.mapValues { counter in
      var status = WirePublicationStatus()
      status.sent = counter.sent
      status.refused = counter.refused
      status.lastSeq = counter.lastSequence
      return status
    }
  }
}

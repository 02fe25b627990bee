import BusClient
import BusProtocol
import Dispatch
import EventTime
import NodeKit
import Stage

/// A standby that handles all input of the node without publishing, for a comparison.
extension BusHarness {
  /// Continues silently from the node's state.
  func beginShadow(_ token: UInt64) {
    guard let arriving, arriving.token == token, let handed = arriving.handed else { return }
    self.arriving = nil
    shadow = ShadowComparison(run: handed.run)
    goOn(from: handed)
    for delivery in client.takeHeld(token: token, after: handed.inputs) {
      kept.append(.message(delivery))
    }
    log.write(.info, "shadows run \(handed.run) with \(handed.vehicles.count) vehicles")
  }

  /// Records a message that the node has published; false for other messages.
  func recordNodeOutput(_ delivery: Delivery) -> Bool {
    guard shadow != nil, delivery.header.source == setUp.environment.name else { return false }
    let isFence = delivery.topic == client.fenceTopic
    guard isFence || host.manifest.outputs.contains(delivery.leaf) else { return false }
    shadow?.hear(delivery, isFence: isFence)
    return true
  }

  /// Performs outputs that stay within the process; the others are only compared.
  func performInShadow(_ outputs: [EncodedOutput], vehicle: String, cause: Cause?) {
    for output in outputs {
      switch output {
      case .publish(let topic, _, let payload, let key, _, let given):
        let name = topic.hasPrefix("_") ? topic : "\(vehicle)/\(topic)"
        shadow?.say(name, key: key, cause: (given ?? cause).map(Origin.init), payload: payload)
      case .wake(let at): wakes[vehicle] = at
      case .work(_, let body):
        let jobs = jobs
        WorkQueue.shared.async {
          let outputs = body()
          jobs.post { $0.performInShadow(outputs, vehicle: vehicle, cause: cause) }
        }
      case .setClock(let now, let rate, let isPaused, let run):
        _ = time.hear(now: now, rate: rate, isPaused: isPaused, run: run, at: .now)
        handle.tell(time)
      case .log(let level, let text): report(level, "(shadow) \(text)", vehicle: vehicle)
      case .call: shadow?.countCall()
      case .admit(let another): admit(another)
      case .leave:
        wakes[vehicle] = nil
        _ = host.drop(vehicle)
      case .cancelCall, .reply, .count, .degraded, .promise, .wakeDuringWork: break
      }
    }
  }

  /// Ends the shadow: its state is discarded, and its result is returned.
  func endShadow() -> ShadowComparison? {
    guard let ended = shadow else { return nil }
    shadow = nil
    for vehicle in host.vehicles { _ = host.drop(vehicle) }
    wakes = WakeHeap()
    log.write(
      .info,
      "shadow: \(ended.compared) messages compared, \(ended.different) different"
        + (ended.first.map { ", first \($0)" } ?? ""))
    return ended
  }

  /// The topics that a shadow compares.
  var shadowed: [String] {
    let read = Set(names(of: inputs.sorted()))
    return names(of: host.manifest.outputs.sorted() + [client.fenceTopic]).filter {
      !read.contains($0)
    }
  }
}

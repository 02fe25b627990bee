import BusClient
import BusProtocol
import NodeKit
import Stage
import ZMQ

/// The attachments of a node, and what they read in addition to its stages.
final class NodeAttachments {
  /// Maximum time for requests that attachments answer after another process has become the node.
  private static let longestRetirementMS: Int64 = 60_000
  /// Maximum time for such requests if the node was ordered to stop.
  private static let longestFarewellMS: Int64 = 700
  /// Milliseconds between attempts to start an attachment.
  private static let attemptMS: Int64 = 100

  private let all: [any NodeAttachment]
  /// Attachments that start when this process has become the node.
  private var waiting: [any NodeAttachment] = []
  private(set) var nextAttempt = MonotonicTime.now
  private var subscriptions: [AttachmentSubscription] = []
  /// The last values of states, by topic and key; empty if there are no attachments.
  private var lastStates: [String: Delivery] = [:]
  private let handle: BusNodeHandle
  private let report: NodeReport
  private let supervision: Supervision
  private let notifier: Notifier

  init(_ setUp: BusHarness.SetUp, handle: BusNodeHandle, report: NodeReport) {
    all = setUp.attachments
    supervision = setUp.supervision
    notifier = setUp.notifier
    self.handle = handle
    self.report = report
  }

  var isEmpty: Bool { all.isEmpty }

  /// Whether an attachment must still be started.
  var areWaiting: Bool { !waiting.isEmpty }

  /// Starts all attachments.
  ///
  /// - Throws: `NodeFailure` if one cannot be started.
  func start() throws(NodeFailure) {
    for attachment in all {
      do throws(StageFailure) {
        try attachment.start(handle)
      } catch {
        throw NodeFailure(error)
      }
    }
  }

  /// Leaves the start to `startWaiting`, because a predecessor still has its attachments.
  func wait() { waiting = all }

  /// Starts the attachments, if the predecessor has given way to them; `map` is the shared part of
  /// a map that was replaced meanwhile.
  func startWaiting(now: MonotonicTime, map: (any Sendable)?) {
    guard !waiting.isEmpty, now >= nextAttempt else { return }
    nextAttempt = now.advanced(byMS: Self.attemptMS)
    while let attachment = waiting.first {
      do throws(StageFailure) {
        try attachment.start(handle)
        if let map { attachment.mapChanged(map) }
        waiting.removeFirst()
        report.setDegraded("attachment", nil)
      } catch {
        return report.setDegraded("attachment", error.message)
      }
    }
  }

  func didPublish(_ message: PublishedMessage) {
    for attachment in all { attachment.didPublish(message) }
  }

  func mapChanged(_ shared: any Sendable) {
    for attachment in all { attachment.mapChanged(shared) }
  }

  /// Lets attachments finish their work, while the supervisor sees that the process is alive.
  ///
  /// `isRetired`: another process has become the node.
  func retire(isRetired: Bool) {
    for attachment in all { attachment.retire() }
    let limitMS = isRetired ? Self.longestRetirementMS : Self.longestFarewellMS
    let deadline = MonotonicTime.now.advanced(byMS: limitMS)
    while !all.allSatisfy(\.hasRetired), deadline > .now, !supervision.isOrphaned {
      notifier.watchdog()
      var items = isRetired ? [supervision.stop.pollItem] : []
      if pollOrPause(&items, timeoutMS: 20), isRetired { return }
    }
  }

  func stop() {
    for attachment in all { attachment.stop() }
  }

  // MARK: Subscriptions

  /// The topics of all subscriptions, by the stage's names.
  var subscribedTopics: [String] { subscriptions.flatMap(\.topics) }

  /// Adds a subscription, which receives the last values of states at once.
  func add(_ subscription: AttachmentSubscription) {
    subscriptions.append(subscription)
    // Values that the node has already read are not repeated by the bus.
    for delivery in sortedStates where subscription.receives(delivery.leaf) {
      subscription.receive(delivery)
    }
  }

  /// Removes the subscription to these topics, and returns those of them that no other one reads.
  func remove(_ topics: [String]) -> [String] {
    guard let index = subscriptions.lastIndex(where: { $0.topics == topics }) else { return [] }
    subscriptions.remove(at: index)
    let others = Set(subscribedTopics)
    return topics.filter { !others.contains($0) }
  }

  /// Keeps the last value of a state for later subscriptions.
  func remember(_ delivery: Delivery) {
    guard !all.isEmpty, delivery.traits.deliveryClass == .state else { return }
    lastStates["\(delivery.topic) \(delivery.header.key ?? "")"] = delivery
  }

  /// Passes a message to the subscriptions of its topic.
  func receive(_ delivery: Delivery) {
    for subscription in subscriptions where subscription.receives(delivery.leaf) {
      subscription.receive(delivery)
    }
  }

  /// Passes the last values of a vehicle's states to the subscriptions.
  func repeatStates(of vehicle: String) {
    for delivery in sortedStates where delivery.vehicle == vehicle { receive(delivery) }
  }

  /// Forgets the values of vehicles that are not read any more.
  func forgetStates(where isForgotten: (Delivery) -> Bool) {
    lastStates = lastStates.filter { !isForgotten($0.value) }
  }

  private var sortedStates: [Delivery] {
    lastStates.sorted { $0.key < $1.key }.map(\.value)
  }
}

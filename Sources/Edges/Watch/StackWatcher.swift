public import BusClient
import BusProtocol
import Messages

/// Observes a running stack through a given client.
///
/// Each observation costs three requests to the broker and a status of each node; otherwise it
/// costs nothing.
public struct StackWatcher {
  private let client: BusClient
  private var statuses: [String: NodeStatus] = [:]

  /// Subscribes to the statuses of all nodes; nil if the broker does not confirm that in two
  /// seconds.
  public init?(_ client: BusClient) {
    self.client = client
    guard client.subscribe(["_node/"], waitingMS: 2_000) else { return nil }
  }

  /// Records a received message; false if it is not the status of a node.
  public mutating func ingest(_ delivery: Delivery) -> Bool {
    guard let name = StackSnapshot.node(ofStatus: delivery.topic) else { return false }
    // An invalid status is another program's fault, and the node has none then.
    statuses[name] = try? NodeStatus(decoding: delivery.payload)
    return true
  }

  /// The current observation; nil if the broker does not answer in two seconds.
  ///
  /// Other messages that are waiting at the client are dropped.
  public mutating func picture() -> StackSnapshot? {
    while let event = client.next() {
      if case .message(let delivery) = event { _ = ingest(delivery) }
    }
    return snapshot()
  }

  /// The broker's lists with the statuses so far; nil if the broker does not answer in two seconds.
  public func snapshot() -> StackSnapshot? {
    guard let nodes = client.nodeReports(), let topics = client.topicReports(),
      let services = client.serviceReports()
    else { return nil }
    return StackSnapshot(
      nodes: nodes, topics: topics, services: services, statuses: statuses, at: .now)
  }
}

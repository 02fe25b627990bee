public import BusProtocol
public import ZMQ

/// Publishing without registering as a node, for a tool that publishes once and ends.
public enum OneShotPublisher {
  /// Publishes and closes; blocks until the messages have been sent, at most `patienceMS`.
  ///
  /// They wait for a broker that is not running yet. The messages contain their topic's class,
  /// since no node registers for them.
  public static func publish(
    _ publications: [Publication], to address: BusAddress, source: String,
    table: TopicTable = TopicTable(), patienceMS: Int32 = 5_000
  ) throws(BusError) -> [PublishResult] {
    let context = try Context()
    let socket = try Socket(.push, in: context)
    try socket.setLinger(ms: patienceMS)
    if address.isRemote { try socket.keepAlive() }
    try socket.connect(address.ingest)
    var outbox = Outbox(
      socket, table: table, source: source, run: RunNumber.next(),
      tellsClass: true)
    return publications.map { outbox.publish($0, now: .now) }
  }
}

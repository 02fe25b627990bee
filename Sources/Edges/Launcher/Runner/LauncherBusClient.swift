import BusClient
import BusProtocol
import MessagePack
import Messages
import NodeKit
import Supervision
import ZMQ

/// The launcher's connection to the bus.
///
/// It answers calls about the stack, issues those of `start:`, and observes the messages that
/// `expect:` needs.
final class LauncherBusClient {
  /// Its name on the bus.
  static let name = "navlaunch"

  /// Something that arrived from the bus.
  enum News: Sendable {
    case call(IncomingCall)
    case seen(ObservedMessage)
    case status(NodeStatus)
  }

  let client: BusClient
  /// Ends of the calls that it made.
  private let replies: LauncherMailbox<CallEnd>

  init(_ address: BusAddress) throws(LaunchError) {
    do {
      replies = try LauncherMailbox()
      client = try BusClient(
        BusClient.Configuration(
          address: address, name: Self.name, kind: "tool", version: NodeVersion.text,
          table: Contract.table, streamDepth: 1_000))
    } catch {
      throw LaunchError("the bus cannot be reached: \(error)")
    }
    client.serve(StackCalls.names)
    client.subscribe(["_node/"])
  }

  /// Readable when something has arrived.
  var descriptors: [Int32] { [client.wakeUp.descriptor, replies.descriptor] }

  func subscribe(_ topics: Set<String>) { client.subscribe(topics.sorted()) }

  /// Returns the news that has arrived since the last call.
  func drain() -> [News] {
    client.wakeUp.drain()
    var news: [News] = []
    while let event = client.next() {
      switch event {
      case .call(let call): news.append(.call(call))
      case .message(let delivery): news += Self.news(of: delivery)
      case .cancelled, .refused, .rejected, .notServed, .handover: break
      }
    }
    return news
  }

  private static func news(of delivery: Delivery) -> [News] {
    let header = delivery.header
    let sighting = ObservedMessage(
      topic: delivery.topic, source: header.source, run: header.run, sequence: header.sequence,
      stampNS: header.stampNS, isLatched: header.isLatched, payload: delivery.payload)
    guard delivery.topic.hasPrefix("_node/"), delivery.topic.hasSuffix("/status"),
      let status = try? NodeStatus(decoding: delivery.payload)
    else { return [.seen(sighting)] }
    return [.seen(sighting), .status(status)]
  }

  func call(_ name: String, vehicle: String, payload: [UInt8], timeoutS: Double) {
    let replies = replies
    client.call(
      name, vehicle: vehicle, payload: payload,
      timeoutMS: UInt32(max(1, min(timeoutS, 3_600) * 1_000))
    ) { end in replies.put(end) }
  }

  /// Ends of calls since the last call.
  func drainReplies() -> [CallEnd] { replies.drain() }

  func reply(to call: IncomingCall, _ end: CallEnd) { client.reply(to: call.id, end) }

  /// Orders the broker to hand a node's work to its standby; `done` is called on another thread.
  func handOver(_ node: String, _ done: @escaping @Sendable (HandoverReport) -> Void) {
    client.handOver(node: node) { done(HandoverReport($0)) }
  }

  /// Orders the broker to let a node's standby shadow it.
  func shadow(_ node: String, _ done: @escaping @Sendable (HandoverReport) -> Void) {
    client.shadow(node: node) { done(HandoverReport($0)) }
  }

  /// Orders the broker to share a group's vehicles among lanes.
  func rescale(
    _ group: String, lanes: [Int], _ done: @escaping @Sendable (HandoverReport) -> Void
  ) {
    client.rescale(group: group, lanes: lanes) { outcome in
      done(
        HandoverReport(
          failure: outcome.isDone ? nil : HandoverReport.sentence(outcome.code, outcome.message),
          heldMS: outcome.heldMS, count: Int(clamping: outcome.movedSlots),
          handovers: Int(clamping: outcome.moves)))
    }
  }

  func close() { client.close() }
}

extension HandoverReport {
  init(_ outcome: HandoverOutcome) {
    self.init(
      failure: outcome.isDone ? nil : Self.sentence(outcome.code, outcome.message),
      isEarly: ["not_ready", "no_standby"].contains(outcome.code), heldMS: outcome.heldMS,
      stateBytes: Int(clamping: outcome.stateBytes), count: Int(clamping: outcome.heldCalls),
      handovers: Int(clamping: outcome.parts),
      remark: outcome.isDone && !outcome.message.isEmpty ? outcome.message : nil,
      compared: outcome.compared.map { Int(clamping: $0) },
      different: Int(clamping: outcome.different ?? 0), difference: outcome.difference)
  }

  static func sentence(_ code: String, _ message: String) -> String {
    message.isEmpty ? code : "\(message) (\(code))"
  }
}

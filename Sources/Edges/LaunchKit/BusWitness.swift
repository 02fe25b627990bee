import Bus
import MessagePack
import NodeKit
import Synchronization

/// The launcher's own ear and mouth on the bus: issues the calls of `start:`, sees what `expect:`
/// asks for.
final class BusWitness {
  private let client: BusClient
  private let replies = ReplyBox()

  init(_ address: BusAddress) throws(LaunchError) {
    do {
      client = try BusClient(
        BusClient.Configuration(
          address: address, name: "navlaunch", kind: "tool", version: NodeVersion.text,
          table: Contract.table, streamDepth: 1_000))
    } catch {
      throw LaunchError("the bus cannot be reached: \(error)")
    }
  }

  /// Readable when something has come from the bus.
  var descriptor: Int32 { client.wakeUp.descriptor }

  func subscribe(_ topics: Set<String>) { client.subscribe(topics.sorted()) }

  /// What has come since it was last asked.
  func take() -> [Sighting] {
    client.wakeUp.drain()
    var sightings: [Sighting] = []
    while let event = client.next() {
      guard case .message(let delivery) = event else { continue }
      let header = delivery.header
      sightings.append(
        Sighting(
          topic: delivery.topic, source: header.source, run: header.run,
          sequence: header.sequence, stampNS: header.stampNS, isLatched: header.isLatched,
          payload: delivery.payload))
    }
    return sightings
  }

  func call(_ name: String, vehicle: String, payload: [UInt8], timeoutS: Double) {
    let replies = replies
    client.call(
      name, vehicle: vehicle, payload: payload,
      timeoutMS: UInt32(max(1, min(timeoutS, 3_600) * 1_000))
    ) { end in replies.put(end) }
  }

  /// How the last call ended; nil while it has not.
  func takeReply() -> CallEnd? { replies.take() }

  func close() { client.close() }
}

/// Carries a call's end from the bus client's thread.
private final class ReplyBox: Sendable {
  private let end = Mutex<CallEnd?>(nil)

  func put(_ end: CallEnd) { self.end.withLock { $0 = end } }
  func take() -> CallEnd? { end.withLock { $0.take() } }
}

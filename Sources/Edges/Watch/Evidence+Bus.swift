public import BusClient
import BusProtocol
import Messages

extension Evidence {
  /// Reads the reports of broker and launcher that the lists do not contain.
  ///
  /// It costs two requests to the broker, and a call of at most two seconds if a launcher serves
  /// `stack/nodes`.
  public init(of picture: StackSnapshot, through client: BusClient) {
    self = Self.gathered(of: picture, through: client)
  }

  // Not in the initializer, which would not call the observers of properties.
  private static func gathered(of picture: StackSnapshot, through client: BusClient) -> Evidence {
    var evidence = Evidence()
    evidence.wallNS = wallClockNS()
    evidence.counters = client.busCounters() ?? [:]
    evidence.invalidTopic = client.malformedTopic()
    let isServed = picture.services.contains {
      $0.name == StackNodesRequest.call && !$0.server.isEmpty
    }
    guard isServed,
      case .ok(let payload) = client.callAndWait(
        StackNodesRequest.call, payload: StackNodesRequest().encoded()),
      let reply = try? StackNodesReply(decoding: payload)
    else { return evidence }
    evidence.stack = reply.stack
    evidence.processes = reply.processes
    return evidence
  }
}

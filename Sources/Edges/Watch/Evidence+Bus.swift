public import BusClient
import BusProtocol
import Messages

extension Evidence {
  /// What broker and launcher report in addition to the lists.
  ///
  /// It costs two requests to the broker, and a call of at most two seconds if a launcher serves
  /// `stack/nodes`.
  public init(of picture: StackSnapshot, through client: BusClient) {
    self.init()
    wallNS = wallClockNS()
    counters = client.busCounters() ?? [:]
    invalidTopic = client.malformedTopic()
    let isServed = picture.services.contains {
      $0.name == StackNodesRequest.call && !$0.server.isEmpty
    }
    guard isServed,
      case .ok(let payload) = client.callAndWait(
        StackNodesRequest.call, payload: StackNodesRequest().encoded()),
      let reply = try? StackNodesReply(decoding: payload)
    else { return }
    stack = reply.stack
    processes = reply.processes
  }
}

public import BusClient
import Messages
import NodeKit
import Stage
import Synchronization
public import ZMQ

/// A process in lock-step mode as a node of a `Conductor`: it serves the call `_lockstep/<node>`.
///
/// A batch may take any time; the run ends only if the process has gone.
public final class RemoteNode: ConductedNode {
  /// Time without an answer after which a node counts as dead; no work of a wave takes this long.
  private static let livenessLimitMS: UInt32 = 600_000

  public let name: String
  public let facts: NodeFacts
  private let client: BusClient
  private let answer: AnswerBox

  /// Creates a node on the bus of `client`, with a known manifest.
  public init(name: String, facts: NodeFacts, client: BusClient) throws(BusError) {
    self.name = name
    self.facts = facts
    self.client = client
    answer = try AnswerBox()
  }

  public func start(_ batch: EventBatch) {
    let answer = answer
    client.call(
      "_lockstep/\(name)", payload: batch.request.encoded(), timeoutMS: Self.livenessLimitMS
    ) { answer.put($0) }
  }

  public func finish() throws(NodeLost) -> BatchAnswer {
    switch answer.wait() {
    case .failed(_, let message, _): throw NodeLost(node: name, reason: message)
    case .ok(let payload):
      do {
        return try BatchAnswer(try LockstepReply(decoding: payload))
      } catch {
        throw NodeLost(node: name, reason: "its answer cannot be decoded: \(error)")
      }
    }
  }
}

/// Passes the end of a call from the client's thread to the waiting thread.
private final class AnswerBox: Sendable {
  private let end = Mutex<CallEnd?>(nil)
  private let bell: ThreadWaker

  init() throws(BusError) { bell = try ThreadWaker() }

  func put(_ end: CallEnd) {
    self.end.withLock { $0 = end }
    bell.signal()
  }

  func wait() -> CallEnd {
    while true {
      if let taken = end.withLock({ $0.take() }) { return taken }
      var items = [bell.pollItem]
      pollOrPause(&items, timeoutMS: 1_000)
      bell.drain()
    }
  }
}

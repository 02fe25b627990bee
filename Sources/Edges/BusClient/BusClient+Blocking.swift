public import BusProtocol
import Synchronization
import ZMQ

// Blocking functions, for start-up, tools and tests.
extension BusClient {
  /// Waits until the broker has registered this node and messages can be sent; false on timeout.
  public func waitForBroker(timeoutMS: Int) -> Bool {
    let deadline = MonotonicTime.now.advanced(byMS: Int64(timeoutMS))
    while !isConnected {
      guard deadline > .now else { return false }
      var items: [PollItem] = []
      pollOrPause(&items, timeoutMS: 1)
    }
    return true
  }

  /// Subscribes and waits until last values are delivered and live messages will arrive; false on
  /// timeout.
  public func subscribe(
    _ patterns: [String], sinceMS: UInt64? = nil, waitingMS timeoutMS: Int
  ) -> Bool {
    wait(timeoutMS) { (done: @escaping @Sendable (Bool) -> Void) in
      subscribe(patterns, sinceMS: sinceMS) { done(true) }
    } ?? false
  }

  /// Takes back the states that an earlier process with this node's name published, and waits for
  /// them; false on timeout.
  ///
  /// A new broker only knows what its nodes report to it. Without this call, states of a restarted
  /// process that it has not published again would be lost with their broker. What this process has
  /// published itself stays.
  public func reclaimStates(_ patterns: [String], waitingMS timeoutMS: Int) -> Bool {
    wait(timeoutMS) { done in send(.takeBackStates(patterns, done)) } ?? false
  }

  /// Counts the inputs of `patterns` from where a dead process with this node's name stopped; false
  /// on timeout.
  ///
  /// Must be called before the patterns are subscribed to. Messages that the predecessor had not
  /// handled, or that were published meanwhile, count as lost with the first message of each topic.
  public func goOnAfterPredecessor(_ patterns: [String], waitingMS timeoutMS: Int) -> Bool {
    wait(timeoutMS) { done in send(.goOnAfterPredecessor(patterns, done)) } ?? false
  }

  /// Makes a call and waits for its end.
  public func callAndWait(
    _ name: String, vehicle: String? = nil, payload: [UInt8], timeoutMS: UInt32 = 2_000,
    id: String = CallIdentity.make()
  ) -> CallEnd {
    wait(Int(timeoutMS) + 2_000) { done in
      call(
        name, vehicle: vehicle, payload: payload, timeoutMS: timeoutMS, id: id, completion: done)
    } ?? .failed(code: "timeout", message: "the bus did not answer", field: nil)
  }

  /// The broker's reports about topics; nil if it does not answer in time.
  public func topicReports(timeoutMS: Int = 2_000) -> [TopicReport]? {
    var reports: [TopicReport] = []
    while true {
      guard let page = list("topics", from: UInt64(reports.count), timeoutMS) else { return nil }
      reports += page.topics
      if page.topics.isEmpty || reports.count >= page.count ?? 0 { return reports }
    }
  }

  public func nodeReports(timeoutMS: Int = 2_000) -> [NodeReport]? {
    list("nodes", timeoutMS)?.nodes
  }

  public func serviceReports(timeoutMS: Int = 2_000) -> [ServiceReport]? {
    list("services", timeoutMS)?.services
  }

  /// Reports to the broker that a standby's or replica's subscriptions are in place; false on
  /// timeout.
  public func becomeReady(waitingMS timeoutMS: Int) -> Bool {
    becomeReady()
    // This request follows on the same socket, so its answer proves that both have arrived.
    return busCounters(timeoutMS: timeoutMS) != nil
  }

  /// The broker's own counters.
  public func busCounters(timeoutMS: Int = 2_000) -> [String: UInt64]? {
    list("bus", timeoutMS)?.counters
  }

  /// The last malformed topic name of a message that the broker dropped; nil for none.
  ///
  /// Bytes that are not printable ASCII are shown as `?`.
  public func malformedTopic(timeoutMS: Int = 2_000) -> String? { list("bus", timeoutMS)?.topic }

  private func list(
    _ what: String, from: UInt64 = 0, _ timeoutMS: Int
  ) -> ControlMessage.Listing? {
    let request = ControlMessage.List(from: from > 0 ? from : nil, what: what)
    return wait(timeoutMS) { done in send(.list(request, done)) }
  }

  func wait<Value: Sendable>(
    _ timeoutMS: Int, _ start: (@escaping @Sendable (Value) -> Void) -> Void
  ) -> Value? {
    guard let bell = try? ThreadWaker() else { return nil }
    let box = BlockingResult<Value>(bell)
    start { box.put($0) }
    let deadline = MonotonicTime.now.advanced(byMS: Int64(timeoutMS))
    while true {
      if let value = box.value { return value }
      let left = deadline.millisecondsLeft()
      guard left > 0 else { return nil }
      var items = [bell.pollItem]
      pollOrPause(&items, timeoutMS: left)
    }
  }
}

/// One value from another thread, and a bell.
private final class BlockingResult<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)
  private let bell: ThreadWaker

  init(_ bell: ThreadWaker) { self.bell = bell }

  var value: Value? { content.withLock { $0 } }

  func put(_ value: Value) {
    content.withLock { $0 = value }
    bell.signal()
  }
}

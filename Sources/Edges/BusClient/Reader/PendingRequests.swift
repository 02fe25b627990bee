import BusProtocol
import MessagePack
import Synchronization

/// The requests to the broker that wait for an answer, by their token on the control socket.
struct PendingRequests {
  enum Request {
    case snapshot
    /// Of events since the given number of milliseconds before `asked`.
    case history([String], sinceMS: UInt64, asked: MonotonicTime)
    case refill(Reception.Refill)
    case list(@Sendable (ControlMessage.Listing) -> Void)
    case order(@Sendable (ControlMessage.Outcome?) -> Void)
    /// Of states, for a handover.
    case lastValues(UInt64)
    /// Of states that a predecessor of this name published.
    case ownStates(@Sendable (Bool) -> Void)
    /// Marks of the inputs that a predecessor of this name had handled.
    case handled(@Sendable (Bool) -> Void)
  }

  private let client: BusClient
  private var lastToken: UInt64 = 0
  private var open: [UInt64: Request] = [:]

  init(_ client: BusClient) { self.client = client }

  /// A token that no request has.
  mutating func makeToken() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  private mutating func add(_ request: Request) -> UInt64 {
    let token = makeToken()
    open[token] = request
    return token
  }

  /// Sends a request; if no broker is present, forgets it and returns false.
  private mutating func ask(
    _ request: Request, over control: borrowing ControlSocket,
    _ body: (_ token: UInt64) -> some ControlBody
  ) -> Bool {
    let token = add(request)
    if control.send(body(token)) { return true }
    open[token] = nil
    return false
  }

  // MARK: Requests

  /// Requests the last values of states; returns the token of the request.
  ///
  /// With `isHeld`, live messages of the patterns wait for them. Without a broker, the request is
  /// repeated when one is present.
  @discardableResult
  mutating func requestSnapshot(
    _ patterns: [String], isHeld: Bool, over control: borrowing ControlSocket, now: MonotonicTime
  ) -> UInt64 {
    let token = add(.snapshot)
    if isHeld { client.reception.withLock { $0.hold(patterns, token: token, now: now) } }
    control.send(ControlMessage.Snapshot(token: token, patterns: patterns))
    return token
  }

  /// Requests the events of the given number of milliseconds before `now`; returns the token of the
  /// request.
  mutating func requestHistory(
    _ patterns: [String], sinceMS: UInt64, over control: borrowing ControlSocket,
    now: MonotonicTime
  ) -> UInt64 {
    let token = add(.history(patterns, sinceMS: sinceMS, asked: now))
    client.reception.withLock { $0.hold(patterns, token: token, now: now) }
    control.send(ControlMessage.History(token: token, patterns: patterns, sinceMs: sinceMS))
    return token
  }

  /// Requests missing events.
  mutating func requestRefill(
    _ refill: Reception.Refill, over control: borrowing ControlSocket, now: MonotonicTime
  ) {
    let isSent = ask(.refill(refill), over: control) {
      ControlMessage.Refill(
        token: $0, run: refill.run, topic: refill.topic, src: refill.source, from: refill.from,
        to: refill.to)
    }
    if !isSent { client.reception.withLock { $0.endRefill(refill, now: now) } }
  }

  /// Requests a list; without a broker it waits for one only if `waits`.
  mutating func requestList(
    _ list: ControlMessage.List, waits: Bool, over control: borrowing ControlSocket,
    _ completion: @escaping @Sendable (ControlMessage.Listing) -> Void
  ) {
    var list = list
    let token = add(.list(completion))
    list.token = token
    if !control.send(list), !waits { open[token] = nil }
  }

  /// Sends an order that the broker carries out; `completion` gets nil if no broker is present.
  mutating func order(
    _ order: (UInt64) -> ControlMessage, over control: borrowing ControlSocket,
    _ completion: @escaping @Sendable (ControlMessage.Outcome?) -> Void
  ) {
    if !ask(.order(completion), over: control, order) { completion(nil) }
  }

  /// Requests the last values of states, to be held with the input since the marker.
  mutating func requestLastValues(
    _ patterns: [String], handover: UInt64, over control: borrowing ControlSocket
  ) {
    let isSent = ask(.lastValues(handover), over: control) {
      ControlMessage.Snapshot(token: $0, patterns: patterns)
    }
    if !isSent { client.inbox.append(.handover(.lastValues(token: handover))) }
  }

  /// Requests the last values of states that a process of this name published before, among those
  /// of all sources.
  mutating func requestOwnStates(
    _ patterns: [String], over control: borrowing ControlSocket,
    _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    let isSent = ask(.ownStates(completion), over: control) {
      ControlMessage.Snapshot(token: $0, patterns: patterns)
    }
    if !isSent { completion(false) }
  }

  /// Asks the broker what an earlier process of this name has handled.
  mutating func requestHandledInputs(
    _ patterns: [String], over control: borrowing ControlSocket,
    _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    let name = client.configuration.name
    let isSent = ask(.handled(completion), over: control) {
      ControlMessage.Handled(token: $0, name: name, patterns: patterns)
    }
    if !isSent { completion(false) }
  }

  // MARK: Answers

  /// Handles a message that answers a request, of which more may follow.
  func handle(_ head: ControlMessage.Item, _ rest: [[UInt8]], now: MonotonicTime) {
    guard let token = head.token, let request = open[token] else { return }
    do throws(Frame.Malformed) {
      let frame = try Frame(rest)
      var isHistory = false
      if case .history = request { isHistory = true }
      if case .lastValues(let handover) = request {
        return client.reception.withLock { $0.hold(lastValue: frame, token: handover) }
      }
      if case .ownStates = request { return reclaim(frame) }
      client.reception.withLock { $0.item(frame, token: token, isHistory: isHistory, now: now) }
    } catch {
      client.reception.withLock { $0.countMalformed(error.rawValue) }
    }
  }

  /// Keeps a value for the next broker, if it is this node's own.
  private func reclaim(_ frame: Frame) {
    guard frame.header.source == client.configuration.name else { return }
    let slots = client.slots
    client.outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.reclaim(frame, slots: slots)
      box = consume outbox
    }
  }

  /// Handles the end of an answer.
  mutating func handle(_ head: ControlMessage.End, now: MonotonicTime) {
    guard let token = head.token, let request = open.removeValue(forKey: token) else { return }
    switch request {
    case .snapshot, .history: client.reception.withLock { $0.endSnapshot(token, now: now) }
    case .refill(let refill): client.reception.withLock { $0.endRefill(refill, now: now) }
    case .lastValues(let handover): client.inbox.append(.handover(.lastValues(token: handover)))
    case .ownStates(let completion): completion(true)
    case .list, .order, .handled: break
    }
  }

  mutating func handle(_ listing: ControlMessage.Listing) {
    guard let token = listing.token, case .list(let completion)? = open.removeValue(forKey: token)
    else { return }
    completion(listing)
  }

  mutating func handle(_ outcome: ControlMessage.Outcome) {
    guard let token = outcome.token, case .order(let completion)? = open.removeValue(forKey: token)
    else { return }
    completion(outcome)
  }

  /// Counts from the last handled messages: later ones are missing.
  mutating func handle(_ head: ControlMessage.Marks, _ payload: [UInt8]) {
    guard let token = head.token,
      case .handled(let completion)? = open.removeValue(forKey: token)
    else { return }
    var reader = Unpacker(payload)
    let marks: [InputMark]? = try? reader.list()
    client.reception.withLock { $0.goOn(after: marks ?? []) }
    completion(marks != nil)
  }

  // MARK: Ends

  /// Repeats at a new broker what can be repeated, and ends the other requests.
  mutating func restart(over control: borrowing ControlSocket, now: MonotonicTime) {
    let patterns = client.reception.withLock { $0.patterns }
    for (token, request) in open {
      switch request {
      case .snapshot:
        open[token] = nil
        client.reception.withLock { $0.endSnapshot(token, now: now) }
      case .history(let patterns, let sinceMS, let asked):
        // No snapshot contains the requested events; the request goes back to the same moment as
        // before.
        client.reception.withLock { $0.holdLonger(now: now) }
        let waitedMS = UInt64(max(0, now.milliseconds(since: asked)))
        control.send(
          ControlMessage.History(
            token: token, patterns: patterns,
            sinceMs: sinceMS + min(waitedMS, .max - sinceMS)))
      case .refill(let refill):
        open[token] = nil
        client.reception.withLock { $0.endRefill(refill, now: now) }
      case .order(let completion):
        // The new broker knows nothing of it.
        open[token] = nil
        completion(nil)
      case .lastValues: open[token] = nil
      case .handled(let completion):
        open[token] = nil
        completion(true)
      case .ownStates(let completion):
        // The data that the previous broker had is gone.
        open[token] = nil
        completion(true)
      case .list: break
      }
    }
    if !patterns.isEmpty { requestSnapshot(patterns, isHeld: true, over: control, now: now) }
  }

  /// Ends all requests, because the node leaves.
  mutating func end() {
    for case .order(let completion) in open.values { completion(nil) }
    for case .ownStates(let completion) in open.values { completion(false) }
    for case .handled(let completion) in open.values { completion(false) }
    open = [:]
  }
}

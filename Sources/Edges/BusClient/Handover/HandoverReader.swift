import BusProtocol
import Synchronization

/// The part of a reader in handovers: passes the broker's markers and requests to the node.
struct HandoverReader {
  private let client: BusClient
  /// Handovers that have ended: a marker that arrives later, after a long queue, starts nothing.
  private var ended = EndedHandovers()

  init(_ client: BusClient) { self.client = client }

  /// Handles the marker of a handover: earlier input belongs to one process, later input to the
  /// other.
  ///
  /// Earlier messages have to be in the inbox before.
  mutating func handleMarker(_ payload: [UInt8]) {
    guard case .marker(let head)? = try? ControlMessage(decoding: payload) else { return }
    let token = head.token
    if let what = head.what { return handleRunChange(head, what) }
    guard !ended.contains(token) else { return }
    var slots: SlotSet?
    if let runs = head.slots {
      guard let read = SlotSet(runs: runs) else { return }
      slots = read
      slots?.hasRest = head.rest ?? false
    }
    let run = client.run
    if head.from == run {
      let (inputs, isSettled) = client.reception.withLock {
        ($0.marks(of: slots), $0.isSettled(slots))
      }
      enqueue(
        .cut(
          token: token, slots: slots, inputs: inputs, isSettled: isSettled,
          keepsCopy: head.to != nil))
    } else if head.to == run {
      client.reception.withLock { $0.beginHandover(token: token, slots: slots) }
      enqueue(.cutForSuccessor(token: token, slots: slots))
    }
  }

  /// Handles a swap that is rolled back: the node continues under another run.
  ///
  /// If its successor is gone, it gets back the slots that it had given away.
  private func handleRunChange(_ head: ControlMessage.Marker, _ what: String) {
    guard head.to == client.run, let run = head.run else { return }
    client.change(run: run, telling: false)
    guard what == "take_back" else { return }
    client.receiveAllSlots()
    enqueue(.takeBack(reason: head.message ?? "no reason given"))
  }

  /// Handles the broker's requests for a handover.
  mutating func handle(_ message: ControlMessage, _ payload: [UInt8]) {
    switch message {
    case .weigh(let body): enqueue(.weigh(token: body.token))
    case .freeze(let body): enqueue(.freeze(token: body.token))
    case .import(let body): enqueue(.take(token: body.token, state: payload))
    case .release(let body):
      enqueue(body.what == "shadow" ? .shadow(token: body.token) : .release(token: body.token))
    case .retire(let body): enqueue(.retire(token: body.token ?? 0))
    case .resume(let body):
      ended.insert(body.token)
      enqueue(.resume(token: body.token, reason: body.message ?? "no reason given"))
    case .dismiss(let body):
      let (token, reason) = (body.token, body.message ?? "no reason given")
      ended.insert(token)
      enqueue(
        body.what == "part"
          ? .dismissPart(token: token, reason: reason) : .dismiss(token: token, reason: reason))
    case .inherit(let body):
      // Messages from now on are for this process, however late its loop handles the event.
      client.receiveAllSlots()
      enqueue(.inherit(run: body.from))
    default: break
    }
  }

  private func enqueue(_ event: HandoverEvent) { client.inbox.append(.handover(event)) }
}

/// The newest handovers that a node knows to have ended.
struct EndedHandovers {
  /// Maximum number that is remembered; a marker is never later than that.
  static let most = 64

  private var tokens: [UInt64] = []

  func contains(_ token: UInt64) -> Bool { tokens.contains(token) }

  mutating func insert(_ token: UInt64) {
    tokens.append(token)
    if tokens.count > Self.most { tokens.removeFirst() }
  }
}

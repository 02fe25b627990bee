import CLinux
import Dispatch

/// The components of a server's loop.
struct HTTPParts: Sendable {
  var socket: SharedListener
  var epoll: Int32
  var mail: HTTPMailbox
  var bounds: HTTPLimits
  var gate: HTTPGate
  var live: LivePath?
  var isHeavy: @Sendable (HTTPHead) -> Bool
  var handler: HTTPService.Handler
}

/// The loop of a server, which owns all its sockets; created and run on one thread.
final class HTTPLoop {
  /// A request that waits for a worker.
  private struct Job: Sendable {
    var slot: Int
    var number: UInt64
    var head: HTTPHead
    var patience: HTTPCancellation
  }

  static let listenerToken = UInt64.max
  static let wakeToken = UInt64.max - 1

  let parts: HTTPParts
  private var bounds: HTTPLimits { parts.bounds }
  private var mail: HTTPMailbox { parts.mail }
  private let workers = DispatchQueue(label: "navstack.http.work", attributes: .concurrent)

  var connections: HTTPConnections
  var handover: HTTPHandover
  private var light = HTTPQueue<Job>()
  private var heavy = HTTPQueue<Job>()
  private var running = 0
  private var runningHeavy = 0
  private var nextPing: Int64 = 0

  init(_ parts: HTTPParts) {
    self.parts = parts
    connections = HTTPConnections(epoll: parts.epoll, limit: parts.bounds.connections)
    handover = HTTPHandover(parts.socket, epoll: parts.epoll)
  }

  deinit { clinux_close(parts.epoll) }

  func run() {
    handover.begin()
    while !hasDrained {
      let ended = withUnsafeTemporaryAllocation(of: clinux_event.self, capacity: 64) { events in
        let count = clinux_epoll_wait(
          parts.epoll, events.baseAddress, 64, connections.waitMS(now: clinux_monotonic_ns()))
        for event in events.prefix(max(0, Int(count))) where !take(event) { return true }
        return false
      }
      if ended { break }
      closeLate()
      pingLive()
    }
    connections.closeAll()
    handover.end()
    mail.end()
  }

  /// Handles one event; false at the end of the server.
  private func take(_ event: clinux_event) -> Bool {
    switch event.token {
    case Self.listenerToken: if !handover.isRetiring { accept() }
    case Self.wakeToken:
      guard let answers = mail.take() else { return false }
      for answer in answers { deliver(answer) }
      for ring in mail.takeRings()
      where connections.isOpen(ring.slot, low: UInt32(truncatingIfNeeded: ring.number)) {
        advanceLive(ring.slot)
      }
      startWorkers()
      if mail.isRetiring, !handover.isRetiring { beginDraining() }
    case let token where HTTPHandover.owns(token): takeHandover(token)
    default:
      let slot = Int(event.token & 0xffff_ffff)
      guard connections.isOpen(slot, low: UInt32(event.token >> 32)) else { break }
      if event.what & Int32(CLINUX_GONE) != 0 {
        connections.close(slot)
      } else if connections.with(slot, { $0.live != nil }) {
        if event.what & Int32(CLINUX_READABLE) != 0 { read(slot) } else { advanceLive(slot) }
      } else if event.what & Int32(CLINUX_WRITABLE) != 0 {
        write(slot)
        goOn(slot)
      } else if event.what & Int32(CLINUX_READABLE) != 0 {
        read(slot)
      }
    }
    return true
  }

  // MARK: Connections

  func accept() {
    while true {
      let descriptor = clinux_tcp_accept(parts.socket.listener)
      guard descriptor >= 0 else {
        // Without a free descriptor, the waiting client would wake the loop forever.
        if HTTPSocket.isOutOfDescriptors, connections.closeIdlest() {
          mail.count { $0.evicted += 1 }
          continue
        }
        return
      }
      if connections.isFull, connections.closeIdlest() { mail.count { $0.evicted += 1 } }
      admit(descriptor)
    }
  }

  /// Adds a connection; if there is no room, closes it and returns nil.
  @discardableResult
  func admit(_ descriptor: Int32) -> Int? {
    let slot = connections.add(descriptor, deadline: after(bounds.headS))
    mail.count { counts in
      counts.connections += 1
      if slot == nil { counts.refused += 1 }
    }
    return slot
  }

  private func closeLate() {
    let count = connections.closeLate(now: clinux_monotonic_ns())
    if count > 0 { mail.count { $0.evicted += count } }
  }

  private func read(_ slot: Int) {
    let reading = connections.with(slot) { connection -> HTTPConnection.Reading in
      let wasEmpty = connection.reader.isEmpty
      let reading = connection.read()
      // The time for a head starts at its first byte; later bytes do not extend it.
      if wasEmpty, connection.live == nil, case .some = reading {
        connection.deadline = after(bounds.headS)
      }
      return reading
    }
    switch reading {
    case .end: connections.close(slot)
    case .nothing: return
    case .some:
      if connections.with(slot, { $0.live != nil }) { advanceLive(slot) } else { advance(slot) }
    }
  }

  /// Handles complete requests, until one waits for a worker or its answer for the client.
  func advance(_ slot: Int) {
    let number = connections.with(slot) { $0.number }
    while connections.isOpen(slot, low: UInt32(truncatingIfNeeded: number)) {
      guard connections.with(slot, { $0.stage == .reading }) else { return }
      if handover.isRetiring, moveOn(slot) { return }
      do throws(HTTPFault) {
        let head = try connections.with(slot) { (connection) throws(HTTPFault) in
          try connection.reader.next()
        }
        guard let head else { return connections.watch(slot, writes: false) }
        begin(slot, head)
      } catch {
        mail.count { $0.refused += 1 }
        send(slot, .refusal(error.status, error.sentence), to: nil, isLast: true)
      }
    }
  }

  // MARK: Requests

  private func begin(_ slot: Int, _ given: HTTPHead) {
    mail.count { $0.requests += 1 }
    var head = given
    if handover.isRetiring, !handover.hasSuccessor { head.keepsAlive = false }
    parts.gate.access?.unwrap(&head)
    if let answer = parts.gate.answer(to: head) {
      return send(slot, answer, to: head, isLast: !head.keepsAlive)
    }
    parts.gate.access?.hide(in: &head)
    if let live = parts.live, live.takes(head) { return open(slot, head, live) }
    guard light.count + heavy.count < bounds.waiting else {
      mail.count { $0.refused += 1 }
      var refusal = WebResponse.refusal(503, "too many requests are waiting; try again later")
      refusal.headers["Retry-After"] = "1"
      return send(slot, refusal, to: head, isLast: !head.keepsAlive)
    }
    let patience = HTTPCancellation(limitS: bounds.answerS)
    let number = connections.with(slot) { connection in
      connection.stage = .answering
      connection.patience = patience
      connection.deadline = .max
      connection.isLast = !head.keepsAlive
      return connection.number
    }
    connections.rest(slot)
    let job = Job(slot: slot, number: number, head: head, patience: patience)
    if parts.isHeavy(head) { heavy.put(job) } else { light.put(job) }
    startWorkers()
  }

  private func startWorkers() {
    while running < bounds.workers {
      if let job = light.take() {
        start(job, isHeavy: false)
      } else if runningHeavy < bounds.heavyWorkers, let job = heavy.take() {
        start(job, isHeavy: true)
      } else {
        return
      }
    }
  }

  private func start(_ job: Job, isHeavy: Bool) {
    running += 1
    runningHeavy += isHeavy ? 1 : 0
    let parts = parts
    workers.async {
      var response =
        job.patience.hasEnded
        ? WebResponse.refusal(503, "the time for this request is over")
        : parts.handler(job.head, job.patience)
      // Encoded here, outside the loop, because answers may be large.
      response.body = parts.gate.bytes(response, to: job.head, isLast: !job.head.keepsAlive)
      parts.mail.put(
        HTTPMailbox.Answer(
          slot: job.slot, number: job.number, isHeavy: isHeavy, response: response))
    }
  }

  private func deliver(_ answer: HTTPMailbox.Answer) {
    running -= 1
    runningHeavy -= answer.isHeavy ? 1 : 0
    guard connections.isOpen(answer.slot, low: UInt32(truncatingIfNeeded: answer.number)) else {
      return
    }
    put(answer.slot, answer.response.body)
    goOn(answer.slot)
  }

  /// Handles the next request of a connection whose answer has been sent.
  private func goOn(_ slot: Int) {
    if connections.isTaken(slot), connections.with(slot, { $0.stage == .reading }) { advance(slot) }
  }

  private func send(_ slot: Int, _ response: WebResponse, to head: HTTPHead?, isLast: Bool) {
    connections.with(slot) { $0.isLast = isLast }
    put(slot, parts.gate.bytes(response, to: head, isLast: isLast))
  }

  private func put(_ slot: Int, _ bytes: [UInt8]) {
    let patienceS = bounds.writeS * Double(1 + bytes.count / 65_536)
    connections.with(slot) { connection in
      connection.stage = .writing
      connection.patience = nil
      connection.answer = bytes
      connection.deadline = after(patienceS)
    }
    write(slot)
  }

  private func write(_ slot: Int) {
    let isOut = connections.with(slot) { $0.write() }
    guard let isOut else { return connections.close(slot) }
    guard isOut else { return connections.watch(slot, writes: true) }
    let isLast = connections.with(slot) { connection in
      connection.stage = .reading
      connection.requests += 1
      connection.deadline = after(bounds.idleS)
      return connection.isLast
    }
    if isLast { connections.close(slot) }
  }

  // MARK: Live connections

  /// Turns a connection into a WebSocket.
  private func open(_ slot: Int, _ head: HTTPHead, _ live: LivePath) {
    guard
      let opening = WebSocketHandshake.answer(
        to: head, speaking: live.channel.subprotocols)
    else {
      let spoken = live.channel.subprotocols.joined(separator: " or ")
      let advice = spoken.isEmpty ? "" : " with the subprotocol \(spoken)"
      return send(
        slot, .refusal(400, "a WebSocket of version 13\(advice) is expected here"), to: head,
        isLast: true)
    }
    let number = connections.with(slot) { $0.number }
    guard
      let session = live.channel.join(
        WebRequest(head), { [mail] in mail.ring(slot, number) })
    else {
      mail.count { $0.refused += 1 }
      return send(slot, .refusal(503, "too many pages are open"), to: head, isLast: true)
    }
    connections.with(slot) { connection in
      var link = LiveLink(session)
      link.reader.feed(connection.reader.takeRest())
      link.heardAt = clinux_monotonic_ns()
      connection.live = link
      connection.stage = .live
      connection.answer = opening
      connection.deadline = after(bounds.writeS)
    }
    advanceLive(slot)
  }

  /// Processes the received commands of a live client, and sends its queued texts.
  private func advanceLive(_ slot: Int) {
    guard connections.isTaken(slot), connections.with(slot, { $0.live != nil }) else { return }
    let isOpen = connections.with(slot) { $0.advanceLive(bounds, now: clinux_monotonic_ns()) }
    guard let isOpen else { return connections.close(slot) }
    connections.watchLive(slot, isWritten: !isOpen)
  }

  /// Sends a ping to each live client that has been silent.
  private func pingLive() {
    let now = clinux_monotonic_ns()
    guard now >= nextPing else { return }
    nextPing = now + 5_000_000_000
    for slot in connections.live() {
      let isDue = connections.with(slot) { connection in
        guard var link = connection.live, now - link.heardAt > HTTPConnection.pingAfterNS,
          now - link.pingedAt > HTTPConnection.pingAfterNS
        else { return false }
        link.pingedAt = now
        link.control += WebSocketFrame.ping()
        connection.live = link
        return true
      }
      if isDue { advanceLive(slot) }
    }
  }

  private func after(_ seconds: Double) -> Int64 {
    clinux_monotonic_ns() &+ Int64(seconds * 1e9)
  }
}

/// A first-in-first-out queue.
struct HTTPQueue<Item> {
  private var items: [Item] = []
  private var head = 0

  var count: Int { items.count - head }

  mutating func put(_ item: Item) { items.append(item) }

  mutating func take() -> Item? {
    guard head < items.count else { return nil }
    defer {
      head += 1
      if head >= 64, head * 2 >= items.count {
        items.removeFirst(head)
        head = 0
      }
    }
    return items[head]
  }
}

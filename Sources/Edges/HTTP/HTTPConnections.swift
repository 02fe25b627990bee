import CLinux

/// The connections of a server by slot, with the events for which each is watched.
struct HTTPConnections: ~Copyable {
  private let epoll: Int32
  private let limit: Int
  // Each has its own box: connections cannot be copied, and a list moves its elements.
  private var slots: [HTTPSlot] = []
  private var free: [Int] = []
  private var next: UInt64 = 1
  private var open = 0

  init(epoll: Int32, limit: Int) {
    self.epoll = epoll
    self.limit = limit
  }

  var isFull: Bool { open >= limit }
  var isEmpty: Bool { open == 0 }

  /// The slots of all open connections.
  var taken: [Int] { slots.indices.filter { slots[$0].low != 0 } }

  /// Stops watching a connection that another process also has, and closes it here.
  mutating func giveAway(_ slot: Int) {
    clinux_epoll_forget(epoll, slots[slot].with { $0.descriptor })
    close(slot)
  }

  /// Whether the slot still contains the connection whose number ends with `low`.
  func isOpen(_ slot: Int, low: UInt32) -> Bool {
    slots.indices.contains(slot) && slots[slot].low == low
  }

  func isTaken(_ slot: Int) -> Bool { slots.indices.contains(slot) && slots[slot].low != 0 }

  /// Adds a connection and returns its slot; if there is no room, closes it and returns nil.
  mutating func add(_ descriptor: Int32, deadline: Int64) -> Int? {
    guard !isFull else {
      clinux_close(descriptor)
      return nil
    }
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(HTTPSlot()) }
    let token = UInt64(UInt32(truncatingIfNeeded: next)) << 32 | UInt64(slot)
    slots[slot].set(HTTPConnection(descriptor: descriptor, number: next, deadline: deadline))
    next = next == UInt64(UInt32.max) - 1 ? 1 : next + 1
    open += 1
    if clinux_epoll_watch(epoll, descriptor, token, Int32(CLINUX_READABLE), 1) != 0 {
      close(slot)
      return nil
    }
    return slot
  }

  /// Changes an open connection.
  func with<Result, Failure: Error>(
    _ slot: Int, _ body: (inout HTTPConnection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try slots[slot].with(body)
  }

  func watch(_ slot: Int, writes: Bool) {
    set(slot, writes ? Int32(CLINUX_WRITABLE) : Int32(CLINUX_READABLE))
  }

  /// Polls a live connection for commands and for room to write.
  ///
  /// Commands are not polled while one is being answered; room only if output waits (`isWritten`).
  func watchLive(_ slot: Int, isWritten: Bool) {
    let isBusy = slots[slot].with { $0.live?.session.isBusy == true }
    set(slot, (isBusy ? 0 : Int32(CLINUX_READABLE)) | (isWritten ? Int32(CLINUX_WRITABLE) : 0))
  }

  /// The slots of live connections.
  func live() -> [Int] {
    slots.indices.filter { slots[$0].low != 0 && slots[$0].with { $0.stage == .live } }
  }

  /// Reads nothing more until the answer is sent; further input of the client waits in the system's
  /// buffer.
  func rest(_ slot: Int) { set(slot, 0) }

  private func set(_ slot: Int, _ what: Int32) {
    let (descriptor, number) = slots[slot].with { ($0.descriptor, $0.number) }
    let token = UInt64(UInt32(truncatingIfNeeded: number)) << 32 | UInt64(slot)
    clinux_epoll_watch(epoll, descriptor, token, what, 0)
  }

  mutating func close(_ slot: Int) {
    guard slots[slot].low != 0 else { return }
    slots[slot].with {
      $0.patience?.end()
      $0.live?.session.leave()
    }
    slots[slot].clear()
    free.append(slot)
    open -= 1
  }

  mutating func closeAll() {
    for slot in slots.indices { close(slot) }
  }

  /// Closes the connection with the earliest deadline among those without a request in progress.
  mutating func closeIdlest() -> Bool {
    var best: (slot: Int, deadline: Int64)?
    for slot in slots.indices where slots[slot].low != 0 {
      let (stage, deadline) = slots[slot].with { ($0.stage, $0.deadline) }
      guard stage != .answering, stage != .live, deadline < best?.deadline ?? .max else { continue }
      best = (slot, deadline)
    }
    guard let best else { return false }
    close(best.slot)
    return true
  }

  /// Closes connections that are past their deadline; returns their number.
  mutating func closeLate(now: Int64) -> Int {
    var count = 0
    for slot in slots.indices where slots[slot].low != 0 && slots[slot].with({ $0.deadline }) <= now
    {
      close(slot)
      count += 1
    }
    return count
  }

  /// Milliseconds until a connection may be late; checked at most four times per second.
  func waitMS(now: Int64) -> Int32 {
    open == 0 ? -1 : 250
  }
}

/// A slot for a connection that cannot be copied.
final class HTTPSlot {
  private var connection: HTTPConnection?
  /// The low bits of the connection's number; 0 for an empty slot.
  private(set) var low: UInt32 = 0

  func set(_ new: consuming HTTPConnection) {
    low = UInt32(truncatingIfNeeded: new.number)
    connection = consume new
  }

  func clear() {
    low = 0
    connection = nil
  }

  /// May only be called for an occupied slot.
  func with<Result, Failure: Error>(
    _ body: (inout HTTPConnection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard var taken = connection.take() else {
      preconditionFailure("an empty slot was requested: slots must be checked before")
    }
    do throws(Failure) {
      let result = try body(&taken)
      connection = consume taken
      return result
    } catch {
      connection = consume taken
      throw error
    }
  }
}

public import HTTP
import Synchronization

/// Sends live messages to any number of WebSocket clients, and handles their commands.
///
/// `publish` never waits: each client has its own bounded mailbox, so a slow one falls back to the
/// newest values and delays no other. A client that joins first gets the newest value of every
/// topic.
public final class LiveHub: Sendable {
  /// The treatment of a message that a client has not taken yet when the next one arrives.
  public enum Delivery: Hashable, Sendable {
    /// The newest of each name is kept, also for clients that join later.
    case latest
    /// Every one is sent, up to the hub's limit; clients that join later get none.
    case event
  }

  /// Answers one command; nil for no answer.
  public typealias CommandHandler = @Sendable (String) async -> String?

  public let clientLimit: Int
  let eventLimit: Int
  let answer: CommandHandler
  private let state = Mutex(State())

  private struct State {
    var latest: [String: LiveFrame] = [:]
    /// Names of `latest` in order of first publication.
    var names: [String] = []
    var clients: [UInt64: LiveClient] = [:]
    var nextID: UInt64 = 0
  }

  public init(
    clientLimit: Int = 32, eventLimit: Int = 256,
    answer: @escaping CommandHandler = { _ in nil }
  ) {
    self.clientLimit = clientLimit
    self.eventLimit = eventLimit
    self.answer = answer
  }

  public var clientCount: Int { state.withLock { $0.clients.count } }

  /// Sends `text` to every client; `name` identifies the earlier text that it replaces.
  public func publish(_ text: String, name: String, delivery: Delivery) {
    publish(.text(text), name: name, delivery: delivery)
  }

  /// Sends a text or bytes to every client; `name` identifies the earlier message that it replaces.
  public func publish(_ message: LiveFrame, name: String, delivery: Delivery) {
    let clients = state.withLock { state in
      if delivery == .latest {
        if state.latest.updateValue(message, forKey: name) == nil { state.names.append(name) }
      }
      return Array(state.clients.values)
    }
    for client in clients {
      switch delivery {
      case .latest: client.putLatest(message, of: name)
      case .event: client.putInLine(message)
      }
    }
  }

  /// Forgets the newest text of `name`, and sends `text` to all present clients in its place.
  public func retract(name: String, saying text: String) {
    let clients = state.withLock { state in
      state.latest[name] = nil
      state.names.removeAll { $0 == name }
      return Array(state.clients.values)
    }
    for client in clients { client.putLatest(.text(text), of: name) }
  }

  /// Forgets the newest text of `name`; clients that join later do not get it.
  public func forget(name: String) {
    state.withLock { state in
      state.latest[name] = nil
      state.names.removeAll { $0 == name }
    }
  }

  /// Ends every client's stream.
  public func close() {
    let clients = state.withLock { state in
      defer { state.clients = [:] }
      return Array(state.clients.values)
    }
    for client in clients { client.close() }
  }

  /// Creates a client whose mailbox contains the newest values; nil if there are too many clients.
  ///
  /// `wake` is called when the client has something to send, and when it has ended.
  func client(_ wake: @escaping @Sendable () -> Void = {}) -> LiveClient? {
    state.withLock { state in
      guard state.clients.count < clientLimit else { return nil }
      let client = LiveClient(id: state.nextID, hub: self, wake: wake)
      state.nextID += 1
      for name in state.names {
        if let message = state.latest[name] { client.putLatest(message, of: name) }
      }
      state.clients[client.id] = client
      return client
    }
  }

  func leave(_ client: LiveClient) {
    let isHere = state.withLock { $0.clients.removeValue(forKey: client.id) != nil }
    if isHere { client.close() }
  }
}

extension LiveHub: LiveChannel {
  public func join(
    _ request: WebRequest, _ wake: @escaping @Sendable () -> Void
  ) -> (any LiveSession)? { client(wake) }
}

/// The mailbox of one client, which the server empties.
final class LiveClient: LiveSession {
  let id: UInt64
  private let hub: LiveHub
  private let wake: @Sendable () -> Void
  private let state: Mutex<State>

  private struct State {
    var mailbox: LiveMailbox
    var isClosed = false
    var isBusy = false
    /// Whether the server was woken and has not fetched all messages yet.
    var isAwake = false
  }

  init(id: UInt64, hub: LiveHub, wake: @escaping @Sendable () -> Void) {
    self.id = id
    self.hub = hub
    self.wake = wake
    self.state = Mutex(State(mailbox: LiveMailbox(lineLimit: hub.eventLimit)))
  }

  var droppedCount: Int { state.withLock { $0.mailbox.droppedCount } }
  var isBusy: Bool { state.withLock { $0.isBusy } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func putLatest(_ message: LiveFrame, of name: String) { put { $0.putLatest(message, of: name) } }
  func putInLine(_ message: LiveFrame) { put { $0.putInLine(message) } }

  func next() -> LiveFrame? {
    state.withLock { state in
      guard !state.isClosed, let message = state.mailbox.dequeue() else {
        state.isAwake = false
        return nil
      }
      return message
    }
  }

  /// Lets the hub answer a command; no other command is accepted meanwhile.
  func handle(_ command: String) {
    state.withLock { $0.isBusy = true }
    Task { [self] in
      let reply = await hub.answer(command)
      if let reply { putInLine(.text(reply)) }
      state.withLock { $0.isBusy = false }
      wake()
    }
  }

  func leave() { hub.leave(self) }

  func close() {
    state.withLock { $0.isClosed = true }
    wake()
  }

  private func put(_ change: (inout LiveMailbox) -> Void) {
    let isNews = state.withLock { state in
      guard !state.isClosed else { return false }
      change(&state.mailbox)
      defer { state.isAwake = true }
      return !state.isAwake
    }
    if isNews { wake() }
  }
}

import Synchronization

/// Sends live texts to any number of WebSocket clients, and takes their commands.
///
/// `publish` never waits: each client has a bounded mailbox of its own, so a slow one falls back to
/// the newest values and holds up nobody. A client that joins gets the newest value of every
/// topic first.
public final class LiveHub: Sendable {
  /// What becomes of a text that a client has not taken yet when the next one comes.
  public enum Delivery: Hashable, Sendable {
    /// The newest of each name is kept, also for those who join later.
    case latest
    /// Every one is sent, up to the hub's limit; those who join later get none.
    case event
  }

  /// Answers one command; nil says nothing.
  public typealias CommandHandler = @Sendable (String) async -> String?

  public let clientLimit: Int
  let eventLimit: Int
  let answer: CommandHandler
  private let state = Mutex(State())

  private struct State {
    var latest: [String: String] = [:]
    /// Names of `latest` in the order in which they first came.
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

  /// Gives `text` to every client; `name` tells which earlier text it replaces.
  public func publish(_ text: String, name: String, delivery: Delivery) {
    let clients = state.withLock { state in
      if delivery == .latest {
        if state.latest.updateValue(text, forKey: name) == nil { state.names.append(name) }
      }
      return Array(state.clients.values)
    }
    for client in clients {
      switch delivery {
      case .latest: client.putLatest(text, of: name)
      case .event: client.putInLine(text)
      }
    }
  }

  /// Forgets the newest text of `name`, and gives `text` to those who had it.
  public func retract(name: String, saying text: String) {
    let clients = state.withLock { state in
      state.latest[name] = nil
      state.names.removeAll { $0 == name }
      return Array(state.clients.values)
    }
    for client in clients { client.putLatest(text, of: name) }
  }

  /// Ends every client's stream.
  public func close() {
    let clients = state.withLock { state in
      defer { state.clients = [:] }
      return Array(state.clients.values)
    }
    for client in clients { client.close() }
  }

  /// A client that has the newest values waiting; nil when there are too many clients.
  func join() -> LiveClient? {
    state.withLock { state in
      guard state.clients.count < clientLimit else { return nil }
      let client = LiveClient(id: state.nextID, lineLimit: eventLimit)
      state.nextID += 1
      for name in state.names {
        if let text = state.latest[name] { client.putLatest(text, of: name) }
      }
      state.clients[client.id] = client
      return client
    }
  }

  func leave(_ client: LiveClient) {
    state.withLock { _ = $0.clients.removeValue(forKey: client.id) }
    client.close()
  }
}

/// One client's mailbox, and the reader that waits at it.
final class LiveClient: Sendable {
  let id: UInt64
  private let state: Mutex<State>

  private struct State {
    var mailbox: LiveMailbox
    var isClosed = false
    var waiter: CheckedContinuation<String?, Never>?
  }

  init(id: UInt64, lineLimit: Int) {
    self.id = id
    self.state = Mutex(State(mailbox: LiveMailbox(lineLimit: lineLimit)))
  }

  var droppedCount: Int { state.withLock { $0.mailbox.droppedCount } }

  func putLatest(_ text: String, of name: String) { put { $0.putLatest(text, of: name) } }
  func putInLine(_ text: String) { put { $0.putInLine(text) } }

  func close() {
    let waiter = state.withLock { state in
      state.isClosed = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// The next text; nil when the client has been closed.
  ///
  /// One reader at a time.
  func next() async -> String? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now: String?? = state.withLock { state in
          if state.isClosed { return .some(nil) }
          if let text = state.mailbox.take() { return .some(text) }
          state.waiter = continuation
          return .none
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      close()
    }
  }

  private func put(_ change: (inout LiveMailbox) -> Void) {
    let due: (CheckedContinuation<String?, Never>, String)? = state.withLock { state in
      guard !state.isClosed else { return nil }
      change(&state.mailbox)
      guard let waiter = state.waiter, let text = state.mailbox.take() else { return nil }
      state.waiter = nil
      return (waiter, text)
    }
    if let (waiter, text) = due { waiter.resume(returning: text) }
  }
}

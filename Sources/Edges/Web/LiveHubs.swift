public import HTTP
import Synchronization

/// Live hubs by name: each client joins the hub of its request, which exists while it has clients.
///
/// `began` and `ended` are called when a hub gets its first client and when its last one has left.
public final class LiveHubs: LiveChannel {
  /// Answers one command of a client of the named hub; nil for no answer.
  public typealias CommandHandler = @Sendable (_ hub: String, _ command: String) async -> String?

  /// Maximum number of clients of all hubs together.
  public let clientLimit: Int
  private let nameOfRequest: @Sendable (WebRequest) -> String
  private let answer: CommandHandler
  private let began: @Sendable (String) -> Void
  private let ended: @Sendable (String) -> Void
  private let state: Mutex<State>

  private struct State {
    var hubs: [String: LiveHub] = [:]
    /// Number of clients of each hub.
    var counts: [String: Int] = [:]
    /// Hubs that also exist without clients.
    var permanent: Set<String> = []
    var isClosed = false
  }

  public init(
    clientLimit: Int = 128, name: @escaping @Sendable (WebRequest) -> String,
    began: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (String) -> Void,
    answer: @escaping CommandHandler
  ) {
    self.clientLimit = clientLimit
    nameOfRequest = name
    self.began = began
    self.ended = ended
    self.answer = answer
    state = Mutex(State())
  }

  /// Keeps the hub of a name also while it has no clients.
  public func keep(_ name: String) {
    state.withLock { state in
      state.permanent.insert(name)
      _ = hub(name, &state)
    }
  }

  /// The hub of a name; nil if it does not exist.
  public func hub(named name: String) -> LiveHub? { state.withLock { $0.hubs[name] } }

  /// Sends `text` to the clients of all existing hubs.
  public func publishToAll(_ text: String, name: String, delivery: LiveHub.Delivery) {
    for hub in state.withLock({ Array($0.hubs.values) }) {
      hub.publish(text, name: name, delivery: delivery)
    }
  }

  /// Ends every client's stream.
  public func close() {
    let hubs = state.withLock { state in
      state.isClosed = true
      return Array(state.hubs.values)
    }
    for hub in hubs { hub.close() }
  }

  public func join(
    _ request: WebRequest, _ wake: @escaping @Sendable () -> Void
  ) -> (any LiveSession)? {
    let name = nameOfRequest(request)
    let (client, isFirst) = state.withLock { state -> (LiveClient?, Bool) in
      guard !state.isClosed, state.counts.values.reduce(0, +) < clientLimit,
        let client = hub(name, &state).client(wake)
      else { return (nil, false) }
      let count = state.counts[name, default: 0] + 1
      state.counts[name] = count
      return (client, count == 1)
    }
    guard let client else { return nil }
    if isFirst { began(name) }
    return LiveHubsSession(client) { [weak self] in self?.left(name) }
  }

  private func hub(_ name: String, _ state: inout State) -> LiveHub {
    if let hub = state.hubs[name] { return hub }
    let answer = answer
    let hub = LiveHub { command in await answer(name, command) }
    state.hubs[name] = hub
    return hub
  }

  private func left(_ name: String) {
    let isLast = state.withLock { state in
      let count = state.counts[name, default: 1] - 1
      state.counts[name] = count > 0 ? count : nil
      if count == 0, !state.permanent.contains(name) { state.hubs[name] = nil }
      return count == 0
    }
    if isLast { ended(name) }
  }
}

/// A client of one of the hubs, which is removed from the count when it leaves.
private final class LiveHubsSession: LiveSession {
  private let client: LiveClient
  private let whenLeft: @Sendable () -> Void
  private let hasLeft = Mutex(false)

  init(_ client: LiveClient, whenLeft: @escaping @Sendable () -> Void) {
    self.client = client
    self.whenLeft = whenLeft
  }

  var isBusy: Bool { client.isBusy }
  var isClosed: Bool { client.isClosed }
  func next() -> LiveFrame? { client.next() }
  func handle(_ command: String) { client.handle(command) }

  func leave() {
    client.leave()
    let isFirst = hasLeft.withLock { hasLeft in
      defer { hasLeft = true }
      return !hasLeft
    }
    if isFirst { whenLeft() }
  }
}

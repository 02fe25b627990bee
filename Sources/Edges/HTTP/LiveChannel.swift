/// What a server's WebSocket clients are connected to.
public protocol LiveChannel: Sendable {
  /// Takes a client in; nil where there are too many.
  ///
  /// The session calls `wake`, from any thread, when it has something to send, can take commands again, or has ended.
  func join(_ wake: @escaping @Sendable () -> Void) -> (any LiveSession)?
}

/// One WebSocket client of a channel; called by the server's loop, and never waits.
public protocol LiveSession: AnyObject, Sendable {
  /// The next text to send; nil where there is none now. It is kept here until the client takes it.
  func next() -> String?
  /// Whether no command can be taken now: the client's next ones wait in the system's buffers.
  var isBusy: Bool { get }
  var isClosed: Bool { get }
  /// Takes a command of the client.
  func take(_ command: String)
  /// The client has gone.
  func leave()
}

/// The part of a program that a server's WebSocket clients are connected to.
public protocol LiveChannel: Sendable {
  /// Creates the session of a new client; nil if there are too many clients.
  ///
  /// The session calls `wake`, from any thread, when it has something to send, can accept commands
  /// again, or has ended.
  func join(_ wake: @escaping @Sendable () -> Void) -> (any LiveSession)?
}

/// One WebSocket client of a channel.
///
/// The server's loop calls the methods, so they never wait.
public protocol LiveSession: AnyObject, Sendable {
  /// Returns the next text to send; nil if there is none now.
  ///
  /// A text is kept in the session until the client can receive it.
  func next() -> String?
  /// Whether no command can be accepted now.
  ///
  /// The client's next commands wait in the system's buffers.
  var isBusy: Bool { get }
  var isClosed: Bool { get }
  /// Executes a command of the client.
  func take(_ command: String)
  /// Ends the session after the client has disconnected.
  func leave()
}

/// The part of a program that a server's WebSocket clients are connected to.
public protocol LiveChannel: Sendable {
  /// The WebSocket subprotocols, one of which a client must offer; empty if none is used.
  var subprotocols: [String] { get }

  /// Creates the session of a client that made `request`; nil if there are too many clients.
  ///
  /// The session calls `wake`, from any thread, when it has something to send, can accept commands
  /// again, or has ended.
  func join(_ request: WebRequest, _ wake: @escaping @Sendable () -> Void) -> (any LiveSession)?
}

extension LiveChannel {
  public var subprotocols: [String] { [] }
}

/// The content of one message to a client.
public enum LiveFrame: Hashable, Sendable, ExpressibleByStringInterpolation {
  case text(String)
  case binary([UInt8])

  public init(stringLiteral value: String) { self = .text(value) }
}

/// One WebSocket client of a channel.
///
/// The server's loop calls the methods, so they never wait.
public protocol LiveSession: AnyObject, Sendable {
  /// Returns the next message to send; nil if there is none now.
  ///
  /// A message is kept in the session until the client can receive it.
  func next() -> LiveFrame?
  /// Whether no command can be accepted now.
  ///
  /// The client's next commands wait in the system's buffers.
  var isBusy: Bool { get }
  var isClosed: Bool { get }
  /// Executes a command of the client.
  func handle(_ command: String)
  /// Ends the session after the client has disconnected.
  func leave()
}

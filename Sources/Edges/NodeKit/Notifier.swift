import CLinux

/// Reports the state of the process to the supervisor, in systemd's notify protocol.
public struct Notifier: Sendable {
  private let path: String?

  /// Creates a notifier for the socket NOTIFY_SOCKET; without a path, nothing is sent.
  public init(path: String?) { self.path = path.flatMap { $0.isEmpty ? nil : $0 } }

  public func ready() { send("READY=1") }
  /// Reports that the work loop has completed a turn.
  public func watchdog() { send("WATCHDOG=1") }
  public func stopping() { send("STOPPING=1") }
  public func status(_ text: String) {
    send("STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
  }

  private func send(_ text: String) {
    guard let path else { return }
    _ = clinux_send_datagram(path, text, text.utf8.count)
  }
}

import CLinux

/// Tells the supervisor how the process is, by systemd's notify protocol.
public struct Notifier: Sendable {
  private let path: String?

  /// `path` is NOTIFY_SOCKET; nothing is told where there is none.
  public init(path: String?) { self.path = path.flatMap { $0.isEmpty ? nil : $0 } }

  public func ready() { send("READY=1") }
  /// The work loop has turned.
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

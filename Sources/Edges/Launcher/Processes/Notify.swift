/// A node's report to its supervisor in one datagram, in systemd's notify protocol.
public struct Notification: Hashable, Sendable {
  public var isReady = false
  public var isAlive = false
  public var isStopping = false
  public var status: String?

  /// Reads `KEY=VALUE` lines; other keys are ignored, as systemd does.
  public init(_ text: some StringProtocol) {
    for line in text.split(whereSeparator: \.isNewline) {
      switch line {
      case "READY=1": isReady = true
      case "WATCHDOG=1": isAlive = true
      case "STOPPING=1": isStopping = true
      default:
        guard line.hasPrefix("STATUS=") else { continue }
        status = String(line.dropFirst("STATUS=".count))
      }
    }
  }
}

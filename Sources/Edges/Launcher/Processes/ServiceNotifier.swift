import CLinux

/// The service manager that started the launcher, reached by systemd's notify protocol
/// (sd_notify(3)).
///
/// Without NOTIFY_SOCKET nothing is sent. A socket whose path starts with `@` is abstract.
public struct ServiceNotifier: Sendable {
  private let socket: String?
  /// Seconds between two keep-alive messages, half of WATCHDOG_USEC; nil if none are expected.
  let signEveryS: Double?
  private var nextSignS = -Double.infinity
  private var nextExtensionS = -Double.infinity
  private var status = ""
  private(set) var isReady = false
  private var isStopping = false

  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; `process` is the launcher's own number.
  public init(_ environment: [String: String], process: Int32) {
    socket = environment["NOTIFY_SOCKET"].flatMap {
      ($0.hasPrefix("/") || $0.hasPrefix("@")) && $0.utf8.count > 1 ? $0 : nil
    }
    let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let allowedUS = environment["WATCHDOG_USEC"].flatMap { Double($0) } ?? 0
    signEveryS = socket != nil && isMeant && allowedUS > 0 ? allowedUS / 2e6 : nil
  }

  /// Whether there is a service manager.
  public var isThere: Bool { socket != nil }

  /// Time of the next keep-alive message; nil for never.
  var deadlineS: Double? { signEveryS == nil ? nil : nextSignS }

  /// Reports one sentence about the stack, if it is not the last one.
  public mutating func report(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard line != status else { return }
    status = line
    send("STATUS=\(line)")
  }

  mutating func becameReady() {
    isReady = true
    send("READY=1")
  }

  /// Reports that the stack starts to stop; sent once.
  mutating func beginStop() {
    guard !isStopping else { return }
    isStopping = true
    send("STOPPING=1")
  }

  /// Reports the start of a reload, which `becameReady` ends.
  func beginReload() {
    send("RELOADING=1\nMONOTONIC_USEC=\(clinux_monotonic_ns() / 1_000)")
  }

  /// Sends a keep-alive message if one is due.
  ///
  /// While the stack starts or stops, this requests more time: the launcher's own limits end both.
  public mutating func tick(atS now: Double) {
    if let signEveryS, nextSignS <= now {
      nextSignS = now + signEveryS
      send("WATCHDOG=1")
    }
    guard !isReady || isStopping, nextExtensionS <= now else { return }
    nextExtensionS = now + Self.extensionEveryS
    send("EXTEND_TIMEOUT_USEC=\(Int(Self.extensionS * 1e6))")
  }

  /// Seconds for which more time is requested, and after which it is requested again.
  private static let extensionS = 60.0
  private static let extensionEveryS = 10.0

  private func send(_ text: String) {
    guard let socket else { return }
    _ = clinux_send_datagram(socket, text, text.utf8.count)
  }
}

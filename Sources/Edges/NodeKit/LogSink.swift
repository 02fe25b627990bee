public import BusClient
public import BusProtocol
import Foundation
import Messages
public import Stage
import Synchronization

/// The destinations of a node's log lines: its output and `_log/<node>`.
///
/// Information goes to the standard output, problems to the standard error. A line that repeats is
/// written once and then counted, so that a fault at 10 Hz stays readable.
public final class LogSink: Sendable {
  private struct Repeats {
    var writtenAt: MonotonicTime
    var suppressed = 0
  }

  /// Minimum time before a line of the same kind is written again.
  static let intervalMS: Int64 = 10_000
  static let maximumKinds = 1_000

  private let node: String
  private let prefix: String
  private let showsDebug: Bool
  private let bus: Mutex<BusClient?> = Mutex(nil)
  private let repeats: Mutex<[String: Repeats]> = Mutex([:])

  /// With `isSupervised`, navlaunch adds time and name to each line; otherwise this adds the name.
  public init(node: String, isSupervised: Bool) {
    self.node = node
    prefix = isSupervised ? "" : "\(node): "
    showsDebug = ProcessInfo.processInfo.environment["NAV_LOG"] == "debug"
  }

  /// Also publishes lines from now on.
  public func attach(_ client: BusClient) { bus.withLock { $0 = client } }

  /// Stops publishing lines; they are only written.
  public func detach() { bus.withLock { $0 = nil } }

  /// Writes a line; `stampNS` is stack time, `vehicle` the vehicle that it concerns.
  public func write(
    _ level: LogLevel, _ text: String, stampNS: Int64 = 0, vehicle: String? = nil
  ) {
    guard level != .debug || showsDebug else { return }
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " | ")
    let word = level == .info ? "" : "\(level.rawValue): "
    let file = level == .info ? FileHandle.standardOutput : FileHandle.standardError
    file.write(Data("\(prefix)\(word)\(line)\n".utf8))
    guard level != .debug, let client = bus.withLock({ $0 }) else { return }
    _ = client.publish(
      Publication(
        topic: "_log/\(node)", stampNS: stampNS, schema: NodeLog.schema,
        payload: NodeLog(
          level: NodeLog.Level(rawValue: level.rawValue) ?? .info, text: line, node: node,
          vehicle: vehicle
        ).encoded()))
  }

  /// Writes a line of a kind that may be frequent: the first immediately, then one in ten seconds.
  public func write(
    _ level: LogLevel, kind: String, _ text: String, stampNS: Int64 = 0, now: MonotonicTime = .now
  ) {
    let suppressed: Int? = repeats.withLock { repeats in
      if let known = repeats[kind], now.milliseconds(since: known.writtenAt) < Self.intervalMS {
        repeats[kind]?.suppressed += 1
        return nil
      }
      if repeats.count >= Self.maximumKinds { repeats = [:] }
      let before = repeats[kind]?.suppressed ?? 0
      repeats[kind] = Repeats(writtenAt: now)
      return before
    }
    guard let suppressed else { return }
    write(
      level, suppressed > 0 ? "\(text) (and \(suppressed) more like it)" : text, stampNS: stampNS)
  }
}

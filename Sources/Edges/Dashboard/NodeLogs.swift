import BusClient
import BusProtocol
import MessagePack
import Messages

/// The last log lines of each node.
struct NodeLogs {
  /// A line of a log.
  struct Line: Hashable, Sendable {
    var wallNS: Int64
    var level: String
    var text: String

    var value: MessagePackValue {
      .fields(["wall_ns": .int(wallNS), "level": .string(level), "text": .string(text)])
    }
  }

  static let keptPerNode = 100
  /// Maximum number of nodes; a stack has fewer.
  static let mostNodes = 1_000

  private var lines: [String: [Line]] = [:]

  func lines(of node: String) -> [Line] { lines[node] ?? [] }

  /// Records a line; returns it as a decision if it is a warning or an error.
  mutating func ingest(_ delivery: Delivery, receivedNS: Int64) -> Decision? {
    guard let log = try? NodeLog(decoding: delivery.payload),
      lines[log.node] != nil || lines.count < Self.mostNodes
    else { return nil }
    let at = delivery.header.wallNS ?? receivedNS
    var own = lines[log.node] ?? []
    own.append(Line(wallNS: at, level: log.level.rawValue, text: log.text))
    if own.count > Self.keptPerNode { own.removeFirst(own.count - Self.keptPerNode) }
    lines[log.node] = own
    guard log.level == .warning || log.level == .error else { return nil }
    return Decision(
      wallNS: at, stampNS: delivery.header.stampNS, kind: "log",
      level: log.level == .error ? .error : .warning, vehicle: log.vehicle, node: log.node,
      text: log.text)
  }
}

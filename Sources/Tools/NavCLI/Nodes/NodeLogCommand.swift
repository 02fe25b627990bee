import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import Messages
import NodeKit
import Watch

/// `nav node log NAME`: prints the log of a node.
struct NodeLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Print a node's log lines of the last 30 s; -f continues with new ones.")

  @Argument(help: "Name of a node, with or without replicas.")
  var node: String

  @Flag(name: .shortAndLong, help: "Continue with new lines as they arrive.")
  var follow = false

  @Option(help: "Lowest level: debug, info, warning or error.")
  var level = "info"

  @Option(help: "Seconds to look back; the broker keeps about 30 s.")
  var since = 30.0

  @OptionGroup var stack: StackOptions

  func run() throws {
    let levels = NodeLog.Level.allCases
    guard let least = levels.firstIndex(where: { $0.rawValue == level }) else {
      throw Problem("--level: one of \(levels.map(\.rawValue).joined(separator: ", "))")
    }
    let client = try stack.connect()
    defer { client.close() }
    let nodes = client.nodeReports() ?? []
    var names = nodes.map(\.name).filter { $0 == node }
    if names.isEmpty {
      names = nodes.map(\.name).filter { StackSnapshot.isReplica($0, of: node) }
    }
    guard !names.isEmpty else { throw NodeNames.problem(node, nodes) }
    guard
      client.subscribe(
        names.map { "_log/\($0)" }, sinceMS: UInt64(TimeoutArgument.ms(since)), waitingMS: 2_000)
    else { throw Problem("the broker did not confirm the subscription") }
    while true {
      guard let event = client.next(waitingMS: follow ? 1_000 : 0) else {
        guard follow else { return }
        continue
      }
      guard case .message(let delivery) = event,
        let line = try? NodeLog(decoding: delivery.payload),
        levels.firstIndex(of: line.level).map({ $0 >= least }) == true
      else { continue }
      try show(line, delivery, of: names.count > 1 ? line.node : nil)
    }
  }

  private struct Row: Encodable {
    var stamp: Int64
    var sent: Int64?
    var level: String
    var text: String
    var node: String
    var vehicle: String?
  }

  private func show(_ line: NodeLog, _ delivery: Delivery, of member: String?) throws {
    let header = delivery.header
    if stack.json {
      print(
        try Lines.json(
          Row(
            stamp: header.stampNS, sent: header.wallNS, level: line.level.rawValue, text: line.text,
            node: line.node,
            vehicle: line.vehicle)))
    } else {
      let time = header.wallNS.map {
        Date(timeIntervalSince1970: Double($0) / 1e9).formatted(
          .iso8601.time(includingFractionalSeconds: true))
      }
      let name = member.map { "\($0)  " } ?? ""
      print("\(time ?? "-")  \(name)\(line.level.rawValue)  \(line.text)")
    }
    fflush(nil)
  }
}

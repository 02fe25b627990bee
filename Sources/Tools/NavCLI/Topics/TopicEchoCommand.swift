import ArgumentParser
import BusClient
import BusProtocol
import Documents
import Foundation
import MessagePack
import NodeKit

/// `nav topic echo`: prints messages as they arrive, decoded.
struct TopicEchoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "echo",
    abstract: "Print messages as they arrive, starting with the last values of states.")

  @Argument(help: "Topics or subtrees ending in /; default: all.")
  var topics: [String] = []

  @Option(help: "Stop after this many messages.")
  var count: Int?

  @Flag(help: "Stop after one message.")
  var once = false

  @Option(help: "Stop after this many seconds.")
  var timeout: Double?

  @Option(help: "Print only this field; dots select fields of structures.")
  var field: String?

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    let patterns = try stack.patterns(topics, client)
    guard client.subscribe(patterns, waitingMS: 2000) else {
      throw Problem("the broker did not confirm the subscription")
    }
    let limit = once ? 1 : count ?? .max
    let end = timeout.map { MonotonicTime.now.advanced(byMS: TimeoutArgument.ms($0)) }
    var printed = 0
    while printed < limit, end.map({ $0 > .now }) ?? true {
      guard case .message(let delivery)? = client.next(waitingMS: 100) else { continue }
      try show(delivery)
      printed += 1
    }
    let lost = client.receptions.values.reduce(0) { $0 + $1.lost + $1.queueDrops }
    let summary = lost == 0 ? "-- no message lost\n" : "-- \(lost) messages lost\n"
    // Separate from the objects, which are for programs.
    (stack.json ? FileHandle.standardError : .standardOutput).write(Data(summary.utf8))
    if printed == 0 { throw ExitCode.failure }
  }

  private func show(_ delivery: Delivery) throws {
    let header = delivery.header
    var payload: MessagePackValue
    do {
      payload = try MessagePackValue(decoding: delivery.payload)
    } catch {
      print(
        "\(delivery.topic)  \(delivery.payload.count) bytes that are not MessagePack: \(error)")
      return
    }
    for key in (field ?? "").split(separator: ".") {
      guard case .map(let entries) = payload, let entry = entries.first(where: { $0.key == key })
      else { return }
      payload = entry.value
    }
    if stack.json {
      let key = header.key.map { "\"key\":\(JSONString.quoted($0))," } ?? ""
      print(
        "{\"topic\":\(JSONString.quoted(delivery.topic)),\"seq\":\(header.sequence),\"stamp\":\(header.stampNS),"
          + "\"src\":\(JSONString.quoted(header.source)),\"run\":\(header.run),\"latched\":\(header.isLatched),"
          + "\(key)\"payload\":\(payload.json())}")
    } else {
      let key = header.key.map { " [\($0)]" } ?? ""
      print(
        "\(delivery.topic)\(key)  seq \(header.sequence)  \(Self.time(header.stampNS))  "
          + "\(header.source)\(header.isLatched ? "  (last value)" : "")")
      print("  \(payload.json())")
    }
    fflush(nil)
  }

  private static func time(_ stampNS: Int64) -> String {
    Date(timeIntervalSince1970: Double(stampNS) / 1e9).formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true))
  }
}

import ArgumentParser
import BusClient
import Foundation
import Foundations
import MessagePack
import Messages
import NodeKit

/// `nav topic pub`: injects a message.
struct TopicPublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pub", abstract: "Publish a message given as JSON.")

  @Argument(help: "Topic, with or without the vehicle.")
  var topic: String

  @Argument(help: "Payload as JSON, with the keys of Protocols/.")
  var payload: String

  @Option(help: "Number of times to publish.")
  var times = 1

  @Option(help: "Messages per second.")
  var rate = 1.0

  @Option(help: "Event time as nanoseconds since 1970; default: the machine's time.")
  var stamp: Int64?

  @Option(help: "Key of a keyed state.")
  var key: String?

  @Option(help: "Source name to publish under.")
  var `as`: String?

  @Flag(help: "Publish even if the contract refuses it.")
  var unchecked = false

  @OptionGroup var stack: StackOptions

  func run() throws {
    let name = stack.fullName(topic)
    let bytes = try MessagePackValue(json: payload).encoded()
    let leaf = StackOptions.leaf(name)
    if !unchecked { try check(bytes, leaf) }
    let client = try stack.connect(as: self.as ?? "nav-pub", publishes: [leaf])
    defer { client.close() }
    for index in 0..<max(1, times) {
      // The requested rate.
      if index > 0 { Thread.sleep(forTimeInterval: 1 / max(0.01, rate)) }
      let result = client.publish(
        Publication(
          topic: name, stampNS: stamp ?? Int64(Date().timeIntervalSince1970 * 1e9),
          schema: Contract.schema(ofTopic: leaf), payload: bytes, key: key),
        waitingUpToMS: 2000)
      guard result == .sent else { throw Problem("not sent: \(result)") }
    }
  }

  private func check(_ bytes: [UInt8], _ leaf: String) throws {
    guard let known = Topics.declaration(of: leaf) else {
      throw Problem("no topic \"\(leaf)\" in the contract; --unchecked publishes it nevertheless")
    }
    do {
      _ = try known.message.init(decoding: bytes)
    } catch {
      throw Problem("\(leaf): \(error)")
    }
  }
}

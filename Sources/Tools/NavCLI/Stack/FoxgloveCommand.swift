import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import Foxglove
import HTTP
import Messages
import NodeKit

/// `nav foxglove`: shows a running stack live in Foxglove.
struct FoxgloveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "foxglove",
    abstract: "Serve the topics of a running stack to Foxglove through its WebSocket protocol.",
    discussion: """
      Open the printed address in Foxglove (Open connection, Foxglove WebSocket), or in any tool that speaks \
      foxglove.websocket.v1. Topics are read from the bus while a client subscribes to them.
      """)

  @OptionGroup var stack: StackOptions

  @Option(help: "Address to listen on; 0.0.0.0 admits other machines.")
  var host = "127.0.0.1"

  @Option(help: "Port to listen on; 0 selects any free port.")
  var port: UInt16 = 8765

  @Option(
    name: .customLong("origin"),
    help:
      "A site whose pages may connect, such as https://app.foxglove.dev; pages of this machine always may."
  )
  var origins: [String] = []

  func run() throws {
    let client = try stack.connect(as: "foxglove")
    defer { client.close() }
    let vehicles = stack.vehicle.split(separator: ",").map(String.init)
    if let wrong = vehicles.first(where: { !TopicName.isValidVehicle($0) }) {
      throw ValidationError("--vehicle: \"\(wrong)\" is not a vehicle name.")
    }
    let bridge = FoxgloveBridge(
      name: "navstack", session: "\(wallClockNS())", offers: offers(vehicles, client),
      began: { client.subscribe([$0]) }, ended: { client.unsubscribe([$0], forgets: true) })
    let server: HTTPService
    do {
      server = try HTTPService(
        host: host, port: port, origins: CrossOrigin(origins), live: LivePath("/", bridge)
      ) { _, _ in
        .refusal(400, "this is a Foxglove WebSocket: open ws:// with this address in Foxglove")
      }
    } catch {
      throw Problem(error.description)
    }
    server.start()
    defer { server.stop() }
    print("foxglove: ws://\(host == "0.0.0.0" ? "127.0.0.1" : host):\(server.port)")
    fflush(nil)
    while true {
      guard case .message(let delivery)? = client.next(waitingMS: 1_000) else { continue }
      bridge.publish(
        Frame(topic: delivery.topic, header: delivery.header, payload: delivery.payload),
        receivedNS: wallClockNS())
    }
  }

  /// The contract's topics of the vehicles, and the logs of the present nodes.
  private func offers(_ vehicles: [String], _ client: BusClient) -> [FoxgloveBridge.Offer] {
    let own = Topics.all.filter { !$0.name.hasPrefix("_") }
    var offers = vehicles.flatMap { vehicle in
      own.map { topic in
        FoxgloveBridge.Offer(
          topic: "\(vehicle)/\(topic.name)", schema: topic.schema,
          isState: topic.deliveryClass == .state)
      }
    }
    for node in client.nodeReports() ?? [] where node.isAlive && node.kind == "node" {
      offers.append(
        FoxgloveBridge.Offer(
          topic: "_log/\(node.name)", schema: NodeLog.schema, isState: false))
    }
    return offers
  }
}

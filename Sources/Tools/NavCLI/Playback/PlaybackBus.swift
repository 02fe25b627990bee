import Broker
import BusClient
import BusProtocol
import Foundation
import Launcher
import NodeKit
import ZMQ

/// The bus that is played onto: that of a running stack, or one that exists only for the player.
final class PlaybackBus {
  let address: BusAddress
  let client: BusClient
  private let broker: EmbeddedBroker?

  init(_ options: StackOptions) throws {
    let running = RunDirectory.running()
    let isOwn =
      options.bus == nil && ProcessInfo.processInfo.environment["NAV_BUS"] == nil
      && options.stack.map { name in !running.contains { $0.stack == name } } ?? running.isEmpty
    broker = isOwn ? try EmbeddedBroker(stack: options.stack ?? "replay") : nil
    if let broker {
      address = broker.address
      client = try Self.client(address)
    } else {
      client = try options.connect(as: "nav-play")
      address = client.configuration.address
    }
  }

  /// Creates a separate bus, independent of running stacks.
  init(ownStack: String) throws {
    let own = try EmbeddedBroker(stack: ownStack)
    broker = own
    address = own.address
    client = try Self.client(own.address)
  }

  private static func client(_ address: BusAddress) throws -> BusClient {
    let client = try BusClient(
      BusClient.Configuration(
        address: address, name: "nav-play-\(ProcessInfo.processInfo.processIdentifier)",
        kind: "tool", version: NodeVersion.text, table: Contract.table))
    guard client.waitForBroker(timeoutMS: 5_000) else {
      throw Problem("the broker of \(address.base) does not answer")
    }
    return client
  }

  func close() {
    client.close()
    broker?.end()
  }
}

/// A broker in this process, which tools find by the stack's name.
private final class EmbeddedBroker {
  let address: BusAddress
  private let directory: RunDirectory
  private let stop: ThreadWaker
  private let thread: OSThread

  init(stack: String) throws {
    directory = try RunDirectory(stack: stack, environment: ProcessInfo.processInfo.environment)
    address = try BusAddress("ipc://\(directory.path)")
    let stop = try ThreadWaker()
    let bound = try ThreadWaker()
    let broker = Broker(Broker.Configuration(address: address, table: Contract.table))
    thread = OSThread("broker") { try? broker.run(until: stop, whenBound: { bound.signal() }) }
    self.stop = stop
    var items = [bound.pollItem]
    guard try poll(&items, timeoutMS: 5_000) else {
      throw Problem("cannot start a bus at \(address.base)")
    }
    try directory.write(address.base + "\n", to: "address")
  }

  func end() {
    stop.signal()
    thread.join()
    directory.remove()
  }
}

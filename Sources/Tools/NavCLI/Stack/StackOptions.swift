import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import Launcher
import Messages
import NodeKit

/// The running stack that a command uses.
struct StackOptions: ParsableArguments {
  @Option(help: "Name of the stack; needed only if several are running.")
  var stack: String?

  @Option(help: "Base address of the bus, as navlaunch prints it; default: NAV_BUS.")
  var bus: String?

  @Option(
    name: .customLong("vehicle"),
    help: ArgumentHelp(
      "Vehicle for names without one; default: ego. Lists show only its topics.",
      valueName: "name"))
  var givenVehicle: String?

  /// The vehicle for names without one.
  var vehicle: String { givenVehicle ?? "ego" }

  @Flag(help: "Print one JSON object per line.")
  var json = false

  /// A client that is registered at the broker of the stack's bus.
  ///
  /// - Throws: a sentence if no stack runs, several do, or the broker does not answer.
  func connect(as name: String = "nav", publishes: [String] = []) throws -> BusClient {
    let address = try BusAddress(try base(), isInsecureAllowed: true)
    let client = try BusClient(
      BusClient.Configuration(
        address: address, name: "\(name)-\(ProcessInfo.processInfo.processIdentifier)",
        kind: "tool", version: NodeVersion.text, table: Contract.table, publishes: publishes,
        streamDepth: 1000))
    guard client.waitForBroker(timeoutMS: 2000) else {
      throw Problem("no broker answers at \(address.base); is the stack running?")
    }
    return client
  }

  private func base() throws -> String {
    if let bus { return bus }
    if let bus = ProcessInfo.processInfo.environment["NAV_BUS"], !bus.isEmpty { return bus }
    let running = RunDirectory.running()
    if let stack {
      guard let found = running.first(where: { $0.stack == stack }) else {
        throw Problem("no stack \"\(stack)\" is running; running: \(Self.names(running))")
      }
      return found.address
    }
    guard let only = running.first else {
      throw Problem(
        "no stack is running (none in \(RunDirectory.root(ProcessInfo.processInfo.environment))); start one with navlaunch, or give --bus ADDRESS"
      )
    }
    guard running.count == 1 else {
      throw Problem(
        "several stacks are running; choose one with --stack NAME: \(Self.names(running))")
    }
    return only.address
  }

  private static func names(_ stacks: [(stack: String, address: String)]) -> String {
    stacks.isEmpty ? "none" : stacks.map(\.stack).joined(separator: ", ")
  }

  /// A topic's full name: `location/raw` becomes `ego/location/raw`; system topics stay unchanged.
  func fullName(_ topic: String) -> String {
    guard !topic.hasPrefix("_"), !topic.isEmpty else { return topic }
    let isLeaf = Topics.all.contains {
      $0.matches(topic) || (topic.hasSuffix("/") && $0.name.hasPrefix(topic))
    }
    return isLeaf ? "\(vehicle)/\(topic)" : topic
  }

  /// A topic's name without the vehicle.
  static func leaf(_ name: String) -> String {
    guard !name.hasPrefix("_"), let slash = name.firstIndex(of: "/") else { return name }
    return String(name[name.index(after: slash)...])
  }
}

/// A sentence that ends a command with exit code 1.
struct Problem: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

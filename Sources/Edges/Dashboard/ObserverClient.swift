import BusClient
public import BusProtocol
import Glibc
import NodeKit

/// The bus of a stack, and the name under which a program observes it.
public struct ObservedBus: Sendable {
  public var address: BusAddress
  /// Name of the program's node; its observers are registered as tools with longer names.
  public var node: String

  public init(address: BusAddress, node: String) {
    self.address = address
    self.node = node
  }

  /// Connects as a tool; nil if it is not wanted any more before the broker answers.
  func connect(
    _ purpose: String, streamDepth: Int, isWanted: () -> Bool
  ) -> BusClient? {
    let configuration = BusClient.Configuration(
      address: address, name: "\(node.prefix(40))-\(purpose)-\(getpid())", kind: "tool",
      version: NodeVersion.text, table: Contract.table, streamDepth: streamDepth)
    guard let client = try? BusClient(configuration) else { return nil }
    while isWanted() {
      if client.waitForBroker(timeoutMS: 250) { return client }
    }
    client.close()
    return nil
  }
}

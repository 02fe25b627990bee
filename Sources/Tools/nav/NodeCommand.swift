import ArgumentParser
import Bus
import MessagePack
import Messages
import Watch

/// `nav node`: the processes on the bus.
struct NodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node", abstract: "List nodes, look at one, stop, start and restart it.",
    subcommands: [
      NodeListCommand.self, NodeInfoCommand.self, NodeLogCommand.self, NodeOutputCommand.self,
      NodeRestartCommand.self, NodeStopCommand.self, NodeStartCommand.self,
    ])
}

struct NodeListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Every node that the broker has heard of.")

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard let nodes = client.nodeReports() else { throw Problem("the broker does not answer") }
    if stack.json {
      for node in nodes { print(try Lines.json(node)) }
      return
    }
    let showsHosts = Self.spansHosts(nodes)
    let host = { (text: String) in showsHosts ? [text] : [] }
    print(
      Lines.columns(["node", "state"] + host("host") + ["pid", "kind", "publishes", "serves"]))
    for node in nodes.sorted(by: { $0.name < $1.name }) {
      print(
        Lines.columns(
          [node.name, node.isAlive ? "alive" : "gone"] + host(node.host.isEmpty ? "-" : node.host)
            + ["\(node.pid)", node.kind, "\(node.publishes.count)", "\(node.serves.count)"]))
    }
  }

  /// Whether the nodes run on several machines, or all on another one than this program.
  private static func spansHosts(_ nodes: [NodeReport]) -> Bool {
    let hosts = Set(nodes.filter { $0.kind == "node" }.map(\.host)).subtracting([""])
    return hosts.count > 1 || hosts.contains { $0 != HostName.own }
  }
}

struct NodeInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "What a node reads, writes and serves, and its last status.")

  @Argument(help: "Name of the node.")
  var node: String

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard let nodes = client.nodeReports() else { throw Problem("the broker does not answer") }
    guard let report = nodes.first(where: { $0.name == node }) else {
      let names = nodes.map(\.name).sorted().joined(separator: ", ")
      throw Problem("no node \"\(node)\"; there are \(names)")
    }
    guard var watcher = StackWatcher(client), let picture = watcher.picture() else {
      throw Problem("the broker does not answer")
    }
    let seen = picture.nodes[node]
    let calls = picture.services.filter {
      $0.server == node || report.serves.contains($0.name) || $0.callers.contains(node)
    }
    if stack.json {
      let status = try seen?.status.map { try MessagePackValue(decoding: $0.encoded()).json() }
      let services = try calls.map { try Lines.json($0) }.joined(separator: ",")
      print(
        "{\"node\":\(try Lines.json(report)),\"status\":\(status ?? "null"),"
          + "\"services\":[\(services)]}")
      return
    }
    NodePage(report, seen, calls).print()
  }
}

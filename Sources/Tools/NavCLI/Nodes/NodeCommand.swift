import ArgumentParser
import BusClient
import BusProtocol
import MessagePack
import Messages
import Stage
import Watch

/// `nav node`: lists the processes on the bus.
struct NodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node", abstract: "List, inspect, stop, start and restart nodes.",
    subcommands: [
      NodeListCommand.self, NodeInfoCommand.self, NodeLogCommand.self, NodeOutputCommand.self,
      NodeRestartCommand.self, NodeStopCommand.self, NodeStartCommand.self,
    ])
}

struct NodeListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List all nodes that have registered with the broker.")

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

  /// Whether the nodes run on several machines, or all on a different one than this program.
  private static func spansHosts(_ nodes: [NodeReport]) -> Bool {
    let hosts = Set(nodes.filter { $0.kind == "node" }.map(\.host)).subtracting([""])
    return hosts.count > 1 || hosts.contains { $0 != HostName.own }
  }
}

struct NodeInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a node reads, publishes and serves, and its last status.")

  @Argument(
    help: "Name of the node; for a node with replicas, a table of its processes is printed.")
  var node: String

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard let nodes = client.nodeReports() else { throw Problem("the broker does not answer") }
    guard var watcher = StackWatcher(client), let picture = watcher.picture() else {
      throw Problem("the broker does not answer")
    }
    guard let report = nodes.first(where: { $0.name == node }) else {
      let members = picture.members(of: node)
      if !members.isEmpty { return try show(members, picture) }
      throw NodeNames.problem(node, nodes)
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

  /// Prints a table of the processes of a node with replicas.
  private func show(_ members: [String], _ picture: StackSnapshot) throws {
    var table = TopTable(picture)
    table.nodes.removeAll { !members.contains($0.name) }
    table.nodes.sort { StackSnapshot.isBefore($0.name, $1.name) }
    if stack.json {
      for row in table.nodes { print(try Lines.json(row)) }
      return
    }
    let count = members.reduce(0) { $0 + (picture.nodes[$1]?.status?.vehicles ?? 0) }
    print(
      "\(node): \(members.count) processes, \(count) vehicles; `nav node info \(members[0])` shows one"
    )
    for line in table.lines(.nodes) { print(line.text) }
    var refused: [String: UInt64] = [:]
    for name in members {
      for one in picture.nodes[name]?.status?.refused ?? [] {
        refused["\(one.topic) \(one.reason)", default: 0] += one.count
      }
    }
    for (reason, count) in refused.sorted(by: { $0.key < $1.key }) {
      print("  refused or not used  \(reason)  \(count)")
    }
  }
}

/// Errors about names of nodes.
enum NodeNames {
  /// A sentence that names the nearest node or node group.
  static func problem(_ name: String, _ nodes: [NodeReport]) -> Problem {
    let nodes = nodes.filter { $0.kind == "node" }.map(\.name).sorted(by: StackSnapshot.isBefore)
    let near = Suggestion.nearest(to: name, among: nodes).map { " (did you mean \($0)?)" } ?? ""
    return Problem("no node \"\(name)\"\(near); there are \(nodes.joined(separator: ", "))")
  }
}

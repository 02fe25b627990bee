import ArgumentParser
import BusClient
import BusProtocol
import Messages
import Watch

/// Common options of `nav node restart|stop|start`.
struct NodeControl: ParsableArguments {
  @Argument(help: "Node of the stack, or one replica of it.")
  var node: String

  @OptionGroup var stack: StackOptions

  /// Waits up to 20 s for the processes to be in `state`, and prints the state of each.
  func wait(
    for processes: [String], _ client: BusClient, _ isThere: (WireStackProcess) -> Bool
  ) throws {
    let deadline = MonotonicTime.now.advanced(byMS: 20_000)
    while true {
      let all = try StackCall.make(StackNodesRequest(), client, as: StackNodesReply.self).processes
      let mine = all.filter { processes.contains($0.name) }
      let isDone = mine.count == processes.count && mine.allSatisfy(isThere)
      guard isDone || deadline <= .now else {
        _ = client.next(waitingMS: 50)
        continue
      }
      for process in mine {
        print(
          stack.json
            ? try Lines.json(NodeLine(process))
            : "\(process.name)  \(process.state.rawValue)\(process.pid.map { "  pid \($0)" } ?? "")"
        )
      }
      if !isDone { throw StackCall.refused }
      return
    }
  }
}

/// A process in the output of `--json`.
struct NodeLine: Encodable {
  var name: String
  var state: String
  var pid: Int64?
  var restarts: UInt64
  var memoryBytes: UInt64
  var cpuS: Double

  init(_ process: WireStackProcess) {
    name = process.name
    state = process.state.rawValue
    pid = process.pid
    restarts = process.restarts
    memoryBytes = process.memoryBytes
    cpuS = process.cpuS
  }
}

struct NodeRestartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart", abstract: "Stop a node in an orderly way and start it again.")

  @OptionGroup var control: NodeControl

  func run() throws {
    let client = try StackCall.connect(control.stack)
    defer { client.close() }
    let before = try StackCall.make(StackNodesRequest(), client, as: StackNodesReply.self)
    let pids = Dictionary(
      before.processes.map { ($0.name, $0.pid) }, uniquingKeysWith: { first, _ in first })
    let names = try StackCall.make(
      StackRestartRequest(node: control.node), client, about: control.node,
      as: StackRestartReply.self
    ).processes
    try control.wait(for: names, client) { process in
      process.state == .ready && process.pid != pids[process.name].flatMap { $0 }
    }
  }
}

struct NodeStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop a node; it stays down until it is started again.")

  @OptionGroup var control: NodeControl

  func run() throws {
    let client = try StackCall.connect(control.stack)
    defer { client.close() }
    let names = try StackCall.make(
      StackStopRequest(node: control.node), client, about: control.node,
      as: StackStopReply.self
    ).processes
    try control.wait(for: names, client) { $0.pid == nil }
  }
}

struct NodeStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start a stopped node.")

  @OptionGroup var control: NodeControl

  func run() throws {
    let client = try StackCall.connect(control.stack)
    defer { client.close() }
    let names = try StackCall.make(
      StackStartRequest(node: control.node), client, about: control.node,
      as: StackStartReply.self
    ).processes
    try control.wait(for: names, client) { $0.state == .ready }
  }
}

struct NodeOutputCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "output",
    abstract: "Print the last output lines of a process; bus is the broker, nav the launcher.")

  @Argument(help: "Name of the process, or of a node with replicas.")
  var node: String

  @Flag(name: .shortAndLong, help: "Continue with new lines as they arrive.")
  var follow = false

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try StackCall.connect(stack)
    defer { client.close() }
    let names = try processes(client)
    var after: [String: UInt64] = [:]
    repeat {
      for name in names {
        let reply = try StackCall.make(
          StackLogRequest(node: name, after: after[name] ?? 0), client, about: name,
          as: StackLogReply.self)
        for line in reply.lines {
          let text = names.count > 1 ? "\(name)  \(line)" : line
          print(stack.json ? try Lines.json(["node": name, "text": line]) : text)
        }
        after[name] = reply.last
      }
      if follow { _ = client.next(waitingMS: 200) }
    } while follow
  }

  /// The process of the name, or all processes of a node with replicas.
  private func processes(_ client: BusClient) throws -> [String] {
    guard !["nav", "bus"].contains(node) else { return [node] }
    let all = try StackCall.make(StackNodesRequest(), client, as: StackNodesReply.self).processes
    guard !all.contains(where: { $0.name == node }) else { return [node] }
    let members = all.filter { $0.node == node }.map(\.name).sorted(by: StackSnapshot.isBefore)
    return members.isEmpty ? [node] : members
  }
}

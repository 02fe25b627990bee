import ArgumentParser
import BusClient
import Foundation
import Launcher
import StackFile
import Watch

/// `nav graph`: shows which nodes exchange which topics and calls.
struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract:
      "Show the nodes, topics and calls of a running stack or a stack file, and what is missing.",
    discussion:
      "Topics that are read but not published, and calls that no node answers, are marked.")

  @Argument(help: "A stack file; default: the running stack.")
  var file: String?

  @Flag(help: "Print a flowchart for Mermaid.")
  var mermaid = false

  @Flag(help: "Print a digraph for Graphviz.")
  var dot = false

  @OptionGroup var stack: StackOptions

  func run() throws {
    let graph = try file.map(graph(ofFile:)) ?? graphOfStack()
    if stack.json {
      for line in graph.lines { print(try Lines.json(line)) }
    } else {
      for line in mermaid ? graph.mermaid : dot ? graph.dot : graph.text { print(line) }
    }
  }

  private func graphOfStack() throws -> StackGraph {
    let client = try stack.connect()
    defer { client.close() }
    guard var watcher = StackWatcher(client), let picture = watcher.picture() else {
      throw Problem("the broker does not answer")
    }
    return StackGraph(picture)
  }

  private func graph(ofFile file: String) throws -> StackGraph {
    // Programs are searched for next to this one first, as navlaunch does.
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let launch = Launch(
      file: file, besides: own.map { ($0 as NSString).deletingLastPathComponent },
      environment: ProcessInfo.processInfo.environment)
    guard let checked = launch.stack else {
      throw Problem(launch.report.joined(separator: "\n"))
    }
    for line in launch.report { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
    return StackGraph(checked.manifests.filter { $0.key != "bus" })
  }
}

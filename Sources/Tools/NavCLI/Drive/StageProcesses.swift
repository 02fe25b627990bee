import BusClient
import BusProtocol
import Foundation
import Harness
import NodeKit
import StackFile
import Stage
import ZMQ

/// Programs that run as separate stages in lock-step, on their own bus.
final class StageProcesses {
  private(set) var nodes: [RemoteNode] = []
  private var children: [Process] = []
  private var bus: PlaybackBus?
  private var folder: URL?

  /// Starts a program for each stage, and waits until a conductor can drive it.
  init(_ programs: [String: String], _ stack: StackDrive) throws {
    guard !programs.isEmpty else { return }
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "nav-play-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    let bus = try PlaybackBus(
      ownStack: "play-\(ProcessInfo.processInfo.processIdentifier)")
    self.bus = bus
    do {
      for (name, program) in programs.sorted(by: { $0.key < $1.key }) {
        try start(name, program, stack, bus, folder)
      }
    } catch {
      end()
      throw error
    }
  }

  private func start(
    _ name: String, _ program: String, _ stack: StackDrive, _ bus: PlaybackBus, _ folder: URL
  ) throws {
    guard let manifest = stack.stack.manifests[name] else {
      throw Problem("--run: the stack has no node \(name)")
    }
    let parameters = folder.appending(path: "\(name).json")
    try JSONEncoder().encode(stack.stack.parameters[name] ?? [:]).write(to: parameters)
    let child = Process()
    child.executableURL = URL(filePath: program)
    var variables = ProcessInfo.processInfo.environment
    variables["NAV_BUS"] = bus.address.base
    variables["NAV_NODE"] = name
    variables["NAV_PARAMS"] = parameters.path
    variables["NAV_VEHICLE"] = stack.vehicles.joined(separator: ",")
    variables["NAV_LOCKSTEP"] = "1"
    child.environment = variables
    child.standardInput = FileHandle.nullDevice
    child.standardOutput = FileHandle.nullDevice
    do {
      try child.run()
    } catch {
      throw Problem("\(program): cannot be started")
    }
    children.append(child)
    let deadline = MonotonicTime.now.advanced(byMS: 60_000)
    while !(bus.client.serviceReports() ?? []).contains(where: {
      $0.name == "_lockstep/\(name)" && !$0.server.isEmpty
    }) {
      guard deadline > .now, child.isRunning else {
        throw Problem("\(program) cannot run in lock-step: it does not answer _lockstep/\(name)")
      }
      var none: [PollItem] = []
      pollOrPause(&none, timeoutMS: 20)
    }
    nodes.append(try RemoteNode(name: name, facts: NodeFacts(manifest), client: bus.client))
  }

  /// Ends the processes, and the bus.
  func end() {
    for child in children where child.isRunning { child.terminate() }
    for child in children { child.waitUntilExit() }
    children = []
    bus?.close()
    bus = nil
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }
}

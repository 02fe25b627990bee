import Foundation
import MessagePack
import NodeKit
public import StackFile
import Stage

/// A stack in lock-step: its nodes do not act by themselves, and a conductor drives them.
extension CheckedStack {
  /// Name of the node that leads the others.
  public static let conductor = "conductor"

  /// The same stack with a conductor.
  ///
  /// The conductor starts when all others are ready, makes the calls of the start, and ends the
  /// stack with the drive.
  ///
  /// `digest` and `expect` are paths, for the digests that the run produced and must produce.
  public func inLockStep(digest: String?, expect: String?) -> CheckedStack {
    var led = self
    led.file.start = []
    for index in led.file.nodes.indices {
      led.file.nodes[index].environment["NAV_LOCKSTEP"] = "1"
      // If a node dies, the run ends: half a run in lock-step is useless.
      led.file.nodes[index].policy.restart = .never
      // One process has all its vehicles: replicas are for load, and time stops here.
      led.file.nodes[index].replicas = nil
      // Long work is done synchronously, and time stops for it.
      led.file.nodes[index].policy.watchdogS = nil
    }
    var conductor = NodeSettings(
      name: Located(Self.conductor, at: .start), run: Located(["nav-conductor"], at: .start),
      parametersPlace: .start)
    conductor.after = nodes.map(\.name)
    conductor.policy.restart = .never
    conductor.policy.watchdogS = nil
    conductor.policy.readyWithinS = 120
    conductor.policy.endsStack = true
    led.file.nodes.append(conductor)
    led.manifests[Self.conductor] = Manifest(
      name: "nav-conductor", about: "Runs the stack in lock-step.")
    led.parameters[Self.conductor] = ["plan": .string(plan(digest: digest, expect: expect))]
    led.order = StartOrder(led.nodes, manifests: led.manifests)
    return led
  }

  private func plan(digest: String?, expect: String?) -> String {
    let led = order.names.filter { name in
      nodes.contains { $0.name.value == name && $0.policy.readiness != .exit }
    }
    let plan = LockStepPlan(
      nodes: led.compactMap { name in
        manifests[name].map { LockStepPlan.Node(name: name, manifest: $0) }
      },
      vehicles: file.vehicles,
      start: file.start.map {
        LockStepPlan.Call(name: $0.name.value, request: Data($0.requestBytes))
      },
      until: file.until.map { end in
        let fields = MessagePackValue.map(
          end.fields.map { MessagePackValue.Entry($0.key.value, $0.value.messagePack) })
        return LockStepPlan.End(
          topic: end.topic.value, vehicle: end.vehicle ?? file.vehicles.first,
          fields: Data(fields.encoded()), count: end.leastCount)
      }, digest: digest, expect: expect)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Text, numbers and bytes can always be encoded.
    return (try? encoder.encode(plan)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

extension Launch {
  /// Converts the stack to lock-step; adds a problem if that is impossible.
  public mutating func convertToLockStep(digest: String?, expect: String?) {
    guard let stack else { return }
    if let wired = stack.nodes.first(where: { !$0.wire.isEmpty }), let wire = wired.wire.first {
      problems.append(
        StackProblem(
          "names cannot be changed in lock-step: remove \"wire\"",
          path: "nodes.\(wired.name.value).wire", at: wire.name.place))
    }
    let programs = ProgramFinder(besides: besides, path: options.environment["PATH"] ?? "")
    guard let program = programs.find("nav-conductor", base: options.folder) else {
      problems.append(
        StackProblem("there is no program \"nav-conductor\" next to navlaunch or on PATH"))
      return
    }
    options.programs[CheckedStack.conductor] = program
    self.stack = stack.inLockStep(digest: digest.map(absolute), expect: expect.map(absolute))
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

import Foundation
import NodeKit
import StackFile
import Stage
import Supervision
import Testing

@testable import Launcher

@Suite struct LockStepTests {
  private func stack() throws -> CheckedStack {
    let (parsed, problems) = StackFile.parse(
      """
      stack: s
      lockstep: yes
      nodes:
        matcher: {run: y}
        location: {run: x}
        maps: {run: z, ready: {exit: true}}
      start:
        - location/control: {command: pause}
      until: {topic: location/matched, where: {state: matched}, count: ">= 3"}
      """)
    let file = try #require(parsed, "\(problems)")
    #expect(file.isLockStep)
    let (checked, found) = StackCheck.check(
      file,
      manifests: [
        "location": Manifest(
          name: "x", about: "x", outputs: ["location/raw"], serves: ["location/control"]),
        "matcher": Manifest(
          name: "y", about: "y", inputs: ["location/raw"], outputs: ["location/matched"]),
        "maps": Manifest(name: "z", about: "z"),
      ])
    #expect(found.isEmpty, "\(found)")
    return checked
  }

  @Test func `in lock-step a conductor comes last, and makes the calls of the start`() throws {
    let plain = try stack()
    let led = plain.inLockStep(digest: "/d", expect: "/e.mcap")
    #expect(led.order.names == plain.order.names + ["conductor"])
    #expect(led.file.start.isEmpty)
    for node in led.nodes where node.name.value != "conductor" {
      #expect(node.environment["NAV_LOCKSTEP"] == "1")
      #expect(node.policy.restart == .never && node.policy.watchdogS == nil)
    }
    let conductor = try #require(led.file.node("conductor"))
    #expect(conductor.policy.endsStack && conductor.policy.restart == .never)
    guard case .string(let text)? = led.parameters["conductor"]?["plan"] else {
      Issue.record("there is no plan")
      return
    }
    let plan = try JSONDecoder().decode(LockStepPlan.self, from: Data(text.utf8))
    // What has ended before the others begin is not led.
    #expect(plan.nodes.map(\.name) == plain.order.names.filter { $0 != "maps" })
    #expect(plan.start.map(\.name) == ["location/control"])
    #expect(plan.until?.topic == "location/matched" && plan.until?.vehicle == "ego")
    #expect(plan.until?.count == 3)
    #expect(plan.digest == "/d" && plan.expect == "/e.mcap")
  }

  @Test func `the end of a node that ends the stack ends it well`() throws {
    let led = try stack().inLockStep(digest: nil, expect: nil)
    var supervisor = Supervisor(led.nodes, order: led.order)
    var generator = SystemRandomNumberGenerator()
    func send(_ event: Supervisor.Event) -> [Supervisor.Action] {
      supervisor.handle(event, atS: 1, using: &generator)
    }
    _ = send(.start)
    for name in [Supervisor.bus] + led.order.names {
      _ = send(.spawned(name))
      _ = send(name == "maps" ? .ended(name, .code(0)) : .ready(name, note: nil))
    }
    #expect(!supervisor.isStopping)
    _ = send(.ended("conductor", .code(0)))
    #expect(supervisor.isStopping)
  }
}

import Foundation
import Launcher
import Testing

@Suite(.serialized) struct RunTests {
  let ground: StackFolder

  init() throws { ground = try StackFolder() }

  private var runtime: String { ground.folder + "/run/navstack" }

  @Test func `a stack starts in order, shows its lines, stops backwards and leaves nothing`() throws
  {
    try ground.stack(
      "stack: s\n@BUS\nnodes:\n  b: {run: @NODE, after: [a]}\n  a: {run: @NODE}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.line(with: "all ready") != nil, "\(launched.text)")
    let address = try String(contentsOfFile: runtime + "/s/address", encoding: .utf8)
    #expect(address == "ipc://\(runtime)/s\n")
    #expect(RunDirectory.running(ground.environment).map(\.stack) == ["s"])
    launched.signal(SIGINT)
    #expect(launched.end() == 0, "\(launched.text)")
    let ready = launched.lines.filter { $0.contains("ready in") }.map {
      $0.split(separator: " ")[1]
    }
    #expect(ready == ["bus", "a", "b"])
    #expect(launched.text.contains(" s  drawn"))
    let bye = launched.lines.filter { $0.contains("| bye") }.map { $0.split(separator: " ")[1] }
    #expect(bye == ["b", "a", "bus"])
    #expect(!FileManager.default.fileExists(atPath: runtime))
  }

  @Test func `a wrong file starts nothing and ends with 2`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: nowhere-to-be-found, stopp: 3s}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.end() == 2)
    #expect(
      launched.lines == [
        "stack.yaml:4:12: error: nodes.a.run: there is no program \"nowhere-to-be-found\" next to "
          + "navlaunch or on PATH",
        "stack.yaml:4:33: error: nodes.a: unknown key \"stopp\" (did you mean \"stop\": a time such "
          + "as 5s, 500 ms, 2 min?)",
        "2 errors; nothing was started.",
      ])
  }

  @Test func `a program that says nothing of itself is refused`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: 'false'}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.end() == 2)
    #expect(
      launched.text.contains("--describe printed no manifest (exit 1); set manifest:"))
  }

  @Test func `a crash loop ends the stack with 70 and shows the last lines`() throws {
    try ground.stack(
      "stack: s\n@BUS\ndefaults: {restart: {first: 10ms}}\nnodes:\n  a: {run: @NODE}\n"
        + "  b: {run: @NODE, args: [exit=3]}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.end() == 70, "\(launched.text)")
    #expect(launched.text.contains("b died: exit 3"))
    #expect(launched.text.contains("crash loop: 5 failures within 1m 00s"))
    #expect(launched.text.contains("--- last lines of b"))
    #expect(launched.text.contains("    last words"))
    #expect(!FileManager.default.fileExists(atPath: runtime))
  }

  @Test func `a configuration error is not tried again`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE, args: [exit=78]}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.end() == 1)
    #expect(launched.text.contains("a restart cannot fix that"))
    #expect(launched.lines.filter { $0.contains("last words") && $0.contains(" a ") }.count == 1)
  }

  @Test func `a node that is killed is there again at once, BUS-6`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    launched.line(with: "all ready")
    let first = try #require(launched.number(after: "pid", of: "a"))
    kill(first, SIGKILL)
    #expect(launched.line(with: "a died: SIGKILL") != nil)
    #expect(launched.line(with: "a   | ready", count: 2) != nil, "\(launched.text)")
    #expect(launched.number(after: "pid", of: "a") != first)
    launched.signal(SIGTERM)
    #expect(launched.end() == 0, "\(launched.text)")
  }

  @Test func `a hung node is ended by SIGABRT and started again`() throws {
    try ground.stack(
      "stack: s\n@BUS\nnodes:\n  a: {run: @NODE, args: [hang], watchdog: 700 ms}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.line(with: "silent for") != nil, "\(launched.text)")
    // A Swift program writes down where it hangs, and may live on after that.
    #expect(launched.text.contains("Aborted") || launched.text.contains("SIGABRT"))
    #expect(launched.line(with: "restart 1 at once") != nil)
    launched.signal(SIGTERM)
    #expect(launched.end() == 0, "\(launched.text)")
  }

  @Test func `who is deaf to SIGTERM is killed with its children, and the exit code says so`()
    throws
  {
    try ground.stack(
      "stack: s\n@BUS\nnodes:\n  a: {run: @NODE, args: [deaf, child], stop: 300 ms}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    launched.line(with: "all ready")
    let child = try #require(launched.number(after: "child", of: "a"))
    #expect(isAlive(child))
    launched.signal(SIGTERM)
    #expect(launched.end() == 137, "\(launched.text)")
    #expect(comes { !isAlive(child) })
  }

  @Test func `a second signal kills at once`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE, args: [deaf], stop: 1h}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    launched.line(with: "all ready")
    launched.signal(SIGINT)
    launched.line(with: "stopping")
    launched.signal(SIGINT)
    #expect(launched.end() == 137, "\(launched.text)")
  }

  @Test func `when the launcher is killed nothing is left, and the next start is free`() throws {
    try ground.stack(
      "stack: s\n@BUS\nnodes:\n  a: {run: @NODE, args: [child]}\n  b: {run: @NODE, args: [deaf]}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    launched.line(with: "all ready")
    let pids = try [
      #require(launched.number(after: "pid", of: "a")),
      #require(launched.number(after: "child", of: "a")),
      #require(launched.number(after: "pid", of: "b")),
      #require(launched.number(after: "pid", of: "bus")),
    ]
    #expect(pids.allSatisfy(isAlive))
    launched.signal(SIGKILL)
    #expect(comes(within: 20) { !pids.contains(where: isAlive) })
    #expect(comes { !FileManager.default.fileExists(atPath: self.runtime + "/s") })
    let second = try LauncherProcess(ground, "stack.yaml")
    #expect(second.line(with: "all ready") != nil, "\(second.text)")
    second.signal(SIGTERM)
    second.signal(SIGTERM)
    _ = second.end()
  }

  @Test func `a stack runs once, and twice under another name`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE}\n")
    let first = try LauncherProcess(ground, "stack.yaml")
    first.line(with: "all ready")
    let second = try LauncherProcess(ground, "stack.yaml")
    #expect(second.end() == 1)
    #expect(
      second.text.contains(
        "stack \"s\" is already running (process \(first.pid), bus ipc://"))
    let third = try LauncherProcess(ground, "stack.yaml", "--name", "t")
    #expect(third.line(with: "all ready") != nil, "\(third.text)")
    #expect(RunDirectory.running(ground.environment).map(\.stack) == ["s", "t"])
    for launched in [first, third] {
      launched.signal(SIGTERM)
      #expect(launched.end() == 0, "\(launched.text)")
    }
  }

  @Test func `a foreign program is ready by its line`() throws {
    try ground.write(
      #"{"name":"f","about":"","parameters":[],"inputs":[],"outputs":[],"serves":[],"calls":[]}"#,
      to: "f.json")
    try ground.stack(
      "stack: s\n@BUS\nnodes:\n"
        + "  line: {run: drawn-node, manifest: f.json, ready: {log: 'p.d [0-9]+'}}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.line(with: "all ready") != nil, "\(launched.text)")
    launched.signal(SIGTERM)
    #expect(launched.end() == 0, "\(launched.text)")
  }

  @Test func `sockets are closed to other users, BUS-9`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    launched.line(with: "all ready")
    for folder in [runtime, runtime + "/s"] {
      let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
      #expect(mode as? Int == 0o700)
    }
    launched.signal(SIGTERM)
    #expect(launched.end() == 0)
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let open = try LauncherProcess(ground, "stack.yaml")
    #expect(open.end() == 1)
    #expect(open.text.contains("is open to other users: chmod 700"))
  }
}

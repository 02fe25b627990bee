import Foundation
import Launcher
import Testing

/// What a stack's processes get, and how its lines are written, with real processes.
@Suite(.serialized) struct OptionsRunTests {
  let ground: StackFolder

  init() throws { ground = try StackFolder() }

  @Test func `replicas know their name, their group and their lane, BUS-8`() throws {
    try ground.stack(
      "stack: s\nnodes:\n  b: {run: @NODE, replicas: 1}\n  a: {run: @NODE, replicas: 2}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.line(with: "all ready") != nil, "\(launched.text)")
    #expect(launched.text.contains("2 nodes (3 processes)"))
    var found: [String] = []
    for name in ["b.0", "a.0", "a.1"] {
      let pid = try #require(launched.number(after: "pid", of: name))
      let text = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
      found.append(
        text.split(separator: "\0").filter {
          ["NAV_NODE=", "NAV_GROUP=", "NAV_LANE="].contains(where: $0.hasPrefix)
        }.sorted().joined(separator: " "))
    }
    #expect(
      found == [
        "NAV_GROUP=b NAV_LANE=1 NAV_NODE=b.0", "NAV_GROUP=a NAV_LANE=2 NAV_NODE=a.0",
        "NAV_GROUP=a NAV_LANE=3 NAV_NODE=a.1",
      ])
    launched.signal(SIGTERM)
    #expect(launched.end() == 0, "\(launched.text)")
    #expect(launched.lines.contains { $0.hasPrefix("a.1 ") && $0.hasSuffix("-") })
  }

  /// Scheduling policy of a process, and what it is told of its memory.
  private func means(of pid: Int32) throws -> (policy: String?, tunables: String?) {
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
    return (
      fields.count > 38 ? String(fields[38]) : nil,
      environment.split(separator: "\0").first { $0.hasPrefix("GLIBC_TUNABLES=") }.map(String.init)
    )
  }

  @Test func `a fleet's processes get large pages and take no processor away, BUS-8`() throws {
    let ends = ["": ("0", nil), "vehicles: any\n": ("3", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1")]
    for (vehicles, (policy, tunables)) in ends {
      try ground.stack("stack: s\n\(vehicles)@BUS\nnodes:\n  a: {run: @NODE}\n")
      let launched = try LauncherProcess(ground, "stack.yaml")
      #expect(launched.line(with: "all ready") != nil, "\(launched.text)")
      let found = try means(of: try #require(launched.number(after: "pid", of: "a")))
      #expect(found.policy == policy)
      #expect(found.tunables == tunables)
      launched.signal(SIGTERM)
      #expect(launched.end() == 0)
    }
  }

  @Test func `processors and niceness are given to the kernel`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE, cpus: [0], nice: 3}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.line(with: "all ready") != nil, "\(launched.text)")
    let pid = try #require(launched.number(after: "pid", of: "a"))
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    #expect(status.contains("Cpus_allowed_list:\t0\n"), "\(status)")
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    #expect(stat.split(separator: ")").last?.split(separator: " ")[16] == "3", "\(stat)")
    launched.signal(SIGTERM)
    #expect(launched.end() == 0)
  }

  @Test func `a processor that is not there is refused`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE, cpus: [0-255]}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.end() == 2)
    #expect(
      launched.text.contains("stack.yaml:4:31: error: nodes.a.cpus: there is no processor 255"))
  }

  @Test func `lines come as JSON where that is asked for`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE}\n")
    let launched = try LauncherProcess(ground, "stack.yaml", "--log", "json")
    launched.line(with: "all ready")
    launched.signal(SIGTERM)
    #expect(launched.end() == 0)
    let objects = launched.lines.compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(objects.count == launched.lines.count, "\(launched.text)")
    let ready = objects.first { ($0["text"] as? String)?.hasPrefix("ready in") ?? false }
    #expect(ready?["node"] as? String == "bus")
    #expect((ready?["time"] as? String)?.hasSuffix("Z") ?? false)
    #expect(objects.contains { ($0["summary"] as? [String: String])?["node"] == "a" })
  }

  @Test func `a detached launcher goes on, and says where`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: @NODE}\n")
    let launched = try LauncherProcess(ground, "stack.yaml", "--detach")
    #expect(launched.end() == 0, "\(launched.text)")
    let words = try #require(launched.lines.last).split(separator: " ")
    let pid = try #require(words.firstIndex(of: "kill").flatMap { Int32(words[$0 + 1]) })
    #expect(isAlive(pid))
    #expect(RunDirectory.running(ground.environment).map(\.stack) == ["s"])
    kill(pid, SIGTERM)
    #expect(comes { RunDirectory.running(ground.environment).isEmpty && !isAlive(pid) })
    let path = ground.folder + "/state/navstack/stack.log"
    let log = try String(contentsOfFile: path, encoding: .utf8)
    #expect(log.contains("all ready"))
  }

  @Test func `a detached launcher that cannot start says why, with its code`() throws {
    try ground.stack("stack: s\n@BUS\nnodes:\n  a: {run: nowhere-to-be-found}\n")
    let launched = try LauncherProcess(ground, "stack.yaml", "--detach")
    #expect(launched.end() == 2)
    #expect(launched.text.contains("there is no program \"nowhere-to-be-found\""))
  }

  @Test func `what cannot be recorded does not start`() throws {
    try ground.stack("stack: s\nnodes:\n  a: {run: @NODE}\n")
    let launched = try LauncherProcess(ground, "stack.yaml", "--record", "/proc/no.mcap")
    #expect(launched.end() == 1, "\(launched.text)")
    #expect(launched.text.contains("recording cannot start"))
    #expect(!launched.text.contains("| pid"))
  }
}

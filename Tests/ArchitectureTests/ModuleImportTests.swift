import Foundation
import Testing

/// Which modules may import which others.
@Suite struct ModuleImportTests {
  let house = PackageTargets.asDeclared

  /// Modules of the toolchain, which a module need not declare.
  static let toolchain: Set<String> = [
    "Foundation", "FoundationNetworking", "Glibc", "Darwin", "Musl", "Dispatch", "Synchronization",
    "Testing", "Swift",
  ]

  /// The modules that transport bytes between nodes.
  static let bus: Set<String> = ["ZMQ", "BusProtocol", "Broker", "BusClient"]

  @Test func `the floor plan is read whole`() {
    #expect(house.rooms.count { $0.kind == .core } >= 13)
    #expect(house.rooms.count { $0.kind == .stage } >= 8)
    #expect(Set(house.rooms.map(\.name)).count == house.rooms.count)
    #expect(house.room("Routing")?.uses.isSuperset(of: ["RoadGraph", "RealModule"]) == true)
    #expect(house.room("RouterStage")?.uses.isSuperset(of: ["Messages", "Routing"]) == true)
    for room in house.rooms {
      #expect(Tree.exists(room.folder), "\(room.name) is declared, its folder is not there")
    }
  }

  @Test func `every folder of a floor is a room of the plan`() {
    let declared = Set(house.rooms.map(\.folder))
    for path in Tree.files(below: "Sources") {
      let folder = path.split(separator: "/").prefix(3).joined(separator: "/")
      #expect(declared.contains(folder), "\(path) belongs to no target")
    }
  }

  @Test func `a room declares each room that it names`() {
    for room in house.rooms where room.kind != .systemLibrary {
      let allowed = room.uses.union(Self.toolchain)
      for named in Imports.of(room) where !allowed.contains(named.module) {
        Issue.record("\(named.line): \(room.name) does not declare \(named.module)")
      }
    }
  }

  /// What the pure rooms of the launcher name of the contract: manifests, tables and their values.
  static let contractOfLauncher: [String: Set<String>] = [
    "StackFile": ["Stage", "Messages", "MessagePack", "Yams"],
    "Supervision": ["Stage", "MessagePack"],
  ]

  @Test func `a pure room names pure rooms only`() {
    let pure = Set(house.rooms.filter { $0.kind == .core }.map(\.name)).union(["RealModule"])
    for room in house.rooms where room.kind == .core {
      let allowed = pure.union(Self.contractOfLauncher[room.name] ?? [])
      for named in Imports.of(room) where !allowed.contains(named.module) {
        // Memory that searches share changes no answer; its lock is all that is taken from there.
        let path = named.line.path
        if named.module == "Synchronization",
          path.hasSuffix("/ScratchSpace.swift") || path.hasSuffix("/ScratchPools.swift")
        {
          continue
        }
        Issue.record("\(named.line): \(named.module) is not for a pure room")
      }
    }
  }

  @Test func `a pure room has no clock, no chance of its own, no files, tasks or prints`() {
    let words = [
      "Date()", "ContinuousClock", "SuspendingClock", "FileManager", "ProcessInfo",
      "DispatchQueue", "SystemRandomNumberGenerator", ".randomElement()", ".shuffled()",
      "CommandLine", "NSLock", "Task.", "Task {", "await ", " async ",
    ]
    for line in house.rooms.filter({ $0.kind == .core }).flatMap(\.lines) {
      let code = line.code
      for word in words where code.contains(word) { Issue.record("\(line)") }
      let called = code.contains("print(") && !code.contains("func print(")
      if called { Issue.record("\(line)") }
    }
  }

  @Test func `stages know no other stage, and no sockets`() {
    let stages = Set(house.rooms.filter { $0.kind == .stage }.map(\.name))
    for room in house.rooms where room.kind == .stage || room.name == "Stage" {
      for named in Imports.of(room) {
        #expect(!stages.contains(named.module), "\(named.line)")
        let sockets = Self.bus.union(["NodeKit", "Harness", "CZeroMQ"])
        #expect(!sockets.contains(named.module), "\(named.line)")
      }
    }
  }

  @Test func `OSRM's service knows only the router's stage, and no stage knows the service`() {
    let stages = Set(house.rooms.filter { $0.kind == .stage }.map(\.name))
    let sockets: Set<String> = ["Bus", "NodeKit", "Harness", "CZeroMQ", "HTTP", "Web"]
    for (name, known) in [("ExternalRouting", []), ("OSRMService", ["RouterStage"])] {
      let uses = house.room(name)?.uses
      #expect(uses?.intersection(stages) == Set(known), "\(name)")
      #expect(uses?.isDisjoint(with: sockets) == true, "\(name)")
    }
    for room in house.rooms where room.kind == .stage {
      #expect(!room.uses.contains("OSRMService"), "\(room.name)")
    }
  }

  @Test func `the engines do not know each other`() {
    let engines: Set<String> = ["MapMatching", "Routing", "Guidance"]
    for name in engines {
      #expect(house.room(name)?.uses.isDisjoint(with: engines) == true, "\(name)")
    }
  }

  @Test func `the generator names nothing that it writes, and of other rooms only documents`() {
    #expect(house.room("nav-schema")?.uses == ["Documents", "Yams", "ArgumentParser"])
  }

  @Test func `documents are text, whatever they are about`() {
    #expect(house.room("Documents")?.uses == [])
  }

  @Test func `the bus carries bytes and knows no message`() {
    for name in Self.bus.union(["Bag", "RoadFile", "Web", "Tiles"]) {
      #expect(house.room(name)?.uses.contains("Messages") == false, "\(name)")
    }
  }

  @Test func `the two sides of the bus share its protocol and know nothing of each other`() {
    #expect(house.room("BusProtocol")?.uses == ["MessagePack", "CLinux"])
    #expect(house.reach(of: "ZMQ").isDisjoint(with: ["Broker", "BusClient"]))
    #expect(house.reach(of: "Broker").contains("BusClient") == false)
    #expect(house.reach(of: "BusClient").contains("Broker") == false)
    for room in house.rooms where !["ZMQ", "CZeroMQ", "BusTests"].contains(room.name) {
      let isBenchmark = room.folder.hasPrefix("Benchmarks/")
      #expect(isBenchmark || !room.uses.contains("CZeroMQ"), "\(room.name)")
    }
  }

  @Test func `the broker is linked by nav-bus and by a player with its own bus only`() {
    let mayLink: Set<String> = ["nav-bus", "nav"]
    let mayImport: Set<String> = ["BrokerNode", "Recorder", "NavCLI"]
    for room in house.rooms {
      if [.node, .tool].contains(room.kind), !mayLink.contains(room.name) {
        #expect(!house.reach(of: room.name).contains("Broker"), "\(room.name)")
      }
      if room.folder.hasPrefix("Sources/"), !mayImport.contains(room.name) {
        #expect(!room.uses.contains("Broker"), "\(room.name)")
      }
    }
    #expect(house.reach(of: "nav-bus").contains("Broker"))
    #expect(house.reach(of: "nav-map-matcher").contains("BusClient"))
  }

  @Test func `what runs nodes knows nothing of navigation`() {
    let neutral: Set = ["Documents", "EventTime", "Fingerprint", "StackFile", "Supervision"]
    let core = Set(
      house.rooms.filter { $0.kind == .core && !neutral.contains($0.name) }.map(\.name))
    for name in Self.bus.union([
      "BrokerNode", "Bag", "Recorder", "NodeKit", "Harness", "StackFile", "Supervision", "Launcher",
      "Web", "Stage", "MessagePack",
    ]) {
      #expect(house.room(name)?.uses.isDisjoint(with: core) == true, "\(name)")
    }
  }

  @Test func `only what starts or reads a stack names its parts`() {
    let parts: Set = ["StackFile", "Supervision", "Launcher"]
    let allowed = parts.union(["navlaunch", "NavCLI", "fuzz-stages"])
    for room in house.rooms where room.kind != .test && !allowed.contains(room.name) {
      #expect(room.uses.isDisjoint(with: parts), "\(room.name)")
    }
    #expect(house.room("StackFile")?.uses.isDisjoint(with: parts) == true)
    #expect(house.room("Supervision")?.uses.contains("Launcher") == false)
  }

  @Test func `speech speaks phrases, not edges`() {
    #expect(house.room("Speech")?.uses == ["EventTime"])
  }

  @Test func `nodes and tools are not libraries`() {
    let programs = Set(house.rooms.filter { [.node, .tool].contains($0.kind) }.map(\.name))
    for room in house.rooms where room.kind != .test {
      #expect(room.uses.isDisjoint(with: programs), "\(room.name)")
    }
  }

  @Test func `an undeclared or impure import would be seen`() {
    let manifest = """
      let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")
      func stage(_ name: String, _ uses: [Target.Dependency]) -> Target {
        room("Stages", name, ["Stage"] + uses)
      }
      let rooms: [Target] = [ core("A", [real]), stage("BStage", ["A"]), core("C") ]
      """
    let small = PackageTargets(manifest: manifest)
    #expect(small.room("A")?.uses == ["RealModule"])
    #expect(small.room("BStage")?.uses == ["A", "Stage"])
    #expect(small.room("C")?.uses == [])
    let words = ["public import A", "@testable import B", "import struct C.D", "// import E"]
    #expect(words.compactMap { Imports.module(in: $0) } == ["A", "B", "C"])
    let line = Line(path: "", number: 1, text: "let a = \"print(\" // Date()")
    #expect(!line.code.contains("print(") && !line.code.contains("Date()"))
  }
}

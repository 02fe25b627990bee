import Foundation
import Testing

/// Which modules may import which others.
@Suite struct ModuleImportTests {
  let package = PackageTargets.asDeclared

  /// Modules of the toolchain, which a module need not declare.
  static let toolchain: Set<String> = [
    "Foundation", "FoundationNetworking", "Glibc", "Darwin", "Musl", "Dispatch", "Synchronization",
    "Testing", "Swift",
  ]

  /// The modules that transport bytes between nodes.
  static let bus: Set<String> = ["ZMQ", "BusProtocol", "Broker", "BusClient"]

  @Test func `the manifest is read completely`() {
    #expect(package.modules.count { $0.kind == .core } >= 13)
    #expect(package.modules.count { $0.kind == .stage } >= 8)
    #expect(Set(package.modules.map(\.name)).count == package.modules.count)
    #expect(package.module("Routing")?.uses.isSuperset(of: ["RoadGraph", "RealModule"]) == true)
    #expect(package.module("RouterStage")?.uses.isSuperset(of: ["Messages", "Routing"]) == true)
    for module in package.modules {
      #expect(Tree.exists(module.folder), "\(module.name) is declared, its folder is not there")
    }
  }

  @Test func `every folder of a layer is a module of the manifest`() {
    let declared = Set(package.modules.map(\.folder))
    for path in Tree.files(below: "Sources") {
      let folder = path.split(separator: "/").prefix(3).joined(separator: "/")
      #expect(declared.contains(folder), "\(path) belongs to no target")
    }
  }

  @Test func `a module declares each module that it imports`() {
    for module in package.modules where module.kind != .systemLibrary {
      let allowed = module.uses.union(Self.toolchain)
      for named in Imports.of(module) where !allowed.contains(named.module) {
        Issue.record("\(named.line): \(module.name) does not declare \(named.module)")
      }
    }
  }

  /// What the pure modules of the launcher name of the contract: manifests, tables and their values.
  static let contractOfLauncher: [String: Set<String>] = [
    "StackFile": ["Stage", "Messages", "MessagePack", "Yams"],
    "Supervision": ["Stage", "MessagePack"],
  ]

  @Test func `a pure module imports pure modules only`() {
    let pure = Set(package.modules.filter { $0.kind == .core }.map(\.name)).union(["RealModule"])
    for module in package.modules where module.kind == .core {
      let allowed = pure.union(Self.contractOfLauncher[module.name] ?? [])
      for named in Imports.of(module) where !allowed.contains(named.module) {
        // Shared memory of searches, and known results of them, change no answer; their lock is all
        // that is taken from there.
        let path = named.line.path
        let shared = ["/ScratchSpace.swift", "/ScratchPools.swift", "/IncidentSnapper.swift"]
        if named.module == "Synchronization", shared.contains(where: { path.hasSuffix($0) }) {
          continue
        }
        Issue.record("\(named.line): \(named.module) is not for a pure module")
      }
    }
  }

  @Test func `a pure module has no clock, no chance of its own, no files, tasks or prints`() {
    let words = [
      "Date()", "ContinuousClock", "SuspendingClock", "FileManager", "ProcessInfo",
      "DispatchQueue", "SystemRandomNumberGenerator", ".randomElement()", ".shuffled()",
      "CommandLine", "NSLock", "Task.", "Task {", "await ", " async ",
    ]
    for line in package.modules.filter({ $0.kind == .core }).flatMap(\.lines) {
      let code = line.code
      for word in words where code.contains(word) { Issue.record("\(line)") }
      let called = code.contains("print(") && !code.contains("func print(")
      if called { Issue.record("\(line)") }
    }
  }

  @Test func `stages know no other stage, and no sockets`() {
    let stages = Set(package.modules.filter { $0.kind == .stage }.map(\.name))
    for module in package.modules where module.kind == .stage || module.name == "Stage" {
      for named in Imports.of(module) {
        #expect(!stages.contains(named.module), "\(named.line)")
        let sockets = Self.bus.union(["NodeKit", "Harness", "CZeroMQ"])
        #expect(!sockets.contains(named.module), "\(named.line)")
      }
    }
  }

  /// Files of stages that need the codec itself: a policy in JSON, and routes that were encoded
  /// before.
  static let codecInStages: Set<String> = [
    "Sources/Stages/RouterStage/PolicyFile.swift", "Sources/Stages/RouterStage/SavedRouter.swift",
  ]

  @Test func `stages receive and publish values, and only the harnesses decode and encode`() {
    for module in package.modules where module.kind == .stage {
      for named in Imports.of(module) where named.module == "MessagePack" {
        #expect(Self.codecInStages.contains(named.line.path), "\(named.line)")
      }
      let forms = ["Event", "Output", "Message", "Call", "Outcome"].map { "Encoded\($0)" }
      for line in module.lines where (forms + ["Unpacker"]).contains(where: line.code.contains) {
        Issue.record("\(line)")
      }
    }
  }

  /// Lines of stages that decode a value themselves: saved and handed-over states, the policy in
  /// JSON, and traffic reports of which a simulated driver reads only the newest.
  static let decodingLinesInStages = 14

  @Test func `few lines of stages decode`() {
    let lines = package.modules.filter { $0.kind == .stage }.flatMap(\.lines).filter {
      $0.code.contains("(decoding: ") && !$0.code.contains("UTF8")
    }
    #expect(lines.count <= Self.decodingLinesInStages, "\(lines)")
  }

  @Test func `OSRM's service knows only the router's stage, and no stage knows the service`() {
    let stages = Set(package.modules.filter { $0.kind == .stage }.map(\.name))
    let sockets: Set<String> = ["Bus", "NodeKit", "Harness", "CZeroMQ", "HTTP", "Web"]
    for (name, known) in [("ExternalRouting", []), ("OSRMService", ["RouterStage"])] {
      let uses = package.module(name)?.uses
      #expect(uses?.intersection(stages) == Set(known), "\(name)")
      #expect(uses?.isDisjoint(with: sockets) == true, "\(name)")
    }
    for module in package.modules where module.kind == .stage {
      #expect(!module.uses.contains("OSRMService"), "\(module.name)")
    }
  }

  @Test func `only the HTTP server knows SwiftNIO, and no type of it leaves the module`() {
    let allowed: Set<String> = ["HTTP", "HTTPTests", "RequestReading"]
    for module in package.modules {
      let libraries = module.uses.filter { $0.hasPrefix("NIO") }
      #expect(libraries.isEmpty || allowed.contains(module.name), "\(module.name) \(libraries)")
      guard module.name == "HTTP" else { continue }
      #expect(libraries.contains("NIOHTTP1"))
      for line in module.lines where line.code.hasPrefix("public import NIO") {
        Issue.record("\(line)")
      }
    }
  }

  @Test func `the engines do not know each other`() {
    let engines: Set<String> = ["MapMatching", "Routing", "Guidance"]
    for name in engines {
      #expect(package.module(name)?.uses.isDisjoint(with: engines) == true, "\(name)")
    }
  }

  @Test func `the generator names nothing that it writes, and of other modules only documents`() {
    #expect(package.module("nav-schema")?.uses == ["Documents", "Yams", "ArgumentParser"])
  }

  @Test func `documents are text, whatever they are about`() {
    #expect(package.module("Documents")?.uses == [])
  }

  @Test func `the bus carries bytes and knows no message`() {
    for name in Self.bus.union(["Bag", "RoadFile", "Web", "Tiles"]) {
      #expect(package.module(name)?.uses.contains("Messages") == false, "\(name)")
    }
  }

  @Test func `the two sides of the bus share its protocol and know nothing of each other`() {
    #expect(package.module("BusProtocol")?.uses == ["MessagePack", "CLinux", "HeapModule"])
    #expect(package.reach(of: "ZMQ").isDisjoint(with: ["Broker", "BusClient"]))
    #expect(package.reach(of: "Broker").contains("BusClient") == false)
    #expect(package.reach(of: "BusClient").contains("Broker") == false)
    for module in package.modules where !["ZMQ", "CZeroMQ", "BusTests"].contains(module.name) {
      let isBenchmark = module.folder.hasPrefix("Benchmarks/")
      #expect(isBenchmark || !module.uses.contains("CZeroMQ"), "\(module.name)")
    }
  }

  @Test func `the broker is linked by nav-bus and by a player with its own bus only`() {
    let mayLink: Set<String> = ["nav-bus", "nav"]
    let mayImport: Set<String> = ["BrokerNode", "Recorder", "NavCLI"]
    for module in package.modules {
      if [.node, .tool].contains(module.kind), !mayLink.contains(module.name) {
        #expect(!package.reach(of: module.name).contains("Broker"), "\(module.name)")
      }
      if module.folder.hasPrefix("Sources/"), !mayImport.contains(module.name) {
        #expect(!module.uses.contains("Broker"), "\(module.name)")
      }
    }
    #expect(package.reach(of: "nav-bus").contains("Broker"))
    #expect(package.reach(of: "nav-map-matcher").contains("BusClient"))
  }

  @Test func `what runs nodes knows nothing of navigation`() {
    let neutral: Set = ["Documents", "Foundations", "StackFile", "Supervision"]
    let core = Set(
      package.modules.filter { $0.kind == .core && !neutral.contains($0.name) }.map(\.name))
    for name in Self.bus.union([
      "BrokerNode", "Bag", "Recorder", "NodeKit", "Harness", "StackFile", "Supervision", "Launcher",
      "Web", "Stage", "MessagePack",
    ]) {
      #expect(package.module(name)?.uses.isDisjoint(with: core) == true, "\(name)")
    }
  }

  @Test func `only what starts or reads a stack names its parts`() {
    let parts: Set = ["StackFile", "Supervision", "Launcher"]
    let allowed = parts.union(["navlaunch", "NavCLI", "fuzz-stages"])
    for module in package.modules where module.kind != .test && !allowed.contains(module.name) {
      #expect(module.uses.isDisjoint(with: parts), "\(module.name)")
    }
    #expect(package.module("StackFile")?.uses.isDisjoint(with: parts) == true)
    #expect(package.module("Supervision")?.uses.contains("Launcher") == false)
  }

  @Test func `speech speaks phrases, not edges`() throws {
    let speech = try #require(package.module("Speech"))
    #expect(speech.uses == ["Foundations", "Route"])
    // Warnings have the same kinds for the road ahead and for speech; nothing else is shared.
    for line in speech.lines where Imports.module(in: line.text) == "Route" {
      #expect(line.text.hasSuffix("import enum Route.WarningKind"), "\(line)")
    }
  }

  @Test func `nodes and tools are not libraries`() {
    let programs = Set(package.modules.filter { [.node, .tool].contains($0.kind) }.map(\.name))
    for module in package.modules where module.kind != .test {
      #expect(module.uses.isDisjoint(with: programs), "\(module.name)")
    }
  }

  @Test func `an undeclared or impure import would be seen`() {
    let manifest = """
      let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")
      func stage(_ name: String, _ uses: [Target.Dependency]) -> Target {
        module("Stages", name, ["Stage"] + uses)
      }
      let pureModules: [Target] = [ core("A", [real]), stage("BStage", ["A"]), core("C") ]
      """
    let small = PackageTargets(manifest: manifest)
    #expect(small.module("A")?.uses == ["RealModule"])
    #expect(small.module("BStage")?.uses == ["A", "Stage"])
    #expect(small.module("C")?.uses == [])
    let words = ["public import A", "@testable import B", "import struct C.D", "// import E"]
    #expect(words.compactMap { Imports.module(in: $0) } == ["A", "B", "C"])
    let line = Line(path: "", number: 1, text: "let a = \"print(\" // Date()")
    #expect(!line.code.contains("print(") && !line.code.contains("Date()"))
  }
}

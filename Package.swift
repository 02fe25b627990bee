// swift-tools-version: 6.2
import PackageDescription

/// One list of language settings for every target: a module may not opt out.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")

/// A module: a library under Sources/<layer>/<name>.
func module(_ layer: String, _ name: String, _ uses: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: uses, path: "Sources/\(layer)/\(name)", swiftSettings: settings)
}

/// A pure module: values in, values out.
///
/// No files, sockets, clocks, loggers or tasks.
func core(_ name: String, _ uses: [Target.Dependency] = []) -> Target { module("Core", name, uses) }

/// A module at the edge: bytes, files, sockets, clocks.
func edge(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
  module("Edges", name, uses)
}

/// The logic of one stage: parameters, wire translation, reducer.
///
/// No sockets.
func stage(_ name: String, _ uses: [Target.Dependency]) -> Target {
  module(
    "Stages", name,
    ["Stage", "Messages", "RouteWire", "Route", "RoadGraph", "EventTime", "Geodesy"] + uses)
}

/// A stage as a process of its own.
func node(_ name: String, _ uses: [Target.Dependency], resources: [Resource] = []) -> Target {
  .executableTarget(
    name: name, dependencies: uses, path: "Sources/Nodes/\(name)", resources: resources,
    swiftSettings: settings)
}

/// A program that people run.
func tool(_ name: String, _ uses: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: uses, path: "Sources/Tools/\(name)", swiftSettings: settings)
}

/// A program that measures: docs/benchmarks.md.
func benchmark(_ name: String, _ folder: String, _ uses: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: uses, path: "Benchmarks/\(folder)", swiftSettings: settings)
}

func test(_ name: String, _ uses: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: uses, path: "Tests/\(name)", swiftSettings: settings)
}

let pureModules: [Target] = [
  core("EventTime"),
  core("Fingerprint"),
  core("Geodesy", [real]),
  core("Documents"),
  core("GeoJSON", ["Documents", "Geodesy"]),
  core("OpeningHours", ["Boundaries", "EventTime", "Geodesy", real]),
  core("Regions", ["Documents", "EventTime", "Geodesy"]),
  core("RoadGraph", ["Geodesy", "EventTime", "OpeningHours", real]),
  core("RoadNumbering"),
  core("Shields", ["RoadNumbering"]),
  core("Boundaries", ["Geodesy", real]),
  core(
    "MapMaking",
    ["Geodesy", "RoadGraph", "RoadNumbering", "Boundaries", "EventTime", "OpeningHours", real]),
  core("Route", ["Geodesy", "RoadGraph", "RoadNumbering", "EventTime"]),
  core("Positioning", ["Documents", "Geodesy", "EventTime", "RoadGraph", "Route", real]),
  core("Traffic", ["Geodesy", "EventTime", "RoadGraph", "OpeningHours"]),
  core(
    "TrafficFeeds",
    ["Documents", "GeoJSON", "Geodesy", "EventTime", "OpeningHours", "RoadGraph", "Traffic"]),
  core("Contraction", ["RoadGraph", "Geodesy"]),
  core(
    "Routing", ["Geodesy", "EventTime", "RoadGraph", "Route", "Traffic", "Contraction", real]),
  core("MapMatching", ["Geodesy", "EventTime", "RoadGraph", "Positioning", real]),
  core("Maneuvers", ["Geodesy", "EventTime", "RoadGraph", "Route", real]),
  core("Places", ["Geodesy", "RoadGraph"]),
  core("OSRM", ["Documents", "Geodesy", "Maneuvers", "RoadGraph", "Route"]),
  core(
    "RoadAhead",
    ["Geodesy", "EventTime", "Fingerprint", "OpeningHours", "RoadGraph", "Route", real]),
  core(
    "Guidance",
    ["Geodesy", "EventTime", "Fingerprint", "RoadGraph", "Route", "RoadAhead", "Speech"]),
  core("Speech", ["EventTime", "Route"]),
  core("Scene", ["Geodesy", "EventTime", "RoadGraph", "Route", real]),
  core("StackFile", ["Documents", "MessagePack", "Messages", "Stage", yams]),
  core("Supervision", ["StackFile", "MessagePack", "Stage"]),
]

let edges: [Target] = [
  .systemLibrary(name: "CZeroMQ", path: "Sources/Edges/CZeroMQ"),
  .systemLibrary(name: "CMsgPack", path: "Sources/Edges/CMsgPack"),
  .systemLibrary(name: "CZlib", path: "Sources/Edges/CZlib"),
  .systemLibrary(name: "CZstd", path: "Sources/Edges/CZstd"),
  .systemLibrary(name: "CCrypto", path: "Sources/Edges/CCrypto"),
  .systemLibrary(name: "CCairo", path: "Sources/Edges/CCairo"),
  .target(name: "CLinux", path: "Sources/Edges/CLinux"),
  .target(
    name: "COsmium", path: "Sources/Edges/COsmium",
    cxxSettings: [.unsafeFlags(["-O2", "-DNDEBUG"])],
    linkerSettings: [
      .linkedLibrary("z"), .linkedLibrary("bz2"), .linkedLibrary("expat"),
      .linkedLibrary("pthread"),
    ]),
  edge(
    "RoadFile",
    [
      "RoadGraph", "MapMaking", "Contraction", "Geodesy", "EventTime", "Fingerprint", "COsmium",
      "CLinux", "MapFiles",
    ]),
  edge("MapFiles", []),
  edge(
    "RegionFiles",
    ["Regions", "EventTime", "Geodesy", "MapFiles", "RoadFile", "RoadGraph", "Digest"]),
  edge("RegionSource", ["Regions", "RegionFiles", "Documents", "MapFiles", "RoadFile"]),
  edge("ShieldImage", ["CCairo", "Shields"]),
  edge("Tiles", ["RoadGraph", "Geodesy", "COsmium"]),
  edge("BusProtocol", ["MessagePack", "CLinux"]),
  edge("ZMQ", ["CZeroMQ", "CLinux", "BusProtocol"]),
  edge("Broker", ["ZMQ", "BusProtocol", "MessagePack", "CLinux"]),
  edge("BusClient", ["ZMQ", "BusProtocol", "MessagePack"]),
  edge(
    "BrokerNode", ["Broker", "BusClient", "BusProtocol", "ZMQ", "NodeKit", "Messages", "Stage"]),
  edge(
    "NodeKit",
    ["BusClient", "BusProtocol", "ZMQ", "MessagePack", "Messages", "Stage", "EventTime", "CLinux"]),
  edge("Watch", ["BusClient", "BusProtocol", "MessagePack", "Messages", "Stage"]),
  edge(
    "Launcher",
    [
      "StackFile", "Supervision", "Documents", "Fingerprint", "Stage", "NodeKit",
      "BusClient", "BusProtocol", "ZMQ", "Messages",
      "MessagePack", "CLinux", "MapFiles",
    ]),
  edge("HTTP", ["CLinux", nioCore, nioHTTP, nioPosix, nioWebSocket]),
  edge("Web", ["HTTP", "MessagePack"]),
  edge("Bag", ["BusProtocol", "MessagePack", "CZlib", "CZstd"]),
  edge(
    "FixRecordings",
    ["Bag", "Positioning", "Messages", "MessagePack", "RouteWire", "Geodesy", "EventTime"]),
  edge(
    "Foxglove",
    [
      "Bag", "BusProtocol", "Documents", "HTTP", "Messages", "MessagePack", "SchemaTexts",
      "Geodesy",
    ]),
  edge("Digest", ["CCrypto"]),
  edge(
    "Recorder",
    [
      "Bag", "Broker", "BrokerNode", "BusClient", "BusProtocol", "ZMQ", "NodeKit", "Messages",
      "MessagePack", "SchemaTexts", "Stage",
    ]),
]

let contract: [Target] = [
  module("Contract", "MessagePack", ["CMsgPack", "Documents"]),
  module("Contract", "Messages", ["MessagePack"]),
  module("Contract", "SchemaTexts", []),
  module(
    "Contract", "RouteWire",
    ["Messages", "Positioning", "Route", "RoadGraph", "RoadNumbering", "Geodesy", "EventTime"]),
]

let stages: [Target] = [
  module("Stages", "Stage", ["EventTime", "MessagePack", "Messages"]),
  stage("LocationStage", ["Positioning", "FixRecordings", "RoadFile", "Traffic"]),
  stage("FleetStage", ["Positioning", "Routing", "RoadFile"]),
  stage("MatcherStage", ["Positioning", "MapMatching", "RoadFile", real]),
  module(
    "Stages", "ExternalRouting",
    [
      "Documents", "EventTime", "Geodesy", "MapMatching", "Positioning", "RoadGraph", "Route",
      "Routing",
    ]),
  stage(
    "RouterStage",
    [
      "MessagePack", "Documents", "ExternalRouting", "Routing", "Maneuvers", "Traffic",
      "TrafficFeeds",
      "RoadFile", "MapMatching", "Positioning", "Places",
    ]),
  module(
    "Stages", "OSRMService",
    [
      "EventTime", "ExternalRouting", "Geodesy", "Maneuvers", "MapMatching", "OSRM", "Positioning",
      "RoadGraph", "Route", "RouterStage", "Routing",
    ]),
  stage(
    "NavigatorStage",
    ["Documents", "GeoJSON", "Guidance", "OpeningHours", "RoadAhead", "RoadFile"]),
  stage("DynamicRoutingStage", ["Guidance"]),
  stage(
    "TrafficStage", ["Fingerprint", "OpeningHours", "Traffic", "TrafficFeeds", "RoadFile"]),
  stage("RegionStage", ["Regions", "RegionFiles", "RegionSource"]),
  stage("VoiceStage", ["Speech"]),
  stage("RendererStage", ["Scene", "Shields", "ShieldImage"]),
  module(
    "Harness", "Harness",
    [
      "Stage", "NodeKit", "BusClient", "BusProtocol", "ZMQ", "Messages", "MessagePack", "EventTime",
      "Fingerprint", "CLinux", "MapFiles", arguments,
    ]),
  module(
    "Harness", "Replay",
    [
      "Harness", "Stage", "NodeKit", "BusProtocol", "Bag", "Digest", "Messages", "MessagePack",
      "EventTime",
    ]),
]

let nodes: [Target] = [
  node(
    "nav-conductor",
    [
      "Replay", "Harness", "Stage", "BusClient", "BusProtocol", "ZMQ", "NodeKit", "Messages",
      "MessagePack", "Digest", "EventTime", arguments,
    ]),
  node("nav-bus", ["BrokerNode", "NodeKit", "Recorder", arguments]),
  node(
    "nav-location-provider",
    ["LocationStage", "Harness", "Stage", "Messages", "EventTime", "CLinux"]),
  node("nav-fleet-simulator", ["FleetStage", "Harness"]),
  node("nav-map-matcher", ["MatcherStage", "Harness", "CLinux"]),
  node(
    "nav-router",
    [
      "RouterStage", "ExternalRouting", "OSRMService", "Harness", "Stage", "NodeKit", "HTTP",
      "CLinux", "EventTime", arguments,
    ]),
  node("nav-navigator", ["NavigatorStage", "Harness"]),
  node("nav-dynamic-routing", ["DynamicRoutingStage", "Harness"]),
  node("nav-traffic", ["TrafficStage", "Harness"]),
  node("nav-regions", ["RegionStage", "Harness"]),
  node(
    "nav-voice-guidance", ["VoiceStage", "Harness", "Stage", "Messages", "Speech", "EventTime"]),
  node(
    "nav-renderer",
    [
      "RendererStage", "Harness", "Stage", "Scene", "Messages", "MessagePack", "EventTime", "HTTP",
      "Web", "Tiles", "RoadFile", "RoadGraph", "Geodesy", "Documents",
    ], resources: [.copy("page")]),
]

let tools: [Target] = [
  tool(
    "navlaunch",
    [
      "StackFile", "Supervision", "Launcher", "NodeKit", "ZMQ", "CLinux", "RoadFile", "MapMaking",
      arguments,
    ]),
  tool("nav-schema", ["Documents", yams, arguments]),
  tool("nav", ["NavCLI"]),
  module(
    "Tools", "NavCLI",
    [
      "LocationStage", "MatcherStage", "RouterStage", "NavigatorStage", "DynamicRoutingStage",
      "TrafficStage", "VoiceStage", "RendererStage", "FleetStage", "Harness", "Replay", "Bag",
      "FixRecordings", "Foxglove", "HTTP", "RegionFiles", "Regions", "Digest", "Stage", "Recorder",
      "SchemaTexts", "NodeKit", "Broker", "BusClient", "BusProtocol", "ZMQ",
      "Messages",
      "MessagePack", "StackFile", "Launcher", "Watch", "RoadFile", "RoadGraph", "MapMaking",
      "Route", "Routing", "Maneuvers", "Places", "Positioning", "MapMatching", "Geodesy",
      "EventTime", "Traffic", "TrafficFeeds", "CLinux", "Speech",
      "Documents", "OSRM", arguments,
    ]),
]

let tests: [Target] = [
  .target(
    name: "DrawnMaps",
    dependencies: ["Geodesy", "RoadGraph", "MapMaking", "Positioning", "EventTime"],
    path: "Tests/DrawnMaps", swiftSettings: settings),
  .target(
    name: "DrawnRoutes", dependencies: ["Geodesy", "RoadGraph", "Route", "EventTime"],
    path: "Tests/DrawnRoutes", swiftSettings: settings),
  .target(name: "Seeded", path: "Tests/Seeded", swiftSettings: settings),
  .target(
    name: "CallCases", dependencies: ["Messages"], path: "Tests/CallCases", swiftSettings: settings),
  .target(
    name: "ByteStage", dependencies: ["Messages", "Stage"], path: "Tests/ByteStage",
    swiftSettings: settings),
  .target(name: "RealData", path: "Tests/RealData", swiftSettings: settings),
  test("GeodesyTests", ["Geodesy", "EventTime", "Seeded"]),
  test("OpeningHoursTests", ["OpeningHours", "EventTime", "Geodesy"]),
  test(
    "RoadGraphTests",
    ["RoadGraph", "Geodesy", "DrawnMaps", "MapMaking", "Seeded", "EventTime", "OpeningHours"]),
  test("RoadNumberingTests", ["RoadNumbering"]),
  test("ShieldsTests", ["Shields", "RoadNumbering"]),
  test("BoundariesTests", ["Boundaries", "Geodesy", "Seeded"]),
  test(
    "MapMakingTests",
    [
      "MapMaking", "RoadNumbering", "RoadGraph", "Geodesy", "DrawnMaps", "EventTime",
      "OpeningHours",
    ]),
  test(
    "TagTableTests",
    ["MapMaking", "Routing", "Route", "RoadGraph", "Boundaries", "Geodesy", "DrawnMaps"]),
  test(
    "RoadFileTests", ["RoadFile", "RoadGraph", "MapMaking", "Geodesy", "DrawnMaps", "RealData"]),
  test(
    "PositioningTests",
    ["Positioning", "Geodesy", "EventTime", "Route", "RoadGraph", "DrawnMaps", "RealData"]),
  test("DocumentsTests", ["Documents"]),
  test(
    "RegionsTests",
    [
      "Regions", "RegionFiles", "RegionSource", "Documents", "Geodesy", "EventTime", "Seeded",
      "RoadFile",
      "RoadGraph", "DrawnMaps",
    ]),
  test("TrafficTests", ["Traffic", "RoadGraph", "Geodesy", "EventTime", "DrawnMaps"]),
  test(
    "TrafficFeedsTests",
    [
      "TrafficFeeds", "Documents", "Traffic", "OpeningHours", "RoadGraph", "RoadFile", "Geodesy",
      "EventTime", "DrawnMaps", "RealData", "Seeded",
    ]),
  test("ContractionTests", ["Contraction", "RoadGraph", "Seeded"]),
  test(
    "RoutingTests",
    [
      "Routing", "Contraction", "Route", "Maneuvers", "RoadGraph", "RoadNumbering", "MapMaking",
      "Geodesy", "EventTime", "Traffic", "OSRM", "DrawnMaps", "RoadFile", "Seeded", "RealData",
    ]),
  test(
    "MapMatchingTests",
    [
      "MapMatching", "Positioning", "RoadGraph", "RoadFile", "Geodesy", "EventTime", "DrawnMaps",
      "RealData",
    ]),
  test(
    "ManeuversTests",
    ["Maneuvers", "OSRM", "Route", "RoadGraph", "Geodesy", "DrawnMaps", "MapMaking"]),
  test("PlacesTests", ["Places", "RoadGraph", "Geodesy", "DrawnMaps"]),
  test(
    "OSRMTests",
    [
      "OSRM", "OSRMService", "RouterStage", "Stage", "Route", "Routing", "Maneuvers", "RoadGraph",
      "Geodesy", "DrawnMaps", "EventTime", "NavCLI",
    ]),
  test(
    "RoadAheadTests",
    [
      "RoadAhead", "OpeningHours", "RoadGraph", "Route", "Geodesy", "EventTime", "DrawnMaps",
      "Seeded",
    ]),
  test(
    "GuidanceTests",
    [
      "Guidance", "RoadAhead", "Route", "RoadGraph", "Geodesy", "EventTime", "DrawnRoutes",
      "Seeded",
    ]),
  test("SpeechTests", ["Speech", "EventTime", "Route"]),
  test("SceneTests", ["Scene", "RoadGraph", "Route", "Geodesy", "EventTime"]),
  test("MessagesTests", ["Documents", "Messages", "MessagePack", "Seeded"]),
  test("SchemaTests", ["nav-schema"]),
  test("FingerprintTests", ["Fingerprint"]),
  test(
    "BusTests",
    ["Broker", "BusClient", "BusProtocol", "ZMQ", "MessagePack", "CLinux", "CZeroMQ", "Seeded"]),
  test(
    "NodeKitTests",
    [
      "NodeKit", "Harness", "Stage", "Broker", "BusClient", "BusProtocol", "ZMQ", "Messages",
      "MessagePack", "EventTime", "MapFiles", "CallCases", "ByteStage",
    ]),
  test("StackFileTests", ["StackFile", "Stage", "Messages"]),
  test("SupervisionTests", ["Supervision", "StackFile", "Stage", "MessagePack"]),
  test(
    "LauncherTests",
    [
      "Launcher", "Supervision", "StackFile", "NodeKit", "Stage", "BusClient", "BusProtocol",
      "MessagePack", "Messages",
      "navlaunch", "nav-bus", "drawn-node", "CallCases",
    ]),
  test("WatchTests", ["Watch", "BusProtocol", "Messages", "Stage"]),
  .executableTarget(
    name: "bus-probe", dependencies: ["BusClient", "BusProtocol", arguments],
    path: "Tests/BusProbe",
    swiftSettings: settings),
  .executableTarget(
    name: "drawn-node", dependencies: ["CLinux"], path: "Tests/DrawnNode", swiftSettings: settings),
  test("ShieldImageTests", ["ShieldImage", "Shields"]),
  test("TilesTests", ["Tiles", "RoadGraph", "Geodesy", "DrawnMaps"]),
  .target(
    name: "RequestReading", dependencies: ["HTTP", nioCore, nioEmbedded, nioHTTP],
    path: "Tests/RequestReading", swiftSettings: settings),
  test(
    "HTTPTests", ["HTTP", "RequestReading", "CLinux", nioCore, nioEmbedded, nioWebSocket]),
  test("WebTests", ["Web", "HTTP"]),
  test("BagTests", ["Bag", "BusProtocol", "MessagePack", "Seeded"]),
  test(
    "ForeignRecordingTests",
    [
      "FixRecordings", "Foxglove", "Bag", "BusProtocol", "HTTP", "Positioning", "Messages",
      "MessagePack", "EventTime", "Geodesy",
    ]),
  test("DigestTests", ["Digest"]),
  test(
    "RecorderTests",
    [
      "Recorder", "Bag", "Broker", "BusClient", "BusProtocol", "ZMQ", "MessagePack", "NodeKit",
      "Messages", "Stage", "CallCases",
    ]),
  test(
    "ReplayTests",
    [
      "Replay", "Harness", "Stage", "Bag", "BusProtocol", "Messages", "MessagePack", "EventTime",
      "Digest", "ByteStage",
    ]),
  test(
    "StageTests",
    [
      "Stage", "LocationStage", "FleetStage", "MatcherStage", "RouterStage", "ExternalRouting",
      "OSRMService", "NavigatorStage", "DynamicRoutingStage", "TrafficStage", "RegionStage",
      "Regions", "VoiceStage",
      "RendererStage",
      "Scene", "Messages", "RoadAhead", "MessagePack", "EventTime", "Geodesy", "RoadGraph", "Route",
      "RouteWire",
      "DrawnMaps",
      "DrawnRoutes", "Traffic", "TrafficFeeds", "Routing", "MapMatching", "Seeded", "Harness",
      "CallCases", "MapMaking", "RoadFile",
    ]),
  test(
    "NavCLITests",
    ["NavCLI", "Harness", "Messages", "MessagePack", "EventTime", "Seeded", arguments]),
  test("ArchitectureTests", []),
  .target(
    name: "Fuzzing", dependencies: [arguments], path: "Tests/Fuzz/Fuzzing", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-wire",
    dependencies: [
      "Fuzzing", "Broker", "BusClient", "BusProtocol", "Bag", "Messages", "MessagePack", arguments,
    ],
    path: "Tests/Fuzz/fuzz-wire", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-map",
    dependencies: [
      "Fuzzing", "RoadFile", "RoadGraph", "MapMaking", "OpeningHours", "Geodesy", "EventTime",
      "TrafficFeeds", arguments,
    ], path: "Tests/Fuzz/fuzz-map", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-http",
    dependencies: [
      "Fuzzing", "HTTP", "OSRM", "OSRMService", "RequestReading", "RouterStage", "Stage",
      "Messages", "RouteWire",
      "EventTime",
      "Geodesy", "DrawnMaps", arguments,
    ], path: "Tests/Fuzz/fuzz-http", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-stages",
    dependencies: [
      "Fuzzing", "LocationStage", "MatcherStage", "RouterStage", "NavigatorStage",
      "DynamicRoutingStage", "TrafficStage", "VoiceStage", "RendererStage", "Stage", "StackFile",
      "Messages", "MessagePack", "EventTime", "Geodesy", "RoadGraph", "RoadFile", "DrawnMaps",
      arguments,
    ], path: "Tests/Fuzz/fuzz-stages", swiftSettings: settings),
]

let benchmarks: [Target] = [
  benchmark(
    "bench-bus-hop", "BusHop", ["Broker", "BusClient", "BusProtocol", "ZMQ", "CZeroMQ", "CLinux"]),
  benchmark("bench-recording", "Recording", ["Bag", "BusProtocol", "Recorder"]),
  benchmark(
    "bench-engines", "Engines",
    [
      "RoadFile", "RoadGraph", "Geodesy", "EventTime", "Route", "Routing", "Maneuvers",
      "Positioning", "Traffic", "MapMatching", "CLinux", arguments,
    ]),
  benchmark(
    "bench-guidance", "Guidance",
    [
      "RoadFile", "RoadGraph", "Geodesy", "EventTime", "Route", "Routing", "Maneuvers", "Guidance",
      "NavigatorStage", "Stage", "Messages", "MessagePack", "RouteWire", "CLinux", arguments,
    ]),
  benchmark(
    "bench-maneuvers", "Maneuvers",
    ["RoadFile", "RoadGraph", "Geodesy", "Route", "Maneuvers", "OSRM", arguments]),
  benchmark(
    "bench-matching", "Matching",
    [
      "RoadFile", "RoadGraph", "Geodesy", "EventTime", "Positioning", "MapMatching", "CLinux",
      "Route", "RouteWire", "Messages", "Stage", "RouterStage", "MatcherStage", "NavigatorStage",
      arguments,
    ]),
]

let package = Package(
  name: "navstack",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
  ],
  targets: pureModules + edges + contract + stages + nodes + tools + tests + benchmarks,
  cxxLanguageStandard: .cxx17
)

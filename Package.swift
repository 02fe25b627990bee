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
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
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
    ["Stage", "Messages", "RouteWire", "Route", "RoadGraph", "Foundations", "Geodesy"] + uses)
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

func test(_ name: String, _ uses: [Target.Dependency], without: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: uses, path: "Tests/\(name)", exclude: without,
    swiftSettings: settings)
}

let pureModules: [Target] = [
  core("Foundations", [real]),
  core("Geodesy", [real]),
  core("Documents"),
  core("GeoJSON", ["Documents", "Geodesy"]),
  core("OpeningHours", ["Boundaries", "Foundations", "Geodesy", real]),
  core("Regions", ["Documents", "Foundations", "Geodesy"]),
  core("RoadGraph", ["Geodesy", "Foundations", "OpeningHours", real]),
  core("RoadNumbering"),
  core("Shields", ["RoadNumbering"]),
  core("Boundaries", ["Geodesy", real]),
  core(
    "MapMaking",
    ["Geodesy", "RoadGraph", "RoadNumbering", "Boundaries", "Foundations", "OpeningHours", real]),
  core("BaseMap", ["Geodesy", "RoadGraph", "Foundations", real]),
  core("DemoTown", ["MapMaking", "Geodesy", "Foundations", real]),
  core("Route", ["Geodesy", "RoadGraph", "RoadNumbering", "Foundations"]),
  core("Positioning", ["Documents", "Geodesy", "Foundations", "RoadGraph", "Route", real]),
  core("Traffic", ["Geodesy", "Foundations", "RoadGraph", "OpeningHours"]),
  core(
    "TrafficFeeds",
    ["Documents", "GeoJSON", "Geodesy", "Foundations", "OpeningHours", "RoadGraph", "Traffic"]),
  core("Contraction", ["RoadGraph", "Geodesy"]),
  core(
    "Routing", ["Geodesy", "Foundations", "RoadGraph", "Route", "Traffic", "Contraction", real]),
  core("MapMatching", ["Geodesy", "Foundations", "RoadGraph", "Positioning", real]),
  core("Maneuvers", ["Geodesy", "Foundations", "RoadGraph", "Route", real]),
  core("Places", ["Geodesy", "RoadGraph"]),
  core("OSRM", ["Documents", "Geodesy", "Maneuvers", "RoadGraph", "Route"]),
  core(
    "RoadAhead",
    ["Geodesy", "Foundations", "OpeningHours", "RoadGraph", "Route", real]),
  core(
    "Guidance",
    ["Geodesy", "Foundations", "RoadGraph", "Route", "RoadAhead", "Speech"]),
  core("Speech", ["Foundations", "Route"]),
  core("Cartography", ["Documents", "Geodesy", real]),
  core("Scene", ["Geodesy", "Foundations", "RoadGraph", "Route", real]),
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
  .systemLibrary(name: "CPango", path: "Sources/Edges/CPango", pkgConfig: "pangocairo"),
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
      "RoadGraph", "MapMaking", "BaseMap", "Contraction", "Geodesy", "Foundations", "COsmium",
      "CLinux",
    ]),
  edge(
    "RegionFiles",
    ["Regions", "Foundations", "Geodesy", "RoadFile", "RoadGraph", "Digest"]),
  edge("RegionSource", ["Regions", "RegionFiles", "Documents", "Foundations", "RoadFile"]),
  edge("ShieldImage", ["CCairo", "Shields"]),
  edge("Film", ["CLinux", "CZlib"]),
  edge(
    "MapPicture",
    [
      "Cartography", "CCairo", "CPango", "Documents", "Tiles", "BaseMap", "RoadFile", "RoadGraph",
      "Scene", "ShieldImage", "Shields",
      "Messages", "Geodesy", "Foundations",
    ]),
  edge(
    "Tiles", ["BaseMap", "RoadGraph", "RoadNumbering", "Traffic", "Geodesy", "Places", "COsmium"]),
  edge("BusProtocol", ["MessagePack", "CLinux", heap]),
  edge("ZMQ", ["CZeroMQ", "CLinux", "BusProtocol"]),
  edge("Broker", ["ZMQ", "BusProtocol", "MessagePack", "CLinux", deque]),
  edge("BusClient", ["ZMQ", "BusProtocol", "MessagePack", deque]),
  edge(
    "BrokerNode", ["Broker", "BusClient", "BusProtocol", "ZMQ", "NodeKit", "Messages", "Stage"]),
  edge(
    "NodeKit",
    [
      "BusClient", "BusProtocol", "ZMQ", "MessagePack", "Messages", "Stage", "Foundations",
      "CLinux",
    ]),
  edge("Watch", ["BusClient", "BusProtocol", "MessagePack", "Messages", "Stage"]),
  edge(
    "Launcher",
    [
      "StackFile", "Supervision", "Documents", "Foundations", "Stage", "NodeKit",
      "BusClient", "BusProtocol", "ZMQ", "Messages",
      "MessagePack", "CLinux",
    ]),
  edge("HTTP", ["CLinux", nioCore, nioHTTP, nioPosix, nioWebSocket]),
  edge("Web", ["CZlib", "Foundations", "HTTP", "MessagePack"]),
  edge("Bag", ["BusProtocol", "MessagePack", "CZlib", "CZstd"]),
  edge(
    "FixRecordings",
    ["Bag", "Positioning", "Messages", "MessagePack", "RouteWire", "Geodesy", "Foundations"]),
  edge(
    "Foxglove",
    [
      "Bag", "BusProtocol", "Documents", "HTTP", "Messages", "MessagePack", "SchemaTexts",
      "Geodesy",
    ]),
  edge(
    "Dashboard",
    ["BusClient", "BusProtocol", "HTTP", "MessagePack", "Messages", "NodeKit", "Watch"]),
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
    [
      "Messages", "Positioning", "Route", "RoadGraph", "RoadNumbering", "Traffic", "Geodesy",
      "Foundations",
    ]),
]

let stages: [Target] = [
  module("Stages", "Stage", ["Foundations", "MessagePack", "Messages"]),
  stage("LocationStage", ["Positioning", "FixRecordings", "RoadFile", "Traffic"]),
  stage("FleetStage", ["Positioning", "Routing", "RoadFile"]),
  stage("MatcherStage", ["Positioning", "MapMatching", "RoadFile", real]),
  module(
    "Stages", "ExternalRouting",
    [
      "Documents", "Foundations", "Geodesy", "MapMatching", "Positioning", "RoadGraph", "Route",
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
      "Foundations", "ExternalRouting", "Geodesy", "Maneuvers", "MapMatching", "OSRM",
      "Positioning",
      "RoadGraph", "Route", "RouterStage", "Routing",
    ]),
  stage(
    "NavigatorStage",
    ["Documents", "GeoJSON", "Guidance", "OpeningHours", "RoadAhead", "RoadFile"]),
  stage("DynamicRoutingStage", ["Guidance"]),
  stage(
    "TrafficStage", ["OpeningHours", "Traffic", "TrafficFeeds", "RoadFile"]),
  stage("RegionStage", ["Regions", "RegionFiles", "RegionSource"]),
  stage("VoiceStage", ["Speech"]),
  stage("FilmStage", []),
  stage("RendererStage", ["Scene", "Shields", "ShieldImage"]),
  module(
    "Harness", "Harness",
    [
      "Stage", "NodeKit", "BusClient", "BusProtocol", "ZMQ", "Messages", "MessagePack",
      "Foundations",
      "CLinux", heap, arguments,
    ]),
  module(
    "Harness", "Replay",
    [
      "Harness", "Stage", "NodeKit", "BusProtocol", "Bag", "Digest", "Messages", "MessagePack",
      "Foundations",
    ]),
]

let nodes: [Target] = [
  node(
    "nav-conductor",
    [
      "Replay", "Harness", "Stage", "BusClient", "BusProtocol", "ZMQ", "NodeKit", "Messages",
      "MessagePack", "Digest", "Foundations", arguments,
    ]),
  node("nav-bus", ["BrokerNode", "NodeKit", "Recorder", arguments]),
  node(
    "nav-location-provider",
    ["LocationStage", "Harness", "Stage", "Messages", "Foundations", "CLinux"]),
  node("nav-fleet-simulator", ["FleetStage", "Harness"]),
  node("nav-map-matcher", ["MatcherStage", "Harness", "CLinux"]),
  node(
    "nav-router",
    [
      "RouterStage", "ExternalRouting", "OSRMService", "Harness", "Stage", "NodeKit", "HTTP",
      "CLinux", "Foundations", arguments,
    ]),
  node("nav-navigator", ["NavigatorStage", "Harness"]),
  node("nav-dynamic-routing", ["DynamicRoutingStage", "Harness"]),
  node("nav-traffic", ["TrafficStage", "Harness"]),
  node("nav-regions", ["RegionStage", "Harness"]),
  node(
    "nav-film",
    ["FilmStage", "Film", "MapPicture", "Harness", "Stage", "Scene", "Messages", "Foundations"]),
  node(
    "nav-voice-guidance", ["VoiceStage", "Harness", "Stage", "Messages", "Speech", "Foundations"]),
  node(
    "nav-renderer",
    [
      "RendererStage", "Harness", "Stage", "Scene", "Messages", "MessagePack", "Foundations",
      "HTTP", "NodeKit", "Dashboard",
      "Web", "Tiles", "BaseMap", "RoadFile", "RoadGraph", "RouteWire", "Traffic", "TrafficFeeds",
      "Geodesy", "Documents", "Shields",
      "ShieldImage",
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
      "DemoTown",
      "Route", "Routing", "Maneuvers", "Places", "Positioning", "MapMatching", "Geodesy",
      "Foundations", "Traffic", "TrafficFeeds", "CLinux", "Speech",
      "Documents", "OSRM", "MapPicture", "Film", "FilmStage", "Scene", arguments,
    ]),
]

let tests: [Target] = [
  .target(
    name: "DrawnMaps",
    dependencies: ["Geodesy", "RoadGraph", "MapMaking", "Positioning", "Foundations"],
    path: "Tests/DrawnMaps", swiftSettings: settings),
  .target(
    name: "DrawnRoutes", dependencies: ["Geodesy", "RoadGraph", "Route", "Foundations"],
    path: "Tests/DrawnRoutes", swiftSettings: settings),
  .target(
    name: "CallCases", dependencies: ["Messages"], path: "Tests/CallCases", swiftSettings: settings),
  .target(
    name: "ByteStage", dependencies: ["Messages", "Stage"], path: "Tests/ByteStage",
    swiftSettings: settings),
  .target(name: "RealData", path: "Tests/RealData", swiftSettings: settings),
  test("GeodesyTests", ["Geodesy", "Foundations"]),
  test("OpeningHoursTests", ["OpeningHours", "Foundations", "Geodesy"]),
  test(
    "RoadGraphTests",
    ["RoadGraph", "Geodesy", "DrawnMaps", "MapMaking", "Foundations", "OpeningHours"]),
  test("RoadNumberingTests", ["RoadNumbering"]),
  test("ShieldsTests", ["Shields", "RoadNumbering"]),
  test("BoundariesTests", ["Boundaries", "Geodesy", "Foundations"]),
  test(
    "MapMakingTests",
    [
      "MapMaking", "DemoTown", "RoadNumbering", "RoadGraph", "Geodesy", "DrawnMaps", "Foundations",
      "OpeningHours",
    ]),
  test(
    "TagTableTests",
    ["MapMaking", "Routing", "Route", "RoadGraph", "Boundaries", "Geodesy", "DrawnMaps"]),
  test(
    "RoadFileTests",
    [
      "RoadFile", "BaseMap", "RoadGraph", "MapMaking", "DemoTown", "Foundations", "Geodesy",
      "DrawnMaps",
      "RealData",
    ]),
  test(
    "PositioningTests",
    ["Positioning", "Geodesy", "Foundations", "Route", "RoadGraph", "DrawnMaps", "RealData"]),
  test("DocumentsTests", ["Documents"]),
  test(
    "RegionsTests",
    [
      "Regions", "RegionFiles", "RegionSource", "Documents", "Geodesy", "Foundations", "RoadFile",
      "RoadGraph", "DrawnMaps",
    ]),
  test("TrafficTests", ["Traffic", "RoadGraph", "Geodesy", "Foundations", "DrawnMaps"]),
  test(
    "TrafficFeedsTests",
    [
      "TrafficFeeds", "Documents", "Traffic", "OpeningHours", "RoadGraph", "RoadFile", "Geodesy",
      "Foundations", "DrawnMaps", "RealData",
    ]),
  test("ContractionTests", ["Contraction", "RoadGraph", "Foundations"]),
  test(
    "RoutingTests",
    [
      "Routing", "Contraction", "Route", "Maneuvers", "RoadGraph", "RoadNumbering", "MapMaking",
      "Geodesy", "Foundations", "Traffic", "OSRM", "DrawnMaps", "RoadFile", "RealData",
    ]),
  test(
    "MapMatchingTests",
    [
      "MapMatching", "Positioning", "RoadGraph", "RoadFile", "Geodesy", "Foundations", "DrawnMaps",
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
      "Geodesy", "DrawnMaps", "Foundations", "NavCLI",
    ]),
  test(
    "RoadAheadTests",
    [
      "RoadAhead", "OpeningHours", "RoadGraph", "Route", "Geodesy", "Foundations", "DrawnMaps",
    ]),
  test(
    "GuidanceTests",
    [
      "Guidance", "RoadAhead", "Route", "RoadGraph", "Geodesy", "Foundations", "DrawnRoutes",
    ]),
  test("SpeechTests", ["Speech", "Foundations", "Route"]),
  test("SceneTests", ["Scene", "RoadGraph", "Route", "Geodesy", "Foundations"]),
  test("MessagesTests", ["Documents", "Messages", "MessagePack", "Foundations"]),
  test("SchemaTests", ["nav-schema"]),
  test("FoundationsTests", ["Foundations"]),
  test(
    "BusTests",
    [
      "Broker", "BusClient", "BusProtocol", "ZMQ", "MessagePack", "CLinux", "CZeroMQ",
      "Foundations",
    ]),
  test(
    "NodeKitTests",
    [
      "NodeKit", "Harness", "Stage", "Broker", "BusClient", "BusProtocol", "ZMQ", "Messages",
      "MessagePack", "Foundations", "CallCases", "ByteStage",
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
  test("DashboardTests", ["Dashboard", "Watch", "BusProtocol", "Messages", "MessagePack"]),
  test("WatchTests", ["Watch", "BusProtocol", "Messages", "Stage"]),
  .executableTarget(
    name: "bus-probe", dependencies: ["BusClient", "BusProtocol", arguments],
    path: "Tests/BusProbe",
    swiftSettings: settings),
  .executableTarget(
    name: "drawn-node", dependencies: ["CLinux"], path: "Tests/DrawnNode", swiftSettings: settings),
  test("ShieldImageTests", ["ShieldImage", "Shields"]),
  test("CartographyTests", ["Cartography", "Documents", "Geodesy"]),
  test("FilmTests", ["Film", "CZlib"]),
  test(
    "MapPictureTests",
    [
      "MapPicture", "CCairo", "Cartography", "Geodesy", "Messages", "MapMaking", "DemoTown",
      "RoadFile", "Film",
    ], without: ["Golden"]),
  test(
    "TilesTests",
    ["Tiles", "BaseMap", "Foundations", "RoadGraph", "Traffic", "Geodesy", "DrawnMaps"]),
  test("BaseMapTests", ["BaseMap", "Foundations", "RoadGraph"]),
  .target(
    name: "RequestReading", dependencies: ["HTTP", nioCore, nioEmbedded, nioHTTP],
    path: "Tests/RequestReading", swiftSettings: settings),
  test(
    "HTTPTests", ["HTTP", "RequestReading", "CLinux", nioCore, nioEmbedded, nioWebSocket]),
  test("WebTests", ["Web", "HTTP", "CZlib"]),
  test("BagTests", ["Bag", "BusProtocol", "MessagePack", "Foundations"]),
  test(
    "ForeignRecordingTests",
    [
      "FixRecordings", "Foxglove", "Bag", "BusProtocol", "HTTP", "Positioning", "Messages",
      "MessagePack", "Foundations", "Geodesy",
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
      "Replay", "Harness", "Stage", "Bag", "BusProtocol", "Messages", "MessagePack", "Foundations",
      "Digest", "ByteStage",
    ]),
  test(
    "StageTests",
    [
      "Stage", "LocationStage", "FleetStage", "MatcherStage", "RouterStage", "ExternalRouting",
      "OSRMService", "NavigatorStage", "DynamicRoutingStage", "TrafficStage", "RegionStage",
      "Regions", "VoiceStage",
      "RendererStage", "FilmStage",
      "Scene", "Messages", "RoadAhead", "MessagePack", "Foundations", "Geodesy", "RoadGraph",
      "Route",
      "RouteWire",
      "DrawnMaps",
      "DrawnRoutes", "Traffic", "TrafficFeeds", "Routing", "MapMatching", "Harness",
      "CallCases", "MapMaking", "RoadFile",
    ]),
  test(
    "NavCLITests",
    ["NavCLI", "Harness", "Messages", "MessagePack", "Foundations", arguments]),
  test("ArchitectureTests", []),
  .target(
    name: "Fuzzing", dependencies: ["Foundations", arguments], path: "Tests/Fuzz/Fuzzing",
    swiftSettings: settings),
  .executableTarget(
    name: "fuzz-wire",
    dependencies: [
      "Fuzzing", "Broker", "BusClient", "BusProtocol", "Bag", "Messages", "MessagePack", arguments,
    ],
    path: "Tests/Fuzz/fuzz-wire", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-map",
    dependencies: [
      "Fuzzing", "RoadFile", "RoadGraph", "MapMaking", "OpeningHours", "Geodesy", "Foundations",
      "TrafficFeeds", arguments,
    ], path: "Tests/Fuzz/fuzz-map", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-http",
    dependencies: [
      "Fuzzing", "HTTP", "OSRM", "OSRMService", "RequestReading", "RouterStage", "Stage",
      "Messages", "RouteWire",
      "Foundations",
      "Geodesy", "DrawnMaps", arguments,
    ], path: "Tests/Fuzz/fuzz-http", swiftSettings: settings),
  .executableTarget(
    name: "fuzz-stages",
    dependencies: [
      "Fuzzing", "LocationStage", "MatcherStage", "RouterStage", "NavigatorStage",
      "DynamicRoutingStage", "TrafficStage", "VoiceStage", "RendererStage", "Stage", "StackFile",
      "Messages", "MessagePack", "Foundations", "Geodesy", "RoadGraph", "RoadFile", "DrawnMaps",
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
      "RoadFile", "RoadGraph", "Geodesy", "Foundations", "Route", "Routing", "Maneuvers",
      "Positioning", "Traffic", "MapMatching", "CLinux", arguments,
    ]),
  benchmark(
    "bench-guidance", "Guidance",
    [
      "RoadFile", "RoadGraph", "Geodesy", "Foundations", "Route", "Routing", "Maneuvers",
      "Guidance",
      "NavigatorStage", "Stage", "Messages", "MessagePack", "RouteWire", "CLinux", arguments,
    ]),
  benchmark(
    "bench-maneuvers", "Maneuvers",
    ["RoadFile", "RoadGraph", "Geodesy", "Route", "Maneuvers", "OSRM", arguments]),
  benchmark(
    "bench-matching", "Matching",
    [
      "RoadFile", "RoadGraph", "Geodesy", "Foundations", "Positioning", "MapMatching", "CLinux",
      "Route", "RouteWire", "Messages", "Stage", "RouterStage", "MatcherStage", "NavigatorStage",
      arguments,
    ]),
]

let package = Package(
  name: "navstack",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
  ],
  targets: pureModules + edges + contract + stages + nodes + tools + tests + benchmarks,
  cxxLanguageStandard: .cxx17
)

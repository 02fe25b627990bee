import EventTime
import Guidance
import MessagePack
import Messages
import Route
import RouteWire
import Stage

/// What a navigator takes back after a restart: the route, the place on it, and what was told.
struct SavedNavigator {
  var route: [UInt8]
  var travelledM: Double?
  var nextMilestone: Int64
  var nextManeuver: Int64
  var isPaused: Bool
  var rerouting: String
  var strategy: String
  var nextToken: UInt64
  var stampNs: Int64
  var sessions: Int64
  var session: [UInt8]

  static let keys: [StaticString] = [
    "route", "travelled_m", "next_milestone", "next_maneuver", "paused", "rerouting", "strategy",
    "next_token", "stamp_ns", "sessions", "session",
  ]

  init(_ stage: NavigatorStage) {
    let memory = stage.navigator.memory
    route = stage.routeBytes ?? []
    travelledM = memory.travelledM
    nextMilestone = Int64(memory.nextMilestone)
    nextManeuver = Int64(memory.nextManeuver)
    isPaused = memory.isPaused
    rerouting = memory.rerouting.rawValue
    strategy = memory.strategy.rawValue
    nextToken = memory.nextToken
    stampNs = stage.now.nanoseconds
    sessions = Int64(stage.sessions)
    session = stage.session?.encoded() ?? []
  }

  func encoded() -> [UInt8] {
    var packer = Packer()
    var map = packer.beginMap()
    packer.field(&map, "route", bytes: route)
    packer.field(&map, "travelled_m", travelledM)
    packer.field(&map, "next_milestone", nextMilestone)
    packer.field(&map, "next_maneuver", nextManeuver)
    packer.field(&map, "paused", isPaused)
    packer.field(&map, "rerouting", rerouting)
    packer.field(&map, "strategy", strategy)
    packer.field(&map, "next_token", nextToken)
    packer.field(&map, "stamp_ns", stampNs)
    packer.field(&map, "sessions", sessions)
    packer.field(&map, "session", bytes: session)
    packer.endMap(map)
    return packer.bytes
  }

  init(decoding bytes: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(bytes)
    var saved = SavedNavigator()
    try reader.fields(Self.keys, required: 0) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: saved.route = try reader.blob()
      case 1: saved.travelledM = try reader.double(atLeast: 0)
      case 2: saved.nextMilestone = try reader.int(atLeast: 1)
      case 3: saved.nextManeuver = try reader.int(atLeast: 0)
      case 4: saved.isPaused = try reader.bool()
      case 5: saved.rerouting = try reader.string()
      case 6: saved.strategy = try reader.string()
      case 7: saved.nextToken = try reader.uint()
      case 8: saved.stampNs = try reader.int()
      case 9: saved.sessions = try reader.int(atLeast: 0)
      default: saved.session = try reader.blob()
      }
    }
    try reader.end()
    self = saved
  }

  private init() {
    route = []
    nextMilestone = 1
    nextManeuver = 0
    isPaused = false
    rerouting = ReroutePolicy.Mode.automatic.rawValue
    strategy = ReroutePolicy.Strategy.nextStop.rawValue
    nextToken = 1
    stampNs = .min
    sessions = 0
    session = []
  }

  func apply(to stage: inout NavigatorStage) throws(Refusal) {
    var memory = Navigator.Memory()
    if !route.isEmpty {
      do {
        memory.route = try Route(wire: try WireRoute(decoding: route))
      } catch {
        throw Refusal(reason: "does_not_decode", message: "state of the navigator: \(error)")
      }
    }
    memory.travelledM = travelledM
    memory.nextMilestone = Int(clamping: nextMilestone)
    memory.nextManeuver = Int(clamping: nextManeuver)
    memory.isPaused = isPaused
    memory.rerouting = ReroutePolicy.Mode(rawValue: rerouting) ?? .automatic
    memory.strategy = ReroutePolicy.Strategy(rawValue: strategy) ?? .nextStop
    memory.nextToken = nextToken
    stage.navigator.recall(memory)
    stage.routeBytes = route.isEmpty ? nil : route
    stage.now = Instant(nanoseconds: stampNs)
    stage.sessions = Int(clamping: sessions)
    stage.session = session.isEmpty ? nil : try? Session(decoding: session)
  }
}

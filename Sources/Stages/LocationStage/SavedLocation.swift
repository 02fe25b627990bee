import EventTime
import Geodesy
import MessagePack
import Messages
import Positioning
import RoadGraph
import RouteWire
public import Stage

extension LocationStage {
  /// Time, clock run and place, so that a restarted provider continues where it was killed.
  public var savedState: [UInt8]? {
    guard hasStarted else { return nil }
    var saved = SavedLocation()
    saved.nowNs = now.nanoseconds
    saved.run = run
    saved.rate = rate
    saved.isPaused = isPaused
    switch source {
    case .simulator(let simulator, _):
      saved.nextFixNs = nextSimulated.nanoseconds
      saved.driver = simulator.memory(at: now)
    case .replay(let replay):
      saved.nextIndex = Int64(replay.next)
      saved.isHeld = isHeld
    case .external:
      break
    }
    return saved.encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved: SavedLocation
    do throws(DecodeError) {
      saved = try SavedLocation(decoding: state)
    } catch {
      throw Refusal(reason: error.reason.rawValue, message: error.message, field: error.path)
    }
    wasRestored = true
    now = Instant(nanoseconds: saved.nowNs)
    run = saved.run
    rate = saved.rate
    isPaused = saved.isPaused
    switch source {
    case .simulator(var simulator, let receiver):
      nextSimulated = Instant(nanoseconds: saved.nextFixNs)
      if let driver = saved.driver { simulator.resume(driver, at: now) }
      source = .simulator(simulator, receiver)
    case .replay(var replay):
      let next = Int(clamping: saved.nextIndex)
      if next < replay.dues.count {
        replay.seek(to: replay.dues[max(0, next)])
      } else if let last = replay.dues.last {
        replay.seek(to: last.advanced(bySeconds: 1))
      }
      // Among fixes due at the same moment, those already published are skipped.
      while replay.next < next, replay.take() != nil {}
      source = .replay(replay)
    case .external:
      break
    }
  }
}

/// The state that a location provider restores after a restart.
struct SavedLocation {
  var nowNs: Int64 = 0
  var run: UInt64 = 1
  var rate = 1.0
  var isPaused = false
  var isHeld = false
  var nextFixNs: Int64 = 0
  var nextIndex: Int64 = 0
  var driver: RouteSimulator.Memory?

  private static let keys: [StaticString] = [
    "now_ns", "run", "rate", "paused", "held", "next_fix_ns", "next_index", "lat_deg", "lon_deg",
    "bearing_deg", "segment", "offset_m", "driven_m", "wrong_turns_m", "stray_m",
  ]

  init() {}

  func encoded() -> [UInt8] {
    var packer = Packer()
    var map = packer.beginMap()
    packer.field(&map, "now_ns", nowNs)
    packer.field(&map, "run", run)
    packer.field(&map, "rate", rate)
    packer.field(&map, "paused", isPaused)
    packer.field(&map, "held", isHeld)
    packer.field(&map, "next_fix_ns", nextFixNs)
    packer.field(&map, "next_index", nextIndex)
    packer.field(&map, "lat_deg", driver?.place.latitudeDeg)
    packer.field(&map, "lon_deg", driver?.place.longitudeDeg)
    packer.field(&map, "bearing_deg", driver?.bearingDeg)
    packer.field(&map, "segment", driver?.reference?.wire)
    packer.field(&map, "offset_m", driver?.offsetM)
    packer.field(&map, "driven_m", driver?.drivenM)
    packer.field(&map, "wrong_turns_m", driver?.wrongTurnsAtM ?? [])
    packer.field(&map, "stray_m", driver?.strayM)
    packer.endMap(map)
    return packer.bytes
  }

  init(decoding bytes: [UInt8]) throws(DecodeError) {
    var saved = SavedLocation()
    var driver = RouteSimulator.Memory(
      place: Coordinate(latitudeDeg: 0, longitudeDeg: 0), bearingDeg: 0, reference: nil,
      offsetM: 0, drivenM: 0, wrongTurnsAtM: [])
    var hasPlace = false
    var reader = Unpacker(bytes)
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: saved.nowNs = try reader.int()
      case 1: saved.run = try reader.uint()
      case 2: saved.rate = try reader.double(0.01, 1000)
      case 3: saved.isPaused = try reader.bool()
      case 4: saved.isHeld = try reader.bool()
      case 5: saved.nextFixNs = try reader.int()
      case 6: saved.nextIndex = try reader.int(atLeast: 0)
      case 7: driver.place.latitudeDeg = try reader.double(-90, 90)
      case 8:
        driver.place.longitudeDeg = try reader.double(-180, 180)
        hasPlace = true
      case 9: driver.bearingDeg = try reader.double(0, 360)
      case 10: driver.reference = SegmentReference(wire: try WireSegment(from: &reader))
      case 11: driver.offsetM = try reader.double(atLeast: 0)
      case 12: driver.drivenM = try reader.double(atLeast: 0)
      case 13: driver.wrongTurnsAtM = try reader.list()
      default: driver.strayM = try reader.double(atLeast: 0)
      }
    }
    try reader.end()
    saved.driver = hasPlace ? driver : nil
    self = saved
  }
}

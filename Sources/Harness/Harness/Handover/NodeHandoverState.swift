import BusProtocol
import Foundations
import MessagePack
import NodeKit

/// The data that a node hands over to its successor; `Protocols/control.md` lists its keys.
struct NodeHandoverState: Hashable {
  static let version: UInt64 = 1

  /// The data of one vehicle that the successor needs.
  struct Vehicle: Hashable {
    var name: String
    /// nil for a stage without a state.
    var state: [UInt8]?
    /// Whether the state is complete; otherwise last values of the inputs are handed over with it.
    var isFull = false
    /// The stage's next wake-up, stack time in nanoseconds.
    var wakeNS: Int64?
    /// The reason why the stage is degraded.
    var degraded: String?
    /// Promised milliseconds from the next message of each topic to the one after it.
    var promises: [String: UInt64] = [:]
  }

  var program = ""
  var run: UInt64 = 0
  /// The last message of each source at the marker.
  var inputs: [InputMark] = []
  /// Last values of states that it published, which a new broker needs.
  var states: [Frame] = []
  /// Recent events that a new broker needs.
  var events: [Frame] = []
  var clock: StackTime.Reading?
  /// The machine's time of `clock`, nanoseconds since 1970.
  var wallNS: Int64 = 0
  var vehicles: [Vehicle] = []
}

extension NodeHandoverState: Packable {
  private static let keys: [StaticString] = [
    "version", "program", "run", "inputs", "states", "events", "clock", "wall_ns", "vehicles",
  ]

  func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "version", Self.version)
    packer.field(&map, "program", program)
    packer.field(&map, "run", run)
    packer.field(&map, "inputs", inputs)
    packer.field(&map, "states", states.map(HandoverFrame.init))
    packer.field(&map, "events", events.map(HandoverFrame.init))
    packer.field(&map, "clock", clock.map(HandoverClock.init))
    packer.field(&map, "wall_ns", wallNS)
    packer.field(&map, "vehicles", vehicles)
    packer.endMap(map)
  }

  init(from reader: inout Unpacker) throws(DecodeError) {
    var node = NodeHandoverState()
    try reader.fields(Self.keys, required: 0b1111) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: _ = try reader.uint(Self.version, Self.version)
      case 1: node.program = try reader.string()
      case 2: node.run = try reader.uint()
      case 3: node.inputs = try reader.list()
      case 4: node.states = try reader.list(of: HandoverFrame.self).map(\.frame)
      case 5: node.events = try reader.list(of: HandoverFrame.self).map(\.frame)
      case 6: node.clock = try HandoverClock(from: &reader).reading
      case 7: node.wallNS = try reader.int()
      default: node.vehicles = try reader.list()
      }
    }
    self = node
  }

  func encoded() -> [UInt8] {
    var packer = Packer()
    pack(into: &packer)
    return packer.bytes
  }

  init(decoding bytes: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(bytes)
    self = try NodeHandoverState(from: &reader)
    try reader.end()
  }
}

extension NodeHandoverState.Vehicle: Packable {
  private static let keys: [StaticString] = [
    "vehicle", "state", "full", "wake_ns", "degraded", "next_ms",
  ]

  func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "vehicle", name)
    packer.field(&map, "state", bytes: state)
    packer.field(&map, "full", isFull)
    packer.field(&map, "wake_ns", wakeNS)
    packer.field(&map, "degraded", degraded)
    if !promises.isEmpty { packer.field(&map, "next_ms", promises) }
    packer.endMap(map)
  }

  init(from reader: inout Unpacker) throws(DecodeError) {
    var vehicle = NodeHandoverState.Vehicle(name: "")
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: vehicle.name = try reader.string()
      case 1: vehicle.state = try reader.blob()
      case 2: vehicle.isFull = try reader.bool()
      case 3: vehicle.wakeNS = try reader.int()
      case 4: vehicle.degraded = try reader.string()
      default: vehicle.promises = try reader.map()
      }
    }
    self = vehicle
  }
}

/// A message as it was published: `[topic, header, payload]`.
private struct HandoverFrame: Packable {
  var frame: Frame

  init(_ frame: Frame) { self.frame = frame }

  func pack(into packer: inout Packer) {
    packer.packArrayHeader(3)
    for part in frame.parts { packer.pack(bytes: part) }
  }

  init(from reader: inout Unpacker) throws(DecodeError) {
    let start = reader.offset
    guard try reader.arrayHeader() == 3 else {
      throw reader.fault(.wrongType, at: start, "expected [topic, header, payload]")
    }
    let parts = [try reader.blob(), try reader.blob(), try reader.blob()]
    do {
      frame = try Frame(parts)
    } catch {
      throw reader.fault(.wrongType, at: start, "not a message of the bus: \(error.rawValue)")
    }
  }
}

private struct HandoverClock: Packable {
  private static let keys: [StaticString] = ["now_ns", "rate", "paused", "run"]

  var reading: StackTime.Reading

  init(_ reading: StackTime.Reading) { self.reading = reading }

  func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "now_ns", reading.now.nanoseconds)
    packer.field(&map, "rate", reading.rate)
    packer.field(&map, "paused", reading.rate == 0)
    packer.field(&map, "run", reading.clockRun)
    packer.endMap(map)
  }

  init(from reader: inout Unpacker) throws(DecodeError) {
    var reading = StackTime.Reading(now: Instant(nanoseconds: 0), rate: 1)
    try reader.fields(Self.keys, required: 0b11) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: reading.now = Instant(nanoseconds: try reader.int())
      case 1: reading.rate = try reader.double(atLeast: 0)
      case 2: _ = try reader.bool()
      default: reading.clockRun = try reader.uint()
      }
    }
    self.reading = reading
  }
}

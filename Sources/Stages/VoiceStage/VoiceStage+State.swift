import EventTime
import MessagePack
import Speech
public import Stage

extension VoiceStage {
  /// Announcements made on the route, and the current one.
  ///
  /// With them a restart repeats nothing, and it counts an announcement that a kill interrupted.
  public var savedState: [UInt8]? {
    var packer = Packer()
    var map = packer.beginMap()
    packer.field(&map, "route_id", routeID)
    packer.field(&map, "maneuvers", timing.said.mapValues(\.rawValue))
    packer.field(&map, "keys", Array(arbiter.saidKeys.suffix(64)))
    packer.field(&map, "warnings", aheadWarnings)
    packer.field(&map, "next_id", nextID)
    packer.field(&map, "speaking", arbiter.speaking?.key)
    packer.endMap(map)
    return packer.bytes
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved: SavedVoice
    do throws(DecodeError) {
      var reader = Unpacker(state)
      saved = try SavedVoice(from: &reader)
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of voice: \(error.message)")
    }
    routeID = saved.routeID
    nextID = max(nextID, saved.nextID)
    cutOff = saved.speaking
    aheadWarnings = saved.warnings.suffix(32)
    arbiter = Arbiter(tuning: settings.arbiter, saidKeys: saved.keys)
    for (key, word) in saved.maneuvers.sorted(by: { $0.key < $1.key }) {
      guard let kind = AnnouncementKind(rawValue: word) else { continue }
      _ = timing.handle(.said(key: key, through: kind))
    }
  }
}

private struct SavedVoice {
  var routeID: String?
  var maneuvers: [String: String] = [:]
  var keys: [String] = []
  var warnings: [String] = []
  var nextID: UInt64 = 1
  var speaking: String?

  init(from reader: inout Unpacker) throws(DecodeError) {
    var routeID: String?
    var maneuvers: [String: String] = [:]
    var keys: [String] = []
    var warnings: [String] = []
    var nextID: UInt64 = 1
    var speaking: String?
    let names: [StaticString] = [
      "route_id", "maneuvers", "keys", "warnings", "next_id", "speaking",
    ]
    try reader.fields(names, required: 0) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: routeID = try reader.string()
      case 1: maneuvers = try reader.map()
      case 2: keys = try reader.list()
      case 3: warnings = try reader.list()
      case 4: nextID = try reader.uint()
      default: speaking = try reader.string()
      }
    }
    self.routeID = routeID
    self.maneuvers = maneuvers
    self.keys = keys
    self.warnings = warnings
    self.nextID = nextID
    self.speaking = speaking
  }
}

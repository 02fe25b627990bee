import OpeningHours
import RoadGraph

/// A turn restriction as tagged in a relation, before its members are located on the graph.
struct TurnRestriction: Hashable {
  /// The turn named by a value such as `no_left_turn`; it helps if members are ambiguous.
  enum Turn: Hashable {
    case left
    case right
    case straight
    case uTurn
    case any
  }

  enum Via: Hashable {
    case node(Int64)
    case ways([Int64])
  }

  var relation: Int64
  /// One way, or several for `no_entry`.
  var from: [Int64]
  var via: Via
  /// One way, or several for `no_exit`.
  var to: [Int64]
  var isOnly: Bool
  var turn: Turn
  var modes: TravelModes
  /// The condition under which it applies; nil for always.
  var when: String?
}

/// Why a turn restriction is not in the map; the raw value is the reason in the report.
enum DroppedRestriction: String, Error, CaseIterable {
  case word = "the value is not a known restriction such as no_left_turn or only_straight_on"
  case vehicle = "the vehicle in its key is unknown"
  case condition = "the condition cannot be read"
  case noFrom = "it has no way with the role from"
  case noTo = "it has no way with the role to"
  case noVia = "it has no member with the role via"
  case severalViaNodes = "it has several nodes with the role via"
  case absent = "a member is not a road of the map"
  case apart = "its members are not connected"
  case long = "it is longer than 64 edges"
}

/// Reads `type=restriction` relations.
enum RestrictionTags {
  struct Reading {
    var restrictions: [TurnRestriction] = []
    /// Rules that depend on time: those that were read, and those that could not be read.
    var timed = 0
    var unreadable = 0
    /// Why restrictions were dropped.
    var dropped: [DroppedRestriction] = []
  }

  static func isRestriction(_ tags: OSMTags) -> Bool {
    tags["type"]?.hasPrefix("restriction") ?? false
  }

  static func read(_ relation: OSMRelation) -> Reading {
    var reading = Reading()
    let except = exceptions(relation.tags["except"])
    for tag in relation.tags.pairs where tag.key.hasPrefix("restriction") {
      let isTimed = tag.key.hasSuffix(":conditional")
      let key = isTimed ? String(tag.key.dropLast(":conditional".count)) : tag.key
      guard let modes = modes(of: key, relation.tags["type"]) else {
        if isRestriction(value: tag.value) { reading.dropped.append(.vehicle) }
        continue
      }
      let bound = modes.subtracting(except)
      guard !bound.isEmpty else { continue }
      for (value, when) in values(tag.value, isTimed: isTimed, relation.tags, &reading) {
        // A list of values stands for each of them.
        for part in parts(value) {
          do throws(DroppedRestriction) {
            let (isOnly, turn) = try word(part)
            let members = try members(relation)
            reading.restrictions.append(
              TurnRestriction(
                relation: relation.id, from: members.from, via: members.via, to: members.to,
                isOnly: isOnly, turn: turn, modes: bound, when: when))
          } catch {
            reading.dropped.append(error)
          }
        }
      }
    }
    return reading
  }

  private static func isRestriction(value: String) -> Bool {
    value.hasPrefix("no_") || value.hasPrefix("only_")
  }

  /// Returns the restrictions of a tag with their times: one that always holds, or each part of
  /// a conditional tag.
  private static func values(
    _ value: String, isTimed: Bool, _ tags: OSMTags, _ reading: inout Reading
  ) -> [(value: String, when: String?)] {
    guard isTimed else {
      let hours = oldHours(tags)
      if hours != nil { reading.timed += 1 }
      return [(value, hours)]
    }
    do throws(HoursFault) {
      let parts = try ConditionalValue.parse(value)
      reading.timed += parts.count
      return parts.map { ($0.value, $0.text) }
    } catch {
      reading.unreadable += 1
      reading.dropped.append(.condition)
      return []
    }
  }

  /// `day_on`, `day_off`, `hour_on` and `hour_off` of old relations as opening hours; nil for none.
  private static func oldHours(_ tags: OSMTags) -> String? {
    func day(_ key: String) -> String? { tags[key].map { String($0.prefix(2)) } }
    var text = ""
    if let on = day("day_on"), let off = day("day_off") { text = on == off ? on : "\(on)-\(off)" }
    if let on = tags["hour_on"], let off = tags["hour_off"] {
      text += (text.isEmpty ? "" : " ") + "\(on)-\(off)"
    }
    guard !text.isEmpty, (try? OpeningHours(text)) != nil else { return nil }
    return text
  }

  private static func members(
    _ relation: OSMRelation
  ) throws(DroppedRestriction) -> (from: [Int64], via: TurnRestriction.Via, to: [Int64]) {
    var from: [Int64] = []
    var to: [Int64] = []
    var viaNodes: [Int64] = []
    var viaWays: [Int64] = []
    var nodesWithoutRole: [Int64] = []
    for member in relation.members {
      switch (member.role, member.kind) {
      case ("from", .way): from.append(member.id)
      case ("to", .way): to.append(member.id)
      case ("via", .node): viaNodes.append(member.id)
      case ("via", .way): viaWays.append(member.id)
      case ("", .node): nodesWithoutRole.append(member.id)
      default: break
      }
    }
    guard !from.isEmpty else { throw .noFrom }
    guard !to.isEmpty else { throw .noTo }
    // Nodes listed along with ways lie on these.
    if !viaWays.isEmpty { return (from, .ways(viaWays), to) }
    if viaNodes.isEmpty { viaNodes = nodesWithoutRole }
    guard let node = viaNodes.first else { throw .noVia }
    guard viaNodes.count == 1 else { throw .severalViaNodes }
    return (from, .node(node), to)
  }

  private static func word(
    _ value: String
  ) throws(DroppedRestriction) -> (isOnly: Bool, TurnRestriction.Turn) {
    let value = value.lowercased()
    let isOnly = value.hasPrefix("only_")
    guard isOnly || value.hasPrefix("no_") else { throw .word }
    switch value.dropFirst(isOnly ? 5 : 3) {
    case "left_turn": return (isOnly, .left)
    case "right_turn": return (isOnly, .right)
    case "straight_on": return (isOnly, .straight)
    case "u_turn": return (isOnly, .uTurn)
    case "entry" where !isOnly, "exit" where !isOnly: return (false, .any)
    default: throw .word
    }
  }

  private static let general: TravelModes = [
    .motorised, TravelModes(.bicycle),
  ]

  private static func modes(of key: String, _ type: String?) -> TravelModes? {
    let name = key.dropFirst("restriction".count)
    if name.isEmpty {
      guard let type, type.hasPrefix("restriction:") else { return general }
      return word(mode: type.dropFirst("restriction:".count))
    }
    guard name.first == ":" else { return nil }
    return word(mode: name.dropFirst())
  }

  private static func word(mode: some StringProtocol) -> TravelModes? {
    switch String(mode) {
    case "motor_vehicle": .motorised
    case "vehicle": general
    case "motorcar": [TravelModes(.car), TravelModes(.taxi)]
    case "hgv", "goods": TravelModes(.truck)
    case "bus", "coach", "tourist_bus": TravelModes(.bus)
    case "psv": [TravelModes(.bus), TravelModes(.taxi)]
    case "taxi", "share_taxi": TravelModes(.taxi)
    case "motorcycle", "moped", "mofa": TravelModes(.scooter)
    case "bicycle": TravelModes(.bicycle)
    case "foot": TravelModes(.pedestrian)
    default: nil
    }
  }

  private static func exceptions(_ value: String?) -> TravelModes {
    parts(value ?? "").flatMap { parts($0, ",") }.reduce(into: TravelModes()) {
      $0.formUnion(word(mode: $1) ?? [])
    }
  }
}

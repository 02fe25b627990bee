import Foundations
import MapMaking

/// Class, limits and names of the streets of one row or column.
struct TownStreetStyle {
  let runsEast: Bool
  let index: Int
  private var name: String?
  private var blocksLeft = 0

  init(runsEast: Bool, index: Int) {
    self.runsEast = runsEast
    self.index = index
  }

  private var arterialName: String? {
    if runsEast {
      switch index {
      case TownGrid.south: "Southern Way"
      case TownGrid.high: "High Street"
      case TownGrid.north: "North Parade"
      default: nil
      }
    } else {
      switch index {
      case TownGrid.west: "West Avenue"
      case TownGrid.middle: "Station Road"
      case TownGrid.east: "East Avenue"
      default: nil
      }
    }
  }

  var isArterial: Bool { arterialName != nil }

  private var isCollector: Bool {
    runsEast ? [5, 14].contains(index) : [6, 18].contains(index)
  }

  /// The next block begins another street.
  mutating func endStreet() { name = nil }

  /// The tags of a block; nil if there is no street.
  mutating func tags(
    _ key: TownLegKey, _ names: inout TownNames, _ random: inout SplitMix64
  ) -> OSMTags? {
    if let arterialName { return arterial(key, names.reserve(arterialName)) }
    if isCollector {
      if name == nil { name = names.next(["Road", "Avenue"], &random) }
      return [
        "highway": "tertiary", "name": name ?? "", "maxspeed": "50", "lanes": "2", "lit": "yes",
        "surface": "asphalt",
      ]
    }
    if Self.isPark(key) || (random.oneIn(8) && !Self.isCentre(key)) { return nil }
    if name == nil || blocksLeft == 0 {
      name = names.next(TownNames.streets, &random)
      blocksLeft = 3 + Int(random.next() % 4)
    }
    blocksLeft -= 1
    return minor(key, name ?? "")
  }

  private func minor(_ key: TownLegKey, _ name: String) -> OSMTags {
    var tags: OSMTags = [
      "highway": "residential", "name": name, "maxspeed": "30", "surface": "asphalt",
    ]
    if Self.isCentre(key) {
      tags["oneway"] = index % 2 == 0 ? "yes" : "-1"
      tags["lit"] = "yes"
      if index % 4 == 1 { tags["oneway:bicycle"] = "no" }
      if index % 5 == 3 { tags["surface"] = "sett" }
    }
    return tags
  }

  private func arterial(_ key: TownLegKey, _ name: String) -> OSMTags {
    var tags: OSMTags = ["name": name, "surface": "asphalt", "lit": "yes"]
    switch name {
    case "High Street":
      tags["highway"] = "primary"
      tags["ref"] = "A1"
      tags["maxspeed"] = "50"
      tags["lanes"] = "4"
      setTurnLanes(key, &tags)
    case "Southern Way", "North Parade":
      tags["highway"] = "primary"
      tags["ref"] = name == "North Parade" ? "A12" : "A14"
      tags["maxspeed"] = "60"
      tags["lanes"] = "2"
      if name == "Southern Way", TownGrid.dual.contains(key.column),
        TownGrid.dual.contains(key.column + 1)
      {
        tags["oneway"] = "yes"
        tags["dual_carriageway"] = "yes"
      }
    case "Station Road":
      tags["highway"] = "secondary"
      tags["ref"] = "B2"
      tags["maxspeed"] = "50"
      tags["lanes"] = "2"
    default:
      tags["highway"] = "primary"
      tags["ref"] = name == "West Avenue" ? "A11" : "A13"
      tags["maxspeed"] = "70"
      tags["lanes"] = "2"
    }
    return tags
  }

  /// Lanes on both approaches of High Street to Station Road.
  private func setTurnLanes(_ key: TownLegKey, _ tags: inout OSMTags) {
    if key.column == TownGrid.middle - 1 {
      tags["lanes"] = "5"
      tags["lanes:forward"] = "3"
      tags["lanes:backward"] = "2"
      tags["turn:lanes:forward"] = "left|through|through;right"
    } else if key.column == TownGrid.middle {
      tags["lanes"] = "5"
      tags["lanes:forward"] = "2"
      tags["lanes:backward"] = "3"
      tags["turn:lanes:backward"] = "left|through|right"
    }
  }

  /// Whether a street is cut into two ways before a block although nothing else changes.
  func isCut(before key: TownLegKey) -> Bool {
    runsEast
      ? key.column == TownGrid.middle && isArterial || isCollector && key.column == 6
      : (key.row == TownGrid.high || key.row == TownGrid.south + 1) && isArterial
  }

  /// The one-way streets around the middle.
  static func isCentre(_ key: TownLegKey) -> Bool {
    (9..<15).contains(key.column) && (7..<13).contains(key.row)
  }

  /// A park without streets, north-east of the middle.
  static func isPark(_ key: TownLegKey) -> Bool {
    key.runsEast
      ? (18..<22).contains(key.column) && (15...17).contains(key.row)
      : (19...21).contains(key.column) && (14..<18).contains(key.row)
  }
}

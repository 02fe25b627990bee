import RoadGraph
import Route

/// Streets next to a school.
struct SchoolZoneRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.zones(.schoolZone) { way.road($0).flags.contains(.schoolZone) ? "" : nil }
  }
}

/// Streets with a speed limit of 30 km/h or less.
struct LowSpeedRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.zones(.lowSpeedZone) { index in
      let road = way.road(index)
      let isSlow = (1...30).contains(road.speedLimitKmh) || road.roadClass == .livingStreet
      return isSlow && !road.flags.contains(.link) && road.roadClass <= .livingStreet ? "" : nil
    }
  }
}

/// Zones that high-emission vehicles may not enter.
struct EnvironmentalZoneRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.zones(.environmentalZone) { way.road($0).flags.contains(.lowEmissionZone) ? "" : nil }
  }
}

struct TunnelRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.zones(.tunnel) { way.road($0).flags.contains(.tunnel) ? "" : nil }
  }
}

/// Restrictions for large vehicles: low bridges, narrow lanes, weak decks, roads closed to trucks.
///
/// All restrictions of one place form one warning; its text lists them.
struct TruckRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.zones(.truckRestriction) { Self.words(way.road($0)) }.map { zone in
      var zone = zone
      zone.text = zone.key
      return zone
    }
  }

  private static func words(_ road: RoadAttributes) -> String? {
    var words: [String] = []
    func add(_ name: String, _ value: UInt16, _ unit: String) {
      if value > 0 { words.append("\(name) \(decimal(value)) \(unit)") }
    }
    add("height", road.maxHeightCm, "m")
    add("width", road.maxWidthCm, "m")
    add("length", road.maxLengthCm, "m")
    add("weight", road.maxWeight10Kg, "t")
    add("axle load", road.maxAxleLoad10Kg, "t")
    if road.flags.contains(.noHazardousGoods) { words.append("no hazardous goods") }
    if !road.access(.truck).isUsable, road.access(.car).isUsable { words.append("no trucks") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  // Hundredths in decimal notation: 3.8, 12, 7.49.
  private static func decimal(_ hundredths: UInt16) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

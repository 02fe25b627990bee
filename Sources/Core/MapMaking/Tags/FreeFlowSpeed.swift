import RoadGraph

/// The speed without obstruction, which travel times and the simulator are based on.
enum FreeFlowSpeed {
  /// Usual speed without a known limit, and the maximum that such a road allows, km/h.
  private static func usual(_ kind: RoadKind) -> (usual: Double, most: Double) {
    switch (kind.roadClass, kind.isLink) {
    case (.motorway, false): (105, 125)
    case (.motorway, true): (55, 75)
    case (.trunk, false): (85, 105)
    case (.trunk, true): (45, 65)
    case (.primary, false): (60, 90)
    case (.primary, true): (35, 50)
    case (.secondary, false): (50, 85)
    case (.secondary, true): (30, 45)
    case (.tertiary, false): (40, 75)
    case (.tertiary, true): (25, 40)
    case (.unclassified, _): (35, 65)
    case (.residential, _): (28, 40)
    case (.livingStreet, _): (10, 14)
    case (.service, _): (14, 25)
    case (.track, _): (12, 20)
    case (.ferry, _): (18, 40)
    case (.shuttleTrain, _): (45, 80)
    case (.pedestrian, _), (.cycleway, _), (.path, _), (.steps, _): (8, 10)
    }
  }

  /// Average speed on a whole road as a share of its limit, since drivers stay a little below it.
  private static let shareOfLimit = 0.9

  /// Speed of cars, km/h; 1 or more.
  static func carKmh(
    kind: RoadKind, tags: OSMTags, limit: SpeedTags.Limit?, advised: SpeedTags.Limit?,
    surface: Surface, country: String?
  ) -> Double {
    let (usual, most) = usual(kind)
    var speed = usual
    switch limit {
    case .some(.kmh(let value)): speed = Double.minimum(value * shareOfLimit, most)
    case .some(.none): speed = most
    case nil:
      if let limits = Countries.limits(country) {
        let general = kind.roadClass == .motorway ? limits.motorway ?? 130 : limits.rural
        speed = Double.minimum(usual, general * shareOfLimit)
      }
    }
    if case .kmh(let value) = advised { speed = Double.minimum(speed, value) }
    if tags["junction"] == "roundabout" || tags["junction"] == "circular" {
      speed = Double.minimum(speed, kind.roadClass <= .primary ? 35 : 25)
    }
    if kind.roadClass == .service {
      switch tags["service"] {
      case "parking_aisle", "drive-through": speed = Double.minimum(speed, 8)
      case "driveway", "alley": speed = Double.minimum(speed, 10)
      default: break
      }
    }
    if let calming = tags["traffic_calming"], calming != "no" {
      speed = Double.minimum(speed, 25)
    }
    speed = Double.minimum(speed, fastest(on: surface))
    if let smoothness = tags["smoothness"] {
      switch smoothness {
      case "bad": speed = Double.minimum(speed, 40)
      case "very_bad": speed = Double.minimum(speed, 20)
      case "horrible", "very_horrible", "impassable": speed = Double.minimum(speed, 8)
      default: break
      }
    }
    return Double.maximum(speed, 1)
  }

  /// Speed of trucks and buses, km/h.
  static func truckKmh(carKmh: Double, kind: RoadKind, limit: SpeedTags.Limit?) -> Double {
    var speed = Double.minimum(carKmh, kind.roadClass == .motorway ? 82 : 75)
    if case .kmh(let value) = limit { speed = Double.minimum(speed, value * shareOfLimit) }
    return Double.maximum(speed, 1)
  }

  static func bicycleKmh(roadClass: RoadClass, surface: Surface, access: Access) -> Double {
    if access == .dismount { return roadClass == .steps ? 2 : 4 }
    if roadClass == .ferry { return 18 }
    let speed: Double =
      switch roadClass {
      case .path, .track: 14
      case .livingStreet, .pedestrian: 12
      case .service: 15
      default: 18
      }
    switch surface {
    case .unknown, .paved: return speed
    case .cobbles, .compacted: return speed * 0.8
    case .gravel, .dirt: return speed * 0.6
    }
  }

  static func pedestrianKmh(kind: RoadKind) -> Double {
    switch kind.roadClass {
    case .steps: 3
    case .ferry: 18
    default: 5
    }
  }

  private static func fastest(on surface: Surface) -> Double {
    switch surface {
    case .unknown, .paved: .infinity
    case .cobbles: 30
    case .compacted: 50
    case .gravel: 35
    case .dirt: 25
    }
  }
}

import RoadGraph
import Route

/// Leaving a motorway, or a road built like one, by a ramp while the road continues.
struct ExitRule: ManeuverRule {
  func applies(_ junction: Junction) -> Bool {
    junction.from.isHighway && junction.onto.isLink && wayOn(junction) != nil
  }

  func maneuver(_ junction: Junction) -> Finding? {
    guard let wayOn = wayOn(junction) else { return nil }
    return Finding(.exit(junction.angleDeg < wayOn.angleDeg ? .left : .right), junction)
  }

  private func wayOn(_ junction: Junction) -> Junction.Branch? {
    // The road may change its class there: the ramp keeps the class, and a lesser road continues.
    let least: RoadClass = junction.onto.roadClass <= .trunk ? .primary : .trunk
    return junction.others.filter { !$0.road.isLink && $0.road.roadClass <= least }
      .min { abs($0.angleDeg) < abs($1.angleDeg) }
  }
}

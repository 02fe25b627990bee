import RoadGraph
import Route

/// Boarding a ferry, and leaving it.
struct FerryRule: ManeuverRule {
  func applies(_ junction: Junction) -> Bool {
    junction.from.flags.contains(.ferry) != junction.onto.flags.contains(.ferry)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    Finding(junction.onto.flags.contains(.ferry) ? .ferry : .continueOn, junction)
  }
}

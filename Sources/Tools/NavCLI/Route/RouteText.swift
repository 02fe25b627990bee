import Foundation
import Geodesy
import RoadGraph
import Route

/// A route as text to read.
enum RouteText {
  static func text(_ route: Route) -> String {
    var lines = [
      "\(distance(route.lengthM)), \(time(route.durations.trafficS))"
        + (route.offRoadDestination == nil ? "" : ", the destination is off-road")
    ]
    for maneuver in route.maneuvers {
      lines.append(
        String(format: "%8.2f km  ", maneuver.offsetM / 1000) + maneuver.text + lanes(maneuver))
    }
    for violation in route.violations {
      let metres = violation.spans.reduce(0) { $0 + route.spans[$1].lengthM }
      lines.append("not satisfied: \(violation.kind.rawValue), on \(distance(metres))")
    }
    if let vehicle = route.assumedVehicle { lines.append("assumed: \(sizes(vehicle))") }
    return lines.joined(separator: "\n")
  }

  /// The default sizes with which a truck or bus of unknown size is routed.
  private static func sizes(_ vehicle: VehicleSize) -> String {
    var words = [
      "\(number(vehicle.heightM)) m high", "\(number(vehicle.widthM)) m wide",
      "\(number(vehicle.lengthM)) m long", "\(number(vehicle.weightT)) t",
    ]
    if vehicle.axleLoadT > 0 { words.append("\(number(vehicle.axleLoadT)) t per axle") }
    if vehicle.axles > 0 { words.append("\(vehicle.axles) axles") }
    return words.joined(separator: ", ") + " (legal maximum where no size is given)"
  }

  private static func number(_ value: Double) -> String { String(format: "%g", value) }

  private static func lanes(_ maneuver: Maneuver) -> String {
    guard !maneuver.lanes.isEmpty else { return "" }
    let marks = maneuver.lanes.map { lane in
      let arrows = lane.directions.isEmpty ? "none" : lane.directions.joined(separator: ";")
      return lane.recommendation == .notRecommended ? arrows : "[\(arrows)]"
    }
    return "  lanes " + marks.joined(separator: "|")
  }

  private static func distance(_ metres: Double) -> String {
    metres < 1000
      ? "\(Int(metres.rounded())) m" : String(format: "%.1f km", metres / 1000)
  }

  private static func time(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded())
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

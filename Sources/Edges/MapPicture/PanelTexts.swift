import Messages
import Scene

/// The words and numbers of the cards.
struct PanelTexts {
  let units: DistanceUnits

  /// Number and unit of a distance.
  func distance(_ metres: Double) -> (number: String, unit: String) {
    let parts = units.text(metres).split(separator: " ")
    return (String(parts.first ?? ""), String(parts.last ?? ""))
  }

  /// Number and unit of a duration: 4 min, 1:05 h.
  static func duration(_ seconds: Double) -> (number: String, unit: String) {
    guard seconds.isFinite else { return ("–", "min") }
    let minutes = Swift.max(seconds > 0 ? 1 : 0, Int((Swift.min(seconds, 1e9) / 60).rounded()))
    if minutes < 60 { return ("\(minutes)", "min") }
    return ("\(minutes / 60):\(twoDigits(minutes % 60))", "h")
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// The time of day of an instant by a clock ahead of UTC.
  static func timeOfDay(ns: Int64, utcOffsetS: Int64) -> String {
    let seconds = ns / 1_000_000_000 + Swift.min(Swift.max(utcOffsetS, -86_400), 86_400)
    let minutes = Int(((seconds % 86_400) + 86_400) % 86_400) / 60
    return "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  func speed(_ mps: Double) -> (number: String, unit: String) {
    let isMetric = units == .metric
    guard mps.isFinite else { return ("–", isMetric ? "km/h" : "mph") }
    let number = Int((Swift.min(Swift.max(mps, 0), 1e4) * (isMetric ? 3.6 : 2.23694)).rounded())
    return ("\(number)", isMetric ? "km/h" : "mph")
  }

  /// The signs of a road: its numbers one by one.
  static func numbers(_ road: WireRoad?) -> [String] {
    (road?.number ?? "").split(separator: ";").map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  /// The name of the road after a maneuver, with its numbers; the place at an arrival.
  static func road(_ panel: WireScenePanel, _ maneuver: WireManeuver, _ route: WireRoute)
    -> (numbers: [String], text: String)
  {
    if maneuver.action == .arrive, route.offRoadLatDeg == nil {
      let index = Int(clamping: maneuver.section) + 1
      let name =
        route.waypoints.indices.contains(index) ? route.waypoints[index].original.name : ""
      let side =
        switch maneuver.arrivalSide {
        case .left: ", on the left"
        case .right: ", on the right"
        default: ""
        }
      return ([], (name.isEmpty ? "Your destination" : name) + side)
    }
    let road = panel.nextRoad ?? maneuver.ontoRoad
    let numbers = numbers(road)
    guard maneuver.action != .arrive, !(road.name.isEmpty && numbers.isEmpty) else {
      return ([], panel.text ?? maneuver.text)
    }
    return (numbers, road.name)
  }

  /// The delay by jams on the rest of the route, in seconds, and the colour of the worst; nil for none.
  static func delay(_ route: WireRoute, travelledM: Double) -> (seconds: Double, colour: String)? {
    let spans = route.spans
    var (seconds, worst) = (0.0, 0.0)
    for (index, start) in spans.startM.enumerated() {
      guard spans.jamFactor.indices.contains(index), spans.lengthM.indices.contains(index),
        spans.durationLatestS.indices.contains(index),
        spans.durationFreeFlowS.indices.contains(index)
      else { break }
      let (jam, length) = (spans.jamFactor[index], spans.lengthM[index])
      let left = min(length, start + length - travelledM)
      guard jam >= 4, left > 0, length > 0 else { continue }
      let added = spans.durationLatestS[index] - spans.durationFreeFlowS[index]
      seconds += max(0, added) * left / length
      worst = max(worst, jam)
    }
    return worst > 0 ? (seconds, TrafficColour.name(jamFactor: worst)) : nil
  }
}

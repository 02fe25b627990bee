import RoadGraph
import Route

extension Route {
  /// Indices of the spans on which traffic has closed a road.
  var closedSpans: [Int] { spans.indices.filter { spans[$0].jamFactor >= 10 } }

  /// Whether traffic has closed a road ahead of an offset (metres), other than at the route's end.
  ///
  /// The cost is linear in the number of spans.
  func hasClosure(beyondM travelledM: Double) -> Bool {
    // Pedestrians and cyclists can pass a closure.
    guard request.mode.isMotorised, let lastOpen = spans.lastIndex(where: { $0.jamFactor < 10 })
    else { return false }
    return spans[..<lastOpen].contains {
      $0.jamFactor >= 10 && $0.startM + $0.lengthM > travelledM
    }
  }
}

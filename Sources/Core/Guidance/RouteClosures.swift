import RoadGraph
import Route

extension Route {
  /// Indices of the spans on which traffic has closed a road.
  var closedSpans: [Int] { spans.indices.filter { spans[$0].jamFactor >= 10 } }

  /// Whether a road is closed beyond a place on the route, and not only where the route ends.
  ///
  /// Linear in the spans.
  func hasClosure(beyondM travelledM: Double) -> Bool {
    // On foot and by bicycle one gets through.
    guard request.mode.isMotorised, let lastOpen = spans.lastIndex(where: { $0.jamFactor < 10 })
    else { return false }
    return spans[..<lastOpen].contains {
      $0.jamFactor >= 10 && $0.startM + $0.lengthM > travelledM
    }
  }
}

import DrawnRoutes
import Foundations
import Guidance
import Testing

/// A match nearer to the route than its fix is accurate is no evidence of a departure.
@Suite struct DeviationDetectorTests {
  /// Whether ten fixes at a distance from the route are a departure.
  private func isOff(
    distanceM: Double, accuracyM: Double?, isOnItsRoads: Bool = false
  ) -> Bool {
    var watch = DeviationDetector()
    for second in 0..<10 {
      let sighting = elsewhere(
        Double(second) * 10, t: Double(second), accuracyM: accuracyM, northM: distanceM)
      _ = watch.sawElsewhere(sighting, distanceM: distanceM, isOnItsRoads: isOnItsRoads)
    }
    return watch.isOff
  }

  @Test(arguments: [(0.05, 3.0), (2.9, 3.0), (19, 20), (0.5, nil)] as [(Double, Double?)])
  func `a match within the accuracy of its fix is no departure, PR-14`(
    distanceM: Double, accuracyM: Double?
  ) {
    #expect(!isOff(distanceM: distanceM, accuracyM: accuracyM))
  }

  @Test(arguments: [(3.1, 3.0), (21, 20), (1.5, nil)] as [(Double, Double?)])
  func `a match beyond the accuracy of its fix is one, PR-6`(
    distanceM: Double, accuracyM: Double?
  ) {
    #expect(isOff(distanceM: distanceM, accuracyM: accuracyM))
  }

  @Test func `a vehicle that drives back along its route has left it, PR-6`() {
    #expect(isOff(distanceM: 0, accuracyM: 3, isOnItsRoads: true))
  }
}

import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route

/// A location on the `index`-th segment of `route`, `offsetM` into it, `t` seconds into the drive.
func on(
  _ route: Route, _ index: Int, _ offsetM: Double, t: Double, speedMps: Double? = 10
) -> VehicleLocation {
  let at = place(Double(index) * 100 + offsetM)
  return VehicleLocation(
    time: Instant(seconds: t),
    match: .init(
      place: at, bearingDeg: 90, segment: route.segments[index].reference, offsetM: offsetM,
      probability: 0.95), raw: at, accuracyM: 5, speedMps: speedMps)
}

/// A location matched to a road that no drawn route uses, 60 m north of the `eastM` place.
func elsewhere(
  _ eastM: Double, t: Double, probability: Double = 0.9, accuracyM: Double? = 5,
  northM: Double = 60, isEstimated: Bool = false
) -> VehicleLocation {
  let at = place(eastM, north: northM)
  return VehicleLocation(
    time: Instant(seconds: t),
    match: .init(
      place: at, bearingDeg: 0, segment: SegmentReference(way: 9, from: 1, to: 2), offsetM: 1,
      probability: probability), raw: at, accuracyM: accuracyM, speedMps: 10,
    isEstimated: isEstimated)
}

public import Foundations
public import Geodesy
import RealModule

/// The position of the sun, which decides between day and night colours.
public enum Sun {
  /// Below this elevation the lights are on: half way through civil twilight, degrees.
  public static let nightElevationDeg = -3.0

  /// Elevation of the sun in degrees at a place and moment; accurate to about half a degree from
  /// 1950 to 2050.
  ///
  /// J. Michalsky, "The Astronomical Almanac's algorithm for approximate solar position
  /// (1950-2050)", Solar Energy 40 (1988). Without refraction.
  public static func elevationDeg(at place: Coordinate, when now: Instant) -> Double {
    let days = now.seconds / 86_400 - 10_957.5
    let meanLongitude = 280.460 + 0.985_647_4 * days
    let anomaly = radians(357.528 + 0.985_600_3 * days)
    let longitude = radians(
      meanLongitude + 1.915 * Double.sin(anomaly) + 0.020 * Double.sin(2 * anomaly))
    let obliquity = radians(23.439 - 0.000_000_4 * days)
    let ascension = Double.atan2(
      y: Double.cos(obliquity) * Double.sin(longitude), x: Double.cos(longitude))
    let declination = Double.asin(Double.sin(obliquity) * Double.sin(longitude))
    let hours = 6.697_375 + 0.065_709_824_2 * days + wrapped(days + 0.5, by: 1) * 24
    let hourAngle = radians(hours * 15 + place.longitudeDeg) - ascension
    let latitude = radians(place.latitudeDeg)
    let sine =
      Double.sin(declination) * Double.sin(latitude)
      + Double.cos(declination) * Double.cos(latitude) * Double.cos(hourAngle)
    return Double.asin(Double.minimum(1, Double.maximum(-1, sine))) * 180 / .pi
  }

  private static func radians(_ degrees: Double) -> Double { wrapped(degrees, by: 360) * .pi / 180 }

  private static func wrapped(_ value: Double, by period: Double) -> Double {
    let rest = value - (value / period).rounded(.down) * period
    return rest
  }
}

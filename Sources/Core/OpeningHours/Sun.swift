import Foundations
import RealModule

/// When the sun rises and sets.
///
/// The algorithm of the Almanac for Computers, US Naval Observatory, 1990: within a few minutes.
enum Sun {
  enum Event: Hashable {
    case dawn
    case sunrise
    case sunset
    case dusk

    var isMorning: Bool { self == .dawn || self == .sunrise }
    /// The sun's distance from the zenith: at the horizon with refraction, and at civil twilight.
    var zenithDeg: Double { self == .sunrise || self == .sunset ? 90.833 : 96 }
  }

  /// Minutes of local time on a day; nil if the sun does not rise or set.
  static func minute(_ event: Event, on moment: LocalMoment, date: CivilDate) -> Int? {
    guard moment.latitudeDeg.isFinite, moment.longitudeDeg.isFinite else { return nil }
    let rad = Double.pi / 180
    let longitudeHour = moment.longitudeDeg / 15
    let t = Double(date.dayOfYear) + ((event.isMorning ? 6 : 18) - longitudeHour) / 24
    let meanAnomaly = 0.9856 * t - 3.289
    let longitude = wrapped(
      meanAnomaly + 1.916 * .sin(meanAnomaly * rad) + 0.020 * .sin(2 * meanAnomaly * rad)
        + 282.634, 360)
    var ascension = wrapped(.atan(0.91764 * .tan(longitude * rad)) / rad, 360)
    ascension += (longitude / 90).rounded(.down) * 90 - (ascension / 90).rounded(.down) * 90
    let sinDeclination = 0.39782 * Double.sin(longitude * rad)
    let cosDeclination = Double.cos(.asin(sinDeclination))
    let cosHour =
      (Double.cos(event.zenithDeg * rad) - sinDeclination * .sin(moment.latitudeDeg * rad))
      / (cosDeclination * .cos(moment.latitudeDeg * rad))
    guard cosHour >= -1, cosHour <= 1 else { return nil }
    let hourAngle = Double.acos(cosHour) / rad
    let hour = (event.isMorning ? 360 - hourAngle : hourAngle) / 15
    let mean = hour + ascension / 15 - 0.06571 * t - 6.622
    let local = wrapped(mean - longitudeHour + Double(moment.offsetMin) / 60, 24)
    return Int((local * 60).rounded()) % 1440
  }

  private static func wrapped(_ value: Double, _ period: Double) -> Double {
    value - (value / period).rounded(.down) * period
  }
}

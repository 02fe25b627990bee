public import Foundations

/// The local time at a place, and the properties of the place that rules depend on.
public struct LocalMoment: Hashable, Sendable {
  public var date: CivilDate
  /// 0 to 1439.
  public var minute: Int
  public var latitudeDeg: Double
  public var longitudeDeg: Double
  /// ISO 3166-1 letters; nil if unknown.
  public var country: String?
  /// Minutes by which the local time is ahead of UTC.
  public var offsetMin: Int

  public init(
    date: CivilDate, minute: Int, latitudeDeg: Double = 0, longitudeDeg: Double = 0,
    country: String? = nil, offsetMin: Int = 0
  ) {
    self.date = date
    self.minute = minute
    self.latitudeDeg = latitudeDeg
    self.longitudeDeg = longitudeDeg
    self.country = country
    self.offsetMin = offsetMin
  }

  /// A moment in local time, by the time zone of the place.
  public init(
    _ instant: Instant, latitudeDeg: Double, longitudeDeg: Double, country: String?
  ) {
    let zone = TimeZones.zone(
      country: country, latitudeDeg: latitudeDeg, longitudeDeg: longitudeDeg)
    let utcMin = Int((instant.seconds / 60).rounded(.down))
    let offset = zone.offsetMin(utcMin: utcMin)
    let local = utcMin + offset
    let day = Int((Double(local) / 1440).rounded(.down))
    self.init(
      date: CivilDate(day: day), minute: local - day * 1440, latitudeDeg: latitudeDeg,
      longitudeDeg: longitudeDeg, country: country, offsetMin: offset)
  }
}

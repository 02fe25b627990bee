public import EventTime

/// What the clock on the wall says somewhere, and what must be known of the place to judge it.
public struct LocalMoment: Hashable, Sendable {
  public var date: CivilDate
  /// 0 to 1439.
  public var minute: Int
  public var latitudeDeg: Double
  public var longitudeDeg: Double
  /// ISO 3166-1 letters; nil unknown.
  public var country: String?
  /// What the clock is ahead of UTC.
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

  /// A moment as a place's clock shows it, by the time zone of the place.
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

import Foundations
import Geodesy
import OpeningHours
import Testing

/// The clocks of known places against Python's zoneinfo with tzdata 2025.2.
@Suite struct TimeZoneTests {
  struct City: CustomTestStringConvertible, Sendable {
    var name: String
    var zone: String
    var place: Coordinate
    /// What the clock is ahead of UTC at each of `moments`.
    var offsetsMin: [Int]

    init(_ row: String) {
      let words = row.split(separator: " ").map(String.init)
      (name, zone) = (words[0], words[1])
      place = Coordinate(
        latitudeDeg: Double(words[2]) ?? .nan, longitudeDeg: Double(words[3]) ?? .nan)
      offsetsMin = words.dropFirst(4).compactMap { Int($0) }
    }

    var testDescription: String { name }
  }

  /// Noon UTC of 15 January 2012, 20 February, 1 June and 1 December 2026, and 28 October 2035.
  static let moments = [22_110_480, 29_526_480, 29_671_920, 29_935_440, 34_619_760]

  static let cities: [City] = """
    Heidelberg Europe/Berlin 49.41 8.69 60 60 120 60 60
    Porto Europe/Lisbon 41.15 -8.61 0 0 60 0 0
    NewYork America/New_York 40.71 -74.0 -300 -300 -240 -300 -240
    Madrid Europe/Madrid 40.42 -3.7 60 60 120 60 60
    Paris Europe/Paris 48.86 2.35 60 60 120 60 60
    Phoenix America/Phoenix 33.45 -112.07 -420 -420 -420 -420 -420
    LordHowe Australia/Lord_Howe -31.54 159.08 660 660 630 660 660
    Kolkata Asia/Kolkata 22.57 88.36 330 330 330 330 330
    Kathmandu Asia/Kathmandu 27.72 85.32 345 345 345 345 345
    Tenerife Atlantic/Canary 28.46 -16.25 0 0 60 0 0
    Azores Atlantic/Azores 37.74 -25.67 -60 -60 0 -60 -60
    Madeira Atlantic/Madeira 32.65 -16.91 0 0 60 0 0
    Ceuta Africa/Ceuta 35.89 -5.32 60 60 120 60 60
    Casablanca Africa/Casablanca 33.57 -7.59 0 0 60 60 0
    Cairo Africa/Cairo 30.04 31.24 120 120 180 120 120
    Jerusalem Asia/Jerusalem 31.78 35.22 120 120 180 120 120
    Santiago America/Santiago -33.45 -70.67 -180 -180 -240 -180 -180
    Dublin Europe/Dublin 53.35 -6.26 0 0 60 0 0
    StJohns America/St_Johns 47.56 -52.71 -210 -210 -150 -210 -150
    Regina America/Regina 50.45 -104.61 -360 -360 -360 -360 -360
    Tijuana America/Tijuana 32.51 -117.04 -480 -480 -420 -480 -420
    CiudadJuarez America/Ciudad_Juarez 31.69 -106.42 -420 -420 -360 -420 -360
    ElPaso America/Denver 31.76 -106.49 -420 -420 -360 -420 -360
    Manaus America/Manaus -3.12 -60.02 -240 -240 -240 -240 -240
    Adelaide Australia/Adelaide -34.93 138.6 630 630 570 630 630
    Brisbane Australia/Brisbane -27.47 153.03 600 600 600 600 600
    Perth Australia/Perth -31.95 115.86 480 480 480 480 480
    Yekaterinburg Asia/Yekaterinburg 56.84 60.6 360 300 300 300 300
    Kaliningrad Europe/Kaliningrad 54.71 20.45 180 120 120 120 120
    Almaty Asia/Almaty 43.24 76.89 360 300 300 300 300
    Hovd Asia/Hovd 48.01 91.64 420 420 420 420 420
    Lubumbashi Africa/Lubumbashi -11.66 27.48 120 120 120 120 120
    Kinshasa Africa/Kinshasa -4.44 15.27 60 60 60 60 60
    Jakarta Asia/Jakarta -6.2 106.82 420 420 420 420 420
    Jayapura Asia/Jayapura -2.53 140.72 540 540 540 540 540
    EasterIsland Pacific/Easter -27.15 -109.43 -300 -300 -360 -300 -300
    Chatham Pacific/Chatham -43.95 -176.56 825 825 765 825 825
    Reunion Indian/Reunion -21.11 55.54 240 240 240 240 240
    Pensacola America/Chicago 30.42 -87.22 -360 -360 -300 -360 -300
    Indianapolis America/Indiana/Indianapolis 39.77 -86.16 -300 -300 -240 -300 -240
    WindowRock America/Denver 35.68 -109.05 -420 -420 -360 -420 -360
    Istanbul Europe/Istanbul 41.01 28.98 120 180 180 180 180
    Tehran Asia/Tehran 35.69 51.39 210 210 210 210 210
    """.split(separator: "\n").map { City(String($0)) }

  @Test("clocks are those of the place, in winter and in summer, TR-10", arguments: cities)
  func clock(_ city: City) {
    let zone = TimeZones.zone(at: city.place)
    #expect(zone.name == city.zone)
    #expect(city.offsetsMin.count == Self.moments.count)
    for (moment, offset) in zip(Self.moments, city.offsetsMin) {
      #expect(zone.rule.offsetMin(utcMin: moment) == offset, "at minute \(moment)")
    }
  }

  @Test func `a country with one zone needs no position, and a map knows its borders better`() {
    let heidelberg = Coordinate(latitudeDeg: 49.41, longitudeDeg: 8.69)
    #expect(TimeZones.zone(at: heidelberg, country: "PT").name == "Europe/Lisbon")
    #expect(TimeZones.zone(at: heidelberg, country: "US").name == "America/New_York")
    #expect(TimeZones.zone(at: heidelberg, country: "AU").name == "Australia/Sydney")
    #expect(TimeZones.zone(at: heidelberg, country: "XX").name == "Europe/Berlin")
    let perth = Coordinate(latitudeDeg: -31.95, longitudeDeg: 115.86)
    #expect(TimeZones.zone(at: perth, country: "AU").name == "Australia/Perth")
  }

  @Test(arguments: [
    (47.0, -30.0, "Etc/GMT+2", -120), (0, -100, "Etc/GMT+7", -420), (10, 60, "Etc/GMT-4", 240),
    (0, 179.9, "Etc/GMT-12", 720), (0, -179.9, "Etc/GMT+12", -720), (0, -1, "Etc/GMT", 0),
    (.nan, 0, "Etc/GMT", 0), (0, .infinity, "Etc/GMT", 0), (-80, 90, "Etc/GMT-6", 360),
  ])
  func `at sea clocks follow the nautical zones`(
    latitudeDeg: Double, longitudeDeg: Double, name: String, offsetMin: Int
  ) {
    let zone = TimeZones.zone(
      at: Coordinate(latitudeDeg: latitudeDeg, longitudeDeg: longitudeDeg))
    #expect(zone.name == name)
    #expect(zone.rule.offsetMin(utcMin: 29_671_920) == offsetMin)
  }

  @Test func `every built-in area has a rule`() {
    // Reading again shows a line that the look-up would pass over.
    for name in ["Africa/Abidjan", "Pacific/Apia", "America/Nuuk", "Asia/Gaza", "Europe/Kyiv"] {
      #expect(TimeZones.zone(named: name)?.name == name)
    }
    #expect(TimeZones.areaNames.count > 400)
    for name in TimeZones.areaNames { #expect(TimeZones.zone(named: name) != nil, "\(name)") }
  }

  @Test func `clocks change during a trip, each at its minute`() throws {
    func offset(_ zone: String, _ utcMin: Int) throws -> Int {
      try #require(TimeZones.zone(named: zone)).rule.offsetMin(utcMin: utcMin)
    }
    // 2026-03-29T01:00Z and 2026-10-25T01:00Z for all of Europe.
    for (zone, winter) in [("Europe/Berlin", 60), ("Europe/Lisbon", 0), ("Europe/Helsinki", 120)] {
      #expect(try offset(zone, 29_579_099) == winter)
      #expect(try offset(zone, 29_579_100) == winter + 60)
      #expect(try offset(zone, 29_881_499) == winter + 60)
      #expect(try offset(zone, 29_881_500) == winter)
    }
    // New York, 2026-03-08T07:00Z and 2026-11-01T06:00Z; Lord Howe goes by half an hour, 2026-04-04T15:00Z.
    #expect(try offset("America/New_York", 29_549_219) == -300)
    #expect(try offset("America/New_York", 29_549_220) == -240)
    #expect(try offset("America/New_York", 29_891_879) == -240)
    #expect(try offset("America/New_York", 29_891_880) == -300)
    #expect(try offset("Australia/Lord_Howe", 29_588_579) == 660)
    #expect(try offset("Australia/Lord_Howe", 29_588_580) == 630)
  }

  @Test(arguments: [
    (49.41, 8.69, 1_780_295_400.0), (49.41, 8.69, 1_796_110_200), (41.15, -8.61, 1_780_299_000),
    (41.15, -8.61, 1_796_113_800),
  ])
  func `a profile of 08:00 to 09:00 holds at 08:30 of the place, without a country, TR-10`(
    latitudeDeg: Double, longitudeDeg: Double, halfPastEight: Double
  ) throws {
    // 2026-06-01 and 2026-12-01, 08:30 in Heidelberg and in Porto.
    let hours = try OpeningHours("Mo-Su 08:00-09:00")
    for (minutes, state) in [(-31.0, false), (0, true), (29, true), (30, false)] {
      let moment = LocalMoment(
        Instant(seconds: halfPastEight + minutes * 60), latitudeDeg: latitudeDeg,
        longitudeDeg: longitudeDeg, country: nil)
      #expect((hours.state(at: moment) == .open) == state, "\(minutes) min")
    }
  }
}

import Foundations
import Testing

@testable import OpeningHours

/// 2026-03-02 is a Monday; places are in Porto unless said otherwise.
func moment(
  _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0, country: String = "PT"
) -> LocalMoment {
  LocalMoment(
    date: CivilDate(year: year, month: month, dayOfMonth: day), minute: hour * 60 + minute,
    latitudeDeg: 41.15, longitudeDeg: -8.61, country: country)
}

@Suite struct StateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let at: LocalMoment
    let state: OpeningHours.State
    var testDescription: String { "\(text) at \(at.date.parts) \(at.minute / 60)" }

    init(_ text: String, _ at: LocalMoment, _ state: OpeningHours.State) {
      self.text = text
      self.at = at
      self.state = state
    }
  }

  static let cases: [Case] = [
    Case("24/7", moment(2026, 3, 2, 3), .open),
    Case("Mo-Fr 07:00-09:00", moment(2026, 3, 2, 8), .open),
    Case("Mo-Fr 07:00-09:00", moment(2026, 3, 2, 9), .closed),
    Case("Mo-Fr 07:00-09:00", moment(2026, 3, 7, 8), .closed),
    Case("Mo-Fr 07:00-09:00,16:00-18:00", moment(2026, 3, 3, 17, 59), .open),
    Case("Sa-Mo 10:00-12:00", moment(2026, 3, 1, 10), .open),
    Case("Sa-Mo 10:00-12:00", moment(2026, 3, 3, 10), .closed),
    // Over midnight the day on which it began counts.
    Case("Fr 22:00-03:00", moment(2026, 3, 7, 2, 59), .open),
    Case("Fr 22:00-03:00", moment(2026, 3, 6, 2), .closed),
    Case("Fr 22:00-26:00", moment(2026, 3, 7, 1, 59), .open),
    Case("Fr 22:00-26:00", moment(2026, 3, 7, 2), .closed),
    Case("22:00-06:00", moment(2026, 3, 7, 5), .open),
    // A later rule replaces an earlier one on its days; "off" with times only cuts.
    Case("Mo-Su 08:00-18:00; Su 10:00-12:00", moment(2026, 3, 1, 9), .closed),
    Case("Mo-Su 08:00-18:00; Mo 12:00-13:00 off", moment(2026, 3, 2, 12), .closed),
    Case("Mo-Su 08:00-18:00; Mo 12:00-13:00 off", moment(2026, 3, 2, 13), .open),
    Case("Mo-Fr 08:00-12:00, We 14:00-16:00", moment(2026, 3, 4, 9), .open),
    Case("Mo-Fr 08:00-12:00, We 14:00-16:00", moment(2026, 3, 4, 15), .open),
    Case("Mo-Fr 08:00-12:00; We 14:00-16:00", moment(2026, 3, 4, 9), .closed),
    // Holidays: 25 April is one in Portugal, Good Friday 2026 is 3 April.
    Case("Mo-Su 08:00-18:00; PH off", moment(2026, 4, 25, 9), .closed),
    Case("Mo-Su 08:00-18:00; PH off", moment(2026, 4, 3, 9), .closed),
    Case("PH,Su 08:00-18:00", moment(2026, 4, 25, 9), .open),
    Case("PH -1 day 08:00-18:00", moment(2026, 4, 24, 9), .open),
    Case("Mo-Fr 08:00-18:00; PH off", moment(2026, 4, 3, 9, country: "XX"), .unknown),
    Case("SH Mo-Fr 08:00-18:00", moment(2026, 3, 2, 9), .unknown),
    Case("SH Mo-Fr 08:00-18:00", moment(2026, 3, 1, 9), .closed),
    // Dates, months, weeks, years.
    Case("Nov-Mar", moment(2026, 1, 15, 9), .open),
    Case("Nov-Mar", moment(2026, 4, 1, 9), .closed),
    Case("Jun 15-Sep 15 08:00-20:00", moment(2026, 9, 15, 19), .open),
    Case("Jun 15-Sep 15 08:00-20:00", moment(2026, 9, 16, 19), .closed),
    Case("Dec 24-Jan 06: 10:00-12:00", moment(2026, 1, 6, 11), .open),
    Case("Jul 1-10", moment(2026, 7, 10, 0), .open),
    Case("Jul 1-10", moment(2026, 7, 11, 0), .closed),
    Case("Feb 29", moment(2024, 2, 29, 0), .open),
    Case("easter", moment(2026, 4, 5, 0), .open),
    Case("easter -2 days-easter +1 day", moment(2026, 4, 6, 0), .open),
    Case("easter -2 days-easter +1 day", moment(2026, 4, 7, 0), .closed),
    Case("Dec 25 -Su", moment(2026, 12, 20, 0), .open),
    Case("2025", moment(2026, 3, 2, 9), .closed),
    Case("2025+", moment(2026, 3, 2, 9), .open),
    Case("2024-2030/2", moment(2026, 3, 2, 9), .open),
    Case("2025 Dec 20-2026 Mar 3", moment(2026, 3, 3, 9), .open),
    Case("2025 Dec 20-2026 Mar 3", moment(2027, 1, 3, 9), .closed),
    Case("week 10", moment(2026, 3, 2, 9), .open),
    Case("week 1-9,11-53/2", moment(2026, 3, 9, 9), .open),
    Case("week 1-9,12-53/2", moment(2026, 3, 9, 9), .closed),
    Case("Mo[1] 08:00-10:00", moment(2026, 3, 2, 9), .open),
    Case("Mo[2,3] 08:00-10:00", moment(2026, 3, 2, 9), .closed),
    Case("Mo[-1] 08:00-10:00", moment(2026, 3, 30, 9), .open),
    Case("Su[-1] +1 day", moment(2026, 3, 30, 9), .open),
    // The sun: in Porto in March it rises after half past six and sets before seven (UTC).
    Case("sunrise-sunset", moment(2026, 3, 2, 8), .open),
    Case("sunrise-sunset", moment(2026, 3, 2, 6), .closed),
    Case("sunset-sunrise", moment(2026, 3, 2, 22), .open),
    Case("sunset-sunrise", moment(2026, 3, 2, 2), .open),
    Case("(sunset-02:00)-23:00", moment(2026, 3, 2, 17), .open),
    Case("dawn-(sunrise+00:10)", moment(2026, 3, 2, 7), .open),
    // States, comments, fallbacks, ends nobody knows.
    Case("Mo-Fr 08:00-18:00 || \"by appointment\"", moment(2026, 3, 7, 9), .unknown),
    Case("Mo-Fr 08:00-18:00 || Sa open", moment(2026, 3, 7, 9), .open),
    Case("Mo 08:00-18:00 unknown \"perhaps\"", moment(2026, 3, 2, 9), .unknown),
    Case("17:00+", moment(2026, 3, 2, 23), .open),
    Case("17:00+", moment(2026, 3, 2, 16), .closed),
    Case("10:00-16:00/01:30", moment(2026, 3, 2, 11, 30), .open),
    Case("10:00-16:00/01:30", moment(2026, 3, 2, 11, 31), .closed),
    Case("off", moment(2026, 3, 2, 9), .closed),
    Case("Mo-Fr;", moment(2026, 3, 2, 9), .open),
  ]

  @Test(arguments: cases)
  func `hours hold when they say, RT-8, EV-2`(known: Case) throws {
    #expect(try OpeningHours(known.text).state(at: known.at) == known.state)
  }

  @Test(
    "blanks around a dash, and an en dash, change nothing, RT-8",
    arguments: [
      ("Apr 1 - Oct 31", "Apr 1-Oct 31"), ("Apr - Oct", "Apr-Oct"),
      ("2024 Jan 1 - 2027 Dec 31", "2024 Jan 1-2027 Dec 31"),
      ("Mo - Fr 07:00 - 09:00", "Mo-Fr 07:00-09:00"), ("Nov 1 -Dec 30", "Nov 1-Dec 30"),
      ("2026 - 2027", "2026-2027"), ("week 1 - 10", "week 1-10"),
      ("easter - Oct 10", "easter-Oct 10"), ("May 15 \u{2013} Sep 15", "May 15-Sep 15"),
      ("Oct 1 - Apr 1 Mo - Fr 22:00 - 06:00", "Oct 1-Apr 1 Mo-Fr 22:00-06:00"),
      ("easter -2 days - easter +1 day", "easter -2 days-easter +1 day"),
    ])
  func dashes(text: String, plain: String) throws {
    #expect(try OpeningHours(text) == OpeningHours(plain))
  }

  @Test(arguments: [
    ("", 0), ("Mo-", 3), ("Mo-Fr 25:00", 6), ("Mo-Fr 07:00-", 12), ("Xy 07:00", 0),
    ("Mo-Fr 07:60-08:00", 6), ("Feb 30", 6), ("week 54", 7), ("Mo[6]", 4), ("Mo Tu", 5),
    ("07:00-09:00 tomorrow", 12), ("\"open", 5), ("mo-fr", 0), ("Mo-Fr 7-9", 6), ("2025-2024", 9),
    ("(sunset)-23:00", 7), ("Mo-Fr 49:00-50:00", 6), (";", 0), ("Jan 1-", 6),
  ])
  func `what is no opening hours is refused at its byte`(text: String, byte: Int) {
    let fault = #expect(throws: HoursFault.self) { _ = try OpeningHours(text) }
    #expect(fault?.byte == byte, "\(fault?.description ?? "")")
  }

  @Test func `many rules are refused, deep ones do not exist`() {
    let text = Array(repeating: "Mo 10:00-11:00", count: 5000).joined(separator: "; ")
    #expect(throws: HoursFault.self) { _ = try OpeningHours(text) }
  }
}

@Suite struct ClockTests {
  @Test(arguments: [
    ("PT", 41.15, -8.61, 1_772_452_800.0, 0, 12), ("DE", 49.4, 8.7, 1_772_452_800, 0, 13),
    ("DE", 49.4, 8.7, 1_782_907_200, 2, 14), ("US", 40.7, -74, 1_782_907_200, 2, 8),
    ("US", 33.4, -112, 1_782_907_200, 2, 5), ("AU", -33.9, 151.2, 1_772_452_800, 0, 23),
    ("MA", 33.6, -7.6, 1_782_907_200, 2, 13), ("SG", 1.35, 103.8, 1_772_452_800, 0, 20),
    ("XX", 0, -30, 1_772_452_800, 0, 10),
  ])
  func `a clock shows its country's time, in winter and in summer`(
    country: String, lat: Double, lon: Double, seconds: Double, weekday: Int, hour: Int
  ) {
    let local = LocalMoment(
      Instant(seconds: seconds), latitudeDeg: lat, longitudeDeg: lon, country: country)
    #expect(local.minute / 60 == hour)
    #expect(local.date.weekday == weekday)
  }

  @Test func `days, weeks and Easter are those of the calendar`() {
    for day in stride(from: -200_000, to: 200_000, by: 37) {
      let (year, month, dayOfMonth) = CivilDate(day: day).parts
      #expect(CivilDate(year: year, month: month, dayOfMonth: dayOfMonth).day == day)
    }
    #expect(CivilDate(year: 2026, month: 3, dayOfMonth: 2).weekday == 0)
    #expect(CivilDate(year: 2027, month: 1, dayOfMonth: 1).isoWeek == 53)
    #expect(CivilDate(year: 2024, month: 12, dayOfMonth: 30).isoWeek == 1)
    let easters = [2024: (3, 31), 2025: (4, 20), 2026: (4, 5), 2038: (4, 25)]
    for (year, (month, day)) in easters {
      #expect(CivilDate.easter(year: year) == CivilDate(year: year, month: month, dayOfMonth: day))
    }
  }

  @Test func `the sun rises and sets where and when it does`() throws {
    // Greenwich, 21 June: 04:43 and 21:21 British summer time.
    let june = LocalMoment(
      date: CivilDate(year: 2026, month: 6, dayOfMonth: 21), minute: 0, latitudeDeg: 51.48,
      longitudeDeg: 0, country: "GB", offsetMin: 60)
    let rise = try #require(Sun.minute(.sunrise, on: june, date: june.date))
    let set = try #require(Sun.minute(.sunset, on: june, date: june.date))
    #expect(abs(rise - (4 * 60 + 43)) <= 3)
    #expect(abs(set - (21 * 60 + 21)) <= 3)
    var north = june
    north.latitudeDeg = 80
    #expect(Sun.minute(.sunset, on: north, date: june.date) == nil)
    north.latitudeDeg = .nan
    #expect(Sun.minute(.sunset, on: north, date: june.date) == nil)
  }
}

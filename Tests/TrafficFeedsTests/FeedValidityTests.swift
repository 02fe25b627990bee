import Foundations
import OpeningHours
import Testing
import TrafficFeeds

@Suite struct FeedValidityTests {
  private let berlin = TimeZoneRule(60, .europe)

  private func moment(_ text: String) throws -> Instant { try #require(TimeText.iso8601(text)) }

  private func window(
    _ validity: FeedValidity, at text: String
  ) throws -> FeedWindow? {
    validity.window(at: try moment(text), zone: berlin)
  }

  @Test func `the past is over, the present holds, the future begins, TR-1`() throws {
    let validity = FeedValidity(
      from: try moment("2026-03-01T08:00:00Z"), until: try moment("2026-03-02T08:00:00Z"))
    let before = try #require(try window(validity, at: "2026-02-01T00:00:00Z"))
    #expect(!before.holds(at: try moment("2026-02-01T00:00:00Z")))
    #expect(before.holds(at: try moment("2026-03-01T08:00:00Z")))
    #expect(try window(validity, at: "2026-03-02T07:59:59Z")?.until == validity.until)
    #expect(try window(validity, at: "2026-03-02T08:00:00Z") == nil)
    #expect(try window(FeedValidity(), at: "2026-03-02T08:00:00Z") == FeedWindow())
  }

  @Test func `hours come again by the clock of the place, through midnight and summer time, TR-1`()
    throws
  {
    let validity = FeedValidity(
      from: try moment("2026-03-20T00:00:00Z"), until: try moment("2026-04-20T00:00:00Z"),
      periods: [
        FeedPeriod(
          hours: [FeedHours(startS: 22 * 3600, endS: 5 * 3600)], weekdays: [0, 1, 2, 3, 4])
      ])
    // Friday the 27th is the last night in winter time that begins on a weekday.
    let friday = try #require(try window(validity, at: "2026-03-27T12:00:00Z"))
    #expect(friday.from == (try moment("2026-03-27T21:00:00Z")))
    #expect(friday.until == (try moment("2026-03-28T04:00:00Z")))
    #expect(try window(validity, at: "2026-03-28T03:00:00Z") == friday)
    let monday = try #require(try window(validity, at: "2026-03-28T04:00:00Z"))
    #expect(monday.from == (try moment("2026-03-30T20:00:00Z")))
    #expect(monday.until == (try moment("2026-03-31T03:00:00Z")))
    #expect(try window(validity, at: "2026-04-18T12:00:00Z") == nil)
  }

  @Test func `months, exceptions and hours with a zone of their own count, TR-1`() throws {
    let validity = FeedValidity(
      periods: [
        FeedPeriod(hours: [FeedHours(startS: 36_000, endS: 43_200, offsetMin: 0)], months: [6])
      ],
      exceptions: [
        FeedPeriod(
          from: try moment("2026-06-01T00:00:00Z"), until: try moment("2026-06-03T11:00:00Z"))
      ])
    // Found although it lies months ahead.
    let first = try #require(try window(validity, at: "2026-01-10T00:00:00Z"))
    #expect(first.from == (try moment("2026-06-03T11:00:00Z")))
    #expect(first.until == (try moment("2026-06-03T12:00:00Z")))
    #expect(
      try window(validity, at: "2026-06-03T12:00:00Z")?.from
        == (try moment("2026-06-04T10:00:00Z")))
  }

  @Test func `periods that touch are one, and an exception over all of it leaves nothing, TR-1`()
    throws
  {
    let days = FeedValidity(
      from: try moment("2026-05-04T00:00:00Z"), until: try moment("2026-05-08T00:00:00Z"),
      periods: [FeedPeriod(weekdays: [0, 1, 2, 3, 4, 5, 6])])
    let window = try #require(try window(days, at: "2026-05-04T10:00:00Z"))
    #expect(window.from == days.from && window.until == days.until)
    var none = days
    none.exceptions = [FeedPeriod(from: try moment("2026-05-01T00:00:00Z"))]
    #expect(try self.window(none, at: "2026-05-04T10:00:00Z") == nil)
  }
}

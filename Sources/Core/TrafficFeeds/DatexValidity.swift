import Documents
import Foundations

/// Reads the validity of a situation record: its status, its overall time, and periods in it.
struct DatexValidity {
  private let node: XMLNode?
  private let published: Instant?
  private(set) var problems: [String] = []

  init(_ record: XMLNode, published: Instant?) {
    node = record["validity"]
    self.published = published
  }

  var isSuspended: Bool { node?["validityStatus"]?.text == "suspended" }

  /// The times of the record.
  ///
  /// An `active` record holds from its publication at the latest, and has no end if its end
  /// had passed when it was published.
  mutating func validity() -> FeedValidity {
    let times = node?["validityTimeSpecification"]
    var validity = FeedValidity(
      from: moment(times?["overallStartTime"]), until: moment(times?["overallEndTime"]))
    if node?["validityStatus"]?.text == "active" {
      if let published {
        validity.from = validity.from.map { min($0, published) }
        if let until = validity.until, until <= published { validity.until = nil }
      }
      if node?["overrunning"]?.text == "true" { validity.until = nil }
    }
    if let from = validity.from, let until = validity.until, until <= from {
      problems.append("it ends before it begins; only its end is used")
      validity.from = nil
    }
    for period in times?.all("validPeriod") ?? [] { validity.periods += periods(period) }
    for period in times?.all("exceptionPeriod") ?? [] { validity.exceptions += periods(period) }
    return validity
  }

  /// One period for each day rule of a DATEX II period.
  private mutating func periods(_ node: XMLNode) -> [FeedPeriod] {
    var period = FeedPeriod(
      from: moment(node["startOfPeriod"]), until: moment(node["endOfPeriod"]))
    for hours in node.all("recurringTimePeriodOfDay") {
      if let hours = self.hours(hours) { period.hours.append(hours) }
    }
    if node["recurringSpecialDay"] != nil {
      problems.append("recurringSpecialDay is not supported; the period applies to all days")
    }
    let rules = node.all("recurringDayWeekMonthPeriod").map { days($0, period) }
    return rules.isEmpty ? [period] : rules
  }

  private mutating func days(_ node: XMLNode, _ period: FeedPeriod) -> FeedPeriod {
    var period = period
    for child in node.children {
      switch child.name {
      case "applicableDay":
        if let day = DatexVocabulary.weekdays.firstIndex(of: child.text) {
          period.weekdays.insert(day)
        } else {
          problems.append("applicableDay: \"\(child.text.prefix(40))\" is not a weekday")
        }
      case "applicableMonth":
        if let month = DatexVocabulary.months.firstIndex(of: child.text) {
          period.months.insert(month + 1)
        } else {
          problems.append("applicableMonth: \"\(child.text.prefix(40))\" is not a month")
        }
      default:
        problems.append("\(child.name) is not supported; the period applies to all weeks")
      }
    }
    return period
  }

  private mutating func hours(_ node: XMLNode) -> FeedHours? {
    guard let start = node["startTimeOfPeriod"], let end = node["endTimeOfPeriod"],
      let from = Self.time(start.text), let to = Self.time(end.text)
    else {
      problems.append("recurringTimePeriodOfDay is not a start and an end such as 22:00:00")
      return nil
    }
    // The last second of a day stands for midnight.
    let endS = to.second >= 86_399 ? 86_400 : to.second
    return FeedHours(startS: from.second, endS: endS, offsetMin: from.offsetMin)
  }

  /// `22:00:00`, with optional fractions and zone.
  private static func time(_ text: String) -> (second: Int, offsetMin: Int?)? {
    // With a date in front it is a timestamp, whose parser supports all forms of zones.
    guard let moment = TimeText.iso8601("1970-01-01T\(text)") else { return nil }
    let hasZone = text.hasSuffix("Z") || text.contains("+") || text.contains("-")
    guard hasZone else { return (Int(moment.seconds), nil) }
    guard let local = TimeText.iso8601("1970-01-01T\(text.prefix(8))") else { return nil }
    return (Int(local.seconds), Int(local.seconds(since: moment) / 60))
  }

  private mutating func moment(_ node: XMLNode?) -> Instant? {
    guard let node else { return nil }
    if let moment = TimeText.iso8601(node.text) { return moment }
    problems.append("\(node.name): \"\(node.text.prefix(40))\" is not a time")
    return nil
  }
}

import BusProtocol
import Stage

/// Limits log lines whose cause repeats: the first one per vehicle is written, the others are counted.
///
/// A cause of thousands of vehicles gives a few lines at its start and one summary per minute. The
/// summary contains the number of messages and names some vehicles. It has no clock of its own:
/// times are passed in.
struct LogRateLimiter {
  struct Line: Hashable {
    var level: LogLevel
    var text: String
    var vehicle: String?
  }

  private struct Entry {
    var last: Line
    var lastAt: MonotonicTime
    var nextSummary: MonotonicTime
    /// Vehicles for which the cause is known.
    var vehicles: Set<String> = []
    /// Lines since the last summary that were not written.
    var suppressed = 0
    var suppressedVehicles: Set<String> = []
    var since: MonotonicTime
  }

  /// Vehicles of one cause whose first line is written singly.
  static let mostBeginnings = 5
  /// Milliseconds from the first line to the first summary, and from one summary to the next.
  static let firstSummaryMS: Int64 = 10_000
  static let summaryMS: Int64 = 60_000
  /// Causes that are counted separately; all others share one count.
  static let mostCauses = 100
  private static let mostVehicles = 10_000
  private static let namedVehicles = 3
  private static let otherCauses = "(other causes)"

  private var entries: [String: Entry] = [:]

  /// Records a line; returns it if it is to be written now.
  mutating func record(_ line: Line, cause: String, at now: MonotonicTime) -> Line? {
    var cause = cause
    if entries[cause] == nil, entries.count >= Self.mostCauses { cause = Self.otherCauses }
    let vehicle = line.vehicle ?? ""
    guard var entry = entries.removeValue(forKey: cause) else {
      var entry = Entry(
        last: line, lastAt: now, nextSummary: now.advanced(byMS: Self.firstSummaryMS), since: now)
      entry.vehicles.insert(vehicle)
      entries[cause] = entry
      return line
    }
    defer { entries[cause] = entry }
    entry.last = line
    entry.lastAt = now
    let isNew =
      entry.vehicles.count < Self.mostVehicles && entry.vehicles.insert(vehicle).inserted
    if isNew, entry.vehicles.count <= Self.mostBeginnings { return line }
    entry.suppressed += 1
    if entry.suppressedVehicles.count < Self.mostVehicles {
      entry.suppressedVehicles.insert(vehicle)
    }
    return nil
  }

  /// Returns the summaries that are due, in a fixed order; with `all`, those of all causes.
  mutating func summaries(at now: MonotonicTime, all: Bool = false) -> [Line] {
    guard !entries.isEmpty else { return [] }
    var lines: [Line] = []
    for (cause, var entry) in entries.sorted(by: { $0.key < $1.key })
    where all || now >= entry.nextSummary {
      if entry.suppressed > 0 { lines.append(Self.summary(of: entry, at: now)) }
      guard now.milliseconds(since: entry.lastAt) < Self.summaryMS else {
        // The cause is over; if it returns, it starts anew.
        entries[cause] = nil
        continue
      }
      entry.suppressed = 0
      entry.suppressedVehicles = []
      entry.since = now
      entry.nextSummary = now.advanced(byMS: Self.summaryMS)
      entries[cause] = entry
    }
    return lines
  }

  private static func summary(of entry: Entry, at now: MonotonicTime) -> Line {
    let seconds = max(1, (now.milliseconds(since: entry.since) + 500) / 1_000)
    let vehicles = entry.suppressedVehicles.subtracting([""]).sorted()
    var text = "\(entry.last.text) (and \(entry.suppressed) more like it in \(seconds) s"
    if vehicles.count > 1 {
      let named = vehicles.prefix(namedVehicles).joined(separator: ", ")
      let rest = vehicles.count > namedVehicles ? ", …" : ""
      text += ", of \(vehicles.count) vehicles: \(named)\(rest)"
    }
    return Line(
      level: entry.last.level, text: text + ")",
      vehicle: vehicles.count > 1 ? nil : entry.last.vehicle)
  }

  /// Returns the text without its numbers, so that lines of one cause are equal.
  static func cause(of text: String) -> String {
    var cause = ""
    var isInNumber = false
    for character in text {
      let isDigit = character.isNumber
      if !isDigit || !isInNumber { cause.append(isDigit ? "#" : character) }
      isInNumber = isDigit
    }
    return cause
  }
}

import EventTime
import Foundation
import Positioning

/// A recorded trace by its file's name, and what is to be said of it.
struct TraceFile {
  /// The fixes of one trip; those that cannot be true are among them, and match nothing.
  let fixes: [Fix]
  /// What was left out or will not be matched, a sentence each.
  private(set) var remarks: [String] = []

  init(_ path: String, trip: String?) throws(MatchCommandFault) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw MatchCommandFault("\(path) cannot be read")
    }
    let bytes = [UInt8](data)
    let name = path.lowercased()
    let traces: [Trace]
    do throws(TraceFault) {
      if name.hasSuffix(".gpx") {
        traces = try GPX.parse(bytes)
      } else if name.hasSuffix(".nmea") || name.hasSuffix(".gga") || bytes.first == 0x24 {
        let log = try NMEALog.read(bytes)
        traces = log.traces
        remarks += Self.remarks(log.counts)
      } else {
        traces = try CSVTrace.parse(bytes, start: Instant(nanoseconds: 0))
      }
    } catch {
      throw MatchCommandFault("\(path):\(error.line):\(error.column): \(error.problem)")
    }
    if let trip {
      guard let wanted = traces.first(where: { $0.name == trip }) else {
        throw MatchCommandFault("\(path) has no trip \"\(trip)\"; it has \(traces.count)")
      }
      fixes = wanted.fixes
    } else {
      fixes = traces.first?.fixes ?? []
      if traces.count > 1 {
        remarks.append(
          "\(path) has \(traces.count) trips; the first, \"\(traces[0].name)\", is matched")
      }
    }
    remarks += Self.remarks(fixes)
  }

  private static func remarks(_ counts: NMEAReceiver.Counts) -> [String] {
    [
      (counts.wrongChecksum, "with a wrong checksum"), (counts.noChecksum, "without a checksum"),
      (counts.notUnderstood, "that are none"),
    ].filter { $0.0 > 0 }.map { "sentences \($0.1) are left out: \($0.0)" }
      + (counts.withoutPosition > 0
        ? ["fixes without a position are left out: \(counts.withoutPosition)"] : [])
  }

  /// What is wrong with the fixes, with the first of each kind.
  private static func remarks(_ fixes: [Fix]) -> [String] {
    var last: Instant?
    var found: [String: (count: Int, first: String)] = [:]
    func note(_ kind: String, _ index: Int, _ sentence: String) {
      found[kind, default: (0, "fix \(index): \(sentence)")].count += 1
    }
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.time else {
        note("without a time, which match nothing", index, "it has no time")
        continue
      }
      if let last, time <= last { note("not later than the one before", index, "its time") }
      last = time
      let readable = fix.readable
      for field in readable.leftOut {
        note("with a value that cannot be true, which is left out", index, field)
      }
      do throws(FixFault) {
        // Seconds from any start are counted from 1970, and no clock that is not set.
        var timeless = readable.fix
        timeless.time = nil
        try FixGate.check(timeless)
      } catch {
        note("that cannot be true", index, error.sentence)
      }
    }
    return found.sorted { $0.key < $1.key }.map {
      "fixes \($0.key): \($0.value.count); first \($0.value.first)"
    }
  }
}

import EventTime
import FixRecordings
import Foundation
import Positioning

/// A recorded trace by its file's name, and what is to be said of it.
struct TraceFile {
  /// The fixes of one trip; those that cannot be true are among them, and match nothing.
  let fixes: [Fix]
  /// What was left out or will not be matched, a sentence each.
  private(set) var remarks: [String] = []

  init(_ path: String, trip: String?, nmea: NMEAOptions) throws(MatchCommandFault) {
    let read: (recording: TraceRecording, bytes: [UInt8])
    if FixBag.isBag(path: path) {
      read = (try Self.bag(path), [])
    } else {
      read = try Self.document(path, nmea)
    }
    do throws(NoSuchTrip) {
      let (trace, chosen) = try read.recording.trip(trip)
      fixes = trace.fixes
      remarks = read.recording.remarks.sentences + chosen
    } catch {
      throw MatchCommandFault("\(path): \(error)")
    }
    remarks += TraceTimes.remarks(fixes) + Self.remarks(fixes)
    remarks += Self.rollover(fixes, read.bytes, nmea)
  }

  private static func bag(_ path: String) throws(MatchCommandFault) -> TraceRecording {
    do throws(FixBagFault) {
      return try FixBag.read(path: path)
    } catch {
      throw MatchCommandFault("\(path): \(error)")
    }
  }

  private static func document(
    _ path: String, _ nmea: NMEAOptions
  ) throws(MatchCommandFault) -> (recording: TraceRecording, bytes: [UInt8]) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw MatchCommandFault("\(path) cannot be read")
    }
    let bytes = [UInt8](data)
    do throws(TraceFault) {
      let recording = try TraceReader.read(
        bytes, as: path.lowercased().hasSuffix(".nmea") ? .nmea : nil,
        options: TraceReader.Options(start: Instant(nanoseconds: 0), nmea: nmea))
      return (recording, bytes)
    } catch {
      throw MatchCommandFault("\(path):\(error.line):\(error.column): \(error.problem)")
    }
  }

  /// Returns a hint where the dates of an NMEA log suggest a week-number rollover.
  private static func rollover(_ fixes: [Fix], _ bytes: [UInt8], _ nmea: NMEAOptions) -> [String] {
    guard nmea.addedWeeks == 0, (try? TraceFormat.recognise(bytes)) == .nmea,
      let time = fixes.last?.time, time > FixGate.earliest, time < Self.oldestS
    else { return [] }
    return [
      "the dates are of \(TimeText.utc(time).prefix(4)); a receiver whose week number has rolled over is 1024 weeks behind: "
        + "--nmea-add-weeks 1024 corrects the dates"
    ]
  }

  /// Few logs are older than this (2010).
  ///
  /// Receivers that are 1024 weeks behind report earlier dates until 2029.
  private static let oldestS = Instant(seconds: 1_262_304_000)

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

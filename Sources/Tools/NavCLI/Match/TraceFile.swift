import FixRecordings
import Foundation
import Foundations
import Positioning

/// Reads the traces of recordings, and finds remarks about them.
enum TraceFile {
  /// The word for all trips of a file.
  static let allTrips = "all"

  /// Returns the trips of a file to be matched.
  ///
  /// These are all trips, the one with a name or number, or the first with several fixes.
  ///
  /// `-` is standard input. Implausible fixes are included, and match nothing.
  ///
  /// - Throws: `MatchCommandFault` with the file, and the line and column if there is one.
  static func jobs(
    _ path: String, _ trip: String?, _ nmea: NMEAOptions
  ) throws(MatchCommandFault) -> [MatchJob] {
    let recording: TraceRecording
    var bytes: [UInt8] = []
    if FixBag.isBag(path: path) {
      recording = try bag(path)
    } else {
      bytes = try content(path)
      recording = try document(bytes, path, nmea)
    }
    let remarks = recording.remarks.sentences
    if trip == allTrips {
      return recording.traces.enumerated().map { index, trace in
        MatchJob(
          file: path, trip: trace.name, number: index + 1, fixes: trace.fixes,
          remarks: (index == 0 ? remarks : []) + found(trace.fixes, bytes, nmea))
      }
    }
    do throws(NoSuchTrip) {
      let (trace, chosen) = try recording.trip(trip)
      let number = recording.traces.firstIndex { $0.name == trace.name && $0.fixes == trace.fixes }
      return [
        MatchJob(
          file: path, trip: trace.name, number: (number ?? 0) + 1, fixes: trace.fixes,
          remarks: remarks + chosen + found(trace.fixes, bytes, nmea))
      ]
    } catch {
      throw MatchCommandFault("\(path): \(error)")
    }
  }

  private static func bag(_ path: String) throws(MatchCommandFault) -> TraceRecording {
    do throws(FixBagFault) {
      return try FixBag.read(path: path)
    } catch {
      throw MatchCommandFault("\(path): \(error)")
    }
  }

  private static func document(
    _ bytes: [UInt8], _ path: String, _ nmea: NMEAOptions
  ) throws(MatchCommandFault) -> TraceRecording {
    do throws(TraceFault) {
      return try TraceReader.read(
        bytes, as: path.lowercased().hasSuffix(".nmea") ? .nmea : nil,
        options: TraceReader.Options(start: Instant(nanoseconds: 0), nmea: nmea))
    } catch {
      throw MatchCommandFault("\(path):\(error.line):\(error.column): \(error.problem)")
    }
  }

  private static func content(_ path: String) throws(MatchCommandFault) -> [UInt8] {
    if path == "-" {
      do {
        return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
      } catch {
        throw MatchCommandFault("standard input cannot be read: \(error.localizedDescription)")
      }
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw MatchCommandFault("\(path) cannot be read")
    }
    return [UInt8](data)
  }

  private static func found(_ fixes: [Fix], _ bytes: [UInt8], _ nmea: NMEAOptions) -> [String] {
    TraceTimes.remarks(fixes) + remarks(fixes) + rollover(fixes, bytes, nmea)
  }

  /// Returns a hint if the dates of an NMEA log suggest a week-number rollover.
  private static func rollover(_ fixes: [Fix], _ bytes: [UInt8], _ nmea: NMEAOptions) -> [String] {
    guard nmea.addedWeeks == 0, (try? TraceFormat.recognise(bytes)) == .nmea,
      let time = fixes.last?.time, time > FixGate.earliest, time < Self.oldestS
    else { return [] }
    return [
      "the dates are in \(TimeText.utc(time).prefix(4)); after a rollover of its week number, a receiver reports dates 1024 weeks too early: "
        + "--nmea-add-weeks 1024 corrects the dates"
    ]
  }

  /// Few logs are older than this (2010).
  ///
  /// Receivers that are 1024 weeks behind report earlier dates until 2029.
  private static let oldestS = Instant(seconds: 1_262_304_000)

  /// Problems of the fixes, with the first of each kind.
  private static func remarks(_ fixes: [Fix]) -> [String] {
    var last: Instant?
    var found: [String: (count: Int, first: String)] = [:]
    func count(_ kind: String, _ index: Int, _ sentence: String) {
      found[kind, default: (0, "fix \(index): \(sentence)")].count += 1
    }
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.time else {
        count("without a time, which cannot be matched", index, "it has no time")
        continue
      }
      if let last, time <= last { count("not later than the one before", index, "its time") }
      last = time
      let readable = fix.readable
      for field in readable.leftOut {
        count("with an impossible value, which is left out", index, field)
      }
      do throws(FixFault) {
        // Times may be seconds from an arbitrary start; such times do not come from a clock that is
        // not set.
        var timeless = readable.fix
        timeless.time = nil
        try FixGate.check(timeless)
      } catch {
        count("that are implausible", index, error.sentence)
      }
    }
    return found.sorted { $0.key < $1.key }.map {
      "fixes \($0.key): \($0.value.count); first \($0.value.first)"
    }
  }
}

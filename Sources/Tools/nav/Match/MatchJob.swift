import MapMatching
import Positioning

/// A trace of a file that is to be matched.
struct MatchJob: Sendable {
  /// The file as it was named on the command line; `-` for standard input.
  var file: String
  /// Name of the trip; empty where the file has no names.
  var trip: String
  /// Number of the trip in its file, from 1.
  var number: Int
  var fixes: [Fix]
  /// Remarks on data that was left out or will not be matched, a sentence each.
  var remarks: [String] = []

  /// The job for messages about it.
  var name: String {
    trip.isEmpty ? "\(file), trip \(number)" : "\(file), trip \"\(trip)\""
  }
}

/// How all traces of a call are matched and written.
struct MatchSetting: Sendable {
  var format = MatchCommand.Format.text
  /// The meaning of a row of CSV.
  var rows = MatchCommand.Rows.fixes
  var isOnline = false
  var tuning = MatcherTuning.wholeTrace
  /// Standard deviation of fixes without an accuracy, m; nil to learn it from each trace.
  var sigmaM: Double?
  /// `MatchCommand.explainsAll`, the number of a fix, or nil.
  var explain: String?
  var origin = MatchOrigin()
}

/// The program and the map of an answer.
struct MatchOrigin: Sendable {
  var program = ""
  /// The map as it was named on the command line.
  var map = ""
  /// Hash over the whole content of the map, as `nav map info` shows it.
  var mapDigest = ""
}

/// The totals that are reported for one or more matched traces.
struct MatchTally: Sendable {
  var traces = 0
  var fixes = 0
  var matched = 0
  var lengthM = 0.0
  /// The traces that lie outside the map; nil where none does.
  var outside: TraceOutsideMap?

  static func += (a: inout Self, b: Self) {
    a.traces += b.traces
    a.fixes += b.fixes
    a.matched += b.matched
    a.lengthM += b.lengthM
    guard let outside = b.outside else { return }
    if a.outside == nil { a.outside = outside } else { a.outside?.add(outside) }
  }
}

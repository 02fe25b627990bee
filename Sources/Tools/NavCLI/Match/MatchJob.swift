import Documents
import MapMatching
import Positioning

/// A trace of a file that is to be matched.
struct MatchJob: Sendable {
  /// The file as named on the command line; `-` for standard input.
  var file: String
  /// Name of the trip; empty if the file has no names.
  var trip: String
  /// Number of the trip in its file, from 1.
  var number: Int
  var fixes: [Fix]
  /// Remarks on data that was omitted or will not be matched, a sentence each.
  var remarks: [String] = []

  /// The name of the job in messages.
  var name: String {
    trip.isEmpty ? "\(file), trip \(number)" : "\(file), trip \"\(trip)\""
  }
}

/// The settings for matching and writing all traces of a call.
struct MatchSetting: Sendable {
  var format = MatchCommand.Format.text
  /// The meaning of a CSV row.
  var rows = MatchCommand.Rows.fixes
  var isOnline = false
  var tuning = MatcherTuning.wholeTrace
  /// Standard deviation of fixes without an accuracy, m; nil to learn it from each trace.
  var sigmaM: Double?
  /// `MatchCommand.explainsAll`, the number of a fix, or nil.
  var explain: String?
  var origin = MatchOrigin()
}

/// The program, the map and the parameters of an answer, with which it can be computed again.
struct MatchOrigin: Sendable {
  var program = ""
  /// The map as named on the command line.
  var map = ""
  /// Hash of the whole content of the map, as shown by `nav map info`.
  var mapDigest = ""
  /// The parameters as a JSON object.
  var parameters = "{}"

  /// The parameters of a call as a JSON object: the mode, and those that decide on the matches.
  static func parameters(mode: String, sigmaM: Double?, online rule: Smoothing?) -> String {
    var json = JSONText()
    json.object { json in
      json.field("mode", mode)
      if let sigmaM { json.field("sigma_m", exact: sigmaM) }
      json.field("online", rule != nil)
      guard let rule else { return }
      json.field("smoothing", rule.rule.rawValue)
      let tuning = rule.tuning(MatcherTuning())
      json.field("lag_fixes", tuning.lagFixes)
      json.field("lag_s", exact: tuning.lagS)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// The totals that are reported for one or more matched traces.
struct MatchTally: Sendable {
  var traces = 0
  var fixes = 0
  var matched = 0
  var lengthM = 0.0
  /// The traces that lie outside the map; nil if there are none.
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

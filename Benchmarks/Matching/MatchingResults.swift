import Geodesy
import RoadGraph

/// What was made of one trace in one way, beside its truth.
struct MatchingResult {
  var one: MatchingCase
  var run: MatchingRun
  var score: RouteMismatch.Score
  var truth: RouteMismatch
  var graph: RoadGraph
  var half: String
  var mode: MatchingMode
  /// Seconds from fix to fix.
  var everyS: Int
  /// Metres of sigma told; nil for none.
  var toldM: Double?
  /// Of the cases, from 1.
  var pass: Int

  /// A report of it alone, under a name.
  func report(of name: String, _ half: String) -> MatchingReport {
    var report = MatchingReport(
      set: name, half: half, mode: mode, everyS: everyS, toldM: toldM, pass: pass)
    add(to: &report)
    return report
  }

  func add(to report: inout MatchingReport) {
    report.add(run, of: one, score: score, against: truth, on: graph)
  }
}

/// The figures of all sets, modes and samplings, in the order in which they came.
struct MatchingResults {
  /// A trace's way as it was matched: lines of latitude and longitude in degrees.
  struct Drawn: Encodable {
    var set: String
    var id: String
    var mode: String
    var everyS: Int
    var lines: [[[Double]]]
  }

  /// How far each fix of a trace was put from the truth.
  struct Placed: Encodable {
    var set: String
    var id: String
    var mode: String
    var everyS: Int
    /// Metres; nil where it was put on no road or the truth is not known.
    var errorsM: [Double?]
  }

  /// Whether ways are kept, and errors: there are millions of both.
  let keepsLines: Bool
  let keepsErrors: Bool
  private(set) var drawn: [Drawn] = []
  private(set) var placed: [Placed] = []
  private var reports: [MatchingReport] = []
  /// Of the reports, by what tells them apart.
  private var numbers: [String: Int] = [:]

  init(keepsLines: Bool, keepsErrors: Bool) {
    self.keepsLines = keepsLines
    self.keepsErrors = keepsErrors
  }

  mutating func add(_ result: MatchingResult) {
    for half in [result.half, "all"] {
      let alone = result.report(of: result.one.set, half)
      if let number = numbers[alone.key] {
        result.add(to: &reports[number])
      } else {
        numbers[alone.key] = reports.count
        reports.append(alone)
      }
    }
    if keepsLines { draw(result) }
    if keepsErrors { place(result) }
  }

  private mutating func draw(_ result: MatchingResult) {
    drawn.append(
      Drawn(
        set: result.one.set, id: result.one.id, mode: result.mode.rawValue, everyS: result.everyS,
        lines: result.run.lines.map { $0.map { [$0.latitudeDeg, $0.longitudeDeg] } }))
  }

  private mutating func place(_ result: MatchingResult) {
    let errorsM = zip(result.run.places, result.one.truePlaces).map { place, truly in
      place.flatMap { place in truly.map { place.distanceM(to: $0) } }
    }
    placed.append(
      Placed(
        set: result.one.set, id: result.one.id, mode: result.mode.rawValue,
        everyS: result.everyS, errorsM: errorsM))
  }

  /// The reports, ready to be told.
  var finishedReports: [MatchingReport] {
    reports.map { report in
      var report = report
      report.finish()
      return report
    }
  }
}

import Geodesy
import MapMatching
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

  /// The confidence of a whole trace, and how wrong its path is.
  struct Judged: Encodable {
    var set: String
    var id: String
    var half: String
    var everyS: Int
    var fixes: Int
    /// Share of the truth that is missed or added.
    var mismatch: Double
    var confidence: Double
    var evidence: TraceConfidence
  }

  /// Whether ways are kept, and errors: there are millions of both.
  let keepsLines: Bool
  let keepsErrors: Bool
  private(set) var drawn: [Drawn] = []
  private(set) var placed: [Placed] = []
  private(set) var judged: [Judged] = []
  private let keepsConfidence: Bool
  private var reports: [MatchingReport] = []
  /// Of the reports, by what tells them apart.
  private var numbers: [String: Int] = [:]

  init(keepsLines: Bool, keepsErrors: Bool, keepsConfidence: Bool) {
    self.keepsLines = keepsLines
    self.keepsErrors = keepsErrors
    self.keepsConfidence = keepsConfidence
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
    if keepsConfidence { judge(result) }
  }

  private mutating func draw(_ result: MatchingResult) {
    drawn.append(
      Drawn(
        set: result.one.set, id: result.one.id, mode: result.mode.rawValue, everyS: result.everyS,
        lines: result.run.lines.map { $0.map { [$0.latitudeDeg, $0.longitudeDeg] } }))
  }

  private mutating func judge(_ result: MatchingResult) {
    guard let evidence = result.run.evidence else { return }
    judged.append(
      Judged(
        set: result.one.set, id: result.one.id, half: result.half, everyS: result.everyS,
        fixes: result.one.fixes.count,
        mismatch: (result.score.addedM + result.score.missedM)
          / Double.maximum(1, result.truth.truthM),
        confidence: evidence.probability, evidence: evidence))
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

import Foundation
import Geodesy
import RoadGraph

/// The figures of one set, mode and sampling.
struct MatchingReport: Encodable {
  var set: String
  var half: String
  var mode: String
  var everyS: Int
  var toldM: Double?
  /// Of the cases, from 1.
  var pass: Int
  var traces = 0
  var fixes = 0
  var unmatched = 0
  var split = 0
  var cpuS = 0.0
  var truthM = 0.0
  var addedM = 0.0
  var missedM = 0.0
  var kinds: [String: Double] = [:]
  var errorP50M: Double?
  var errorP95M: Double?
  /// Of the smoothed answers.
  var lagMeanFixes: Double?
  var lagP50Fixes: Int?
  var lagP95Fixes: Int?
  private var errors: [Double] = []
  private var lags: [Int] = []

  private enum CodingKeys: String, CodingKey {
    case set, half, mode, everyS, toldM, pass, traces, fixes, unmatched, split, cpuS, truthM, addedM
    case missedM, kinds, errorP50M, errorP95M, lagMeanFixes, lagP50Fixes, lagP95Fixes
  }

  init(set: String, half: String, mode: MatchingMode, everyS: Int, toldM: Double?, pass: Int) {
    self.set = set
    self.half = half
    self.mode = mode.rawValue
    self.everyS = everyS
    self.toldM = toldM
    self.pass = pass
  }

  /// What tells it from other reports.
  var key: String { "\(set) \(half) \(mode) \(everyS) \(pass)" }

  mutating func add(
    _ run: MatchingRun, of one: MatchingCase, score: RouteMismatch.Score,
    against truth: RouteMismatch, on graph: RoadGraph
  ) {
    traces += 1
    fixes += one.fixes.count
    unmatched += run.places.count { $0 == nil }
    if run.lines.count > 1 { split += 1 }
    cpuS += run.cpuS
    truthM += truth.truthM
    addedM += score.addedM
    missedM += score.missedM
    let kinds = ErrorKinds(one, truth: truth, lines: run.lines, graph: graph)
    for (kind, lengthM) in kinds.shares(of: score) {
      self.kinds[kind.rawValue, default: 0] += lengthM
    }
    for (place, truly) in zip(run.places, one.truePlaces) {
      if let place, let truly { errors.append(place.distanceM(to: truly)) }
    }
    lags += run.lags
  }

  mutating func finish() {
    errors.sort()
    errorP50M = Self.quantile(0.5, of: errors)
    errorP95M = Self.quantile(0.95, of: errors)
    lags.sort()
    lagP50Fixes = Self.quantile(0.5, of: lags)
    lagP95Fixes = Self.quantile(0.95, of: lags)
    lagMeanFixes = lags.isEmpty ? nil : Double(lags.reduce(0, +)) / Double(lags.count)
  }

  private static func quantile<Value>(_ share: Double, of sorted: [Value]) -> Value? {
    sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  var row: String {
    func percent(_ metres: Double) -> String { String(format: "%.2f", 100 * metres / truthM) }
    let reported = toldM.map { String(format: " told %.0f m", $0) } ?? ""
    var text =
      "\(set) \(half) \(mode) every \(everyS) s\(reported)\(pass > 1 ? " again" : ""): \(fixes) fixes of \(traces) traces, "
      + "\(String(format: "%.2f", cpuS / Double(max(1, fixes)) * 1e6)) us a fix, "
      + "mismatch \(percent(addedM + missedM)) % (+\(percent(addedM)) -\(percent(missedM))), "
      + "unmatched \(unmatched), split \(split)"
    if let errorP50M, let errorP95M {
      text += String(format: ", error %.1f/%.1f m", errorP50M, errorP95M)
    }
    if let lagMeanFixes, let lagP50Fixes, let lagP95Fixes {
      text += String(format: ", lag %.1f (%d, %d) fixes", lagMeanFixes, lagP50Fixes, lagP95Fixes)
    }
    let parts = kinds.sorted { $0.value > $1.value }.map { "\($0.key) \(percent($0.value))" }
    return text + "; " + parts.joined(separator: ", ")
  }
}

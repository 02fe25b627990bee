/// Confidence in the matched path of a trace, computed from the matches alone.
///
/// A logistic model of the probability that the mismatch to the driven path (Newson and Krumm 2009) is below 5 %. All
/// features are means over the trace, so its length alone changes nothing. `Benchmarks/matching.py confidence` measures how
/// well it separates good from bad traces.
public struct TraceConfidence: Codable, Hashable, Sendable {
  /// Share of the usable fixes on no road.
  public var offRoadShare = 0.0
  /// Mean probability that a fix lies on another road than the one it is matched to.
  public var doubt = 0.0
  /// Mean distance from fix to road, m.
  public var distanceM = 0.0
  /// Share of the matched fixes with other places on paths that may still be the true one.
  public var openShare = 0.0
  /// Breakages of the path per matched fix.
  public var breaks = 0.0
  /// U-turns per km of path, with one km added to the length.
  public var turnsBack = 0.0
  /// Share of the drive that lies in gaps of the path: straight lines across them, of these and the path.
  public var missingShare = 0.0
  /// Share of the path between fixes that are more than 150 s and a kilometre apart.
  public var bridgedShare = 0.0
  /// Whether any fix is matched.
  public var isMatched = false

  public init() {}

  /// Takes time linear in the matches and the roads of the path.
  init(_ matches: [Match], line: DrivenLine) {
    var (usable, placed, open) = (0, 0, 0)
    for match in matches {
      switch match.outcome {
      case .matched(let place):
        usable += 1
        placed += 1
        doubt += 1 - place.probability
        distanceM += place.distanceM
        if match.alternativeCount > 0 { open += 1 }
      case .noMatch(let reason):
        if reason == .offRoad || reason == .noMapData || reason == .outlier { usable += 1 }
      }
    }
    guard placed > 0 else { return }
    isMatched = true
    let count = Double(placed)
    offRoadShare = Double(usable - placed) / Double(usable)
    doubt /= count
    distanceM /= count
    openShare = Double(open) / count
    breaks = Double(max(0, line.starts.count - 1)) / count
    var turns = 0
    for (state, next) in zip(line.path, line.path.dropFirst())
    where line.network.reversed(state) == next { turns += 1 }
    turnsBack = Double(turns) / (line.lengthM / 1000 + 1)
    let wholeM = line.lengthM + line.missingM
    guard wholeM > 0 else { return }
    missingShare = line.missingM / wholeM
    bridgedShare = Double.minimum(1, line.bridgedM / wholeM)
  }

  /// The share of the length in which a good path may differ from the driven one.
  private static let mismatch = 0.05

  /// Probability that the path differs from the driven one by less than 5 % of its length.
  public var probability: Double {
    guard isMatched else { return 0 }
    // Fitted on every second trace of Kubicka's tracks and of noisy drives, at samplings of 1 to 30 s.
    let evidence = 6.0 * doubt + 0.31 * distanceM + 29 * offRoadShare
    let log = 7.5 - evidence - 22 * openShare - 56 * breaks - 11.6 * turnsBack
    // Too few traces were evaluated for a higher certainty that one is bad: 0 is reserved for no
    // match.
    let ofFixes = 1 / (1 + LogMath.exp(-Double.maximum(-6, log)))
    // A path that lacks 5 % of the drive is not within 5 % of it. Half of the bridges take another
    // road than the vehicle.
    let complete = Double.maximum(0.002, 1 - missingShare / Self.mismatch)
    return ofFixes * complete * (1 - bridgedShare / 2)
  }
}

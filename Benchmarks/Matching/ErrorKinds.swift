import Foundation
import Geodesy
import Positioning
import RoadGraph

/// Sorts the wrong metres of a matched way by what is hard about the place.
struct ErrorKinds {
  enum Kind: String {
    /// Within 60 m of where the trace begins or ends.
    case start
    /// The fixes near are more than 30 m from the truth, or there is no fix near.
    case offRoad = "off-road"
    /// Between fixes that are far apart.
    case gap
    /// A road of another level where the truth passes: a bridge over a street, a deck above another.
    case stacked
    /// The right road the other way.
    case direction
    /// A road of the same direction within 40 m of the truth.
    case parallel
    /// Anything else: side roads, short cuts, the wrong arm of a junction.
    case junction
  }

  private let one: MatchingCase
  private let truth: RouteMismatch
  private let lines: Lines
  private let graph: RoadGraph
  private let fixes: [(x: Double, y: Double)]

  init(_ one: MatchingCase, truth: RouteMismatch, lines: [[Coordinate]], graph: RoadGraph) {
    self.one = one
    self.graph = graph
    self.truth = truth
    self.lines = Lines(lines, plane: truth.plane)
    fixes = one.fixes.map { truth.plane.point($0.place) }
  }

  func shares(of score: RouteMismatch.Score) -> [Kind: Double] {
    var shares: [Kind: Double] = [:]
    for sample in score.missed { shares[kind(sample, other: lines), default: 0] += sample.lengthM }
    for sample in score.added {
      shares[kind(sample, other: truth.truth), default: 0] += sample.lengthM
    }
    return shares
  }

  private func kind(_ sample: Lines.Sample, other: Lines) -> Kind {
    func distance(_ p: (x: Double, y: Double)) -> Double {
      ((p.x - sample.x) * (p.x - sample.x) + (p.y - sample.y) * (p.y - sample.y)).squareRoot()
    }
    for end in [truth.truth.samples.first, truth.truth.samples.last] {
      if let end, distance((end.x, end.y)) < 60 { return .start }
    }
    var nearest = (index: 0, distance: Double.infinity)
    for (index, fix) in fixes.enumerated() {
      let distance = distance(fix)
      if distance < nearest.distance { nearest = (index, distance) }
    }
    if isGap(nearest.index) { return .gap }
    if nearest.distance > 30 { return .offRoad }
    if isStacked(sample, other) { return .stacked }
    var back = sample
    back.directionX = -back.directionX
    back.directionY = -back.directionY
    if other.covers(back) { return .direction }
    if other.covers(sample, toleranceM: 40, leastCosine: 0.94) { return .parallel }
    return .junction
  }

  /// Metres between two roads that are at one place.
  private static let samePlaceM = 15.0

  /// Whether the other way passes here on a road of another level.
  private func isStacked(_ sample: Lines.Sample, _ other: Lines) -> Bool {
    guard let passing = other.nearest(to: sample, withinM: Self.samePlaceM),
      let here = layer(sample), let there = layer(passing)
    else { return false }
    return here != there
  }

  /// OSM layer of the road on which a sample lies; nil where the map has none there.
  private func layer(_ sample: Lines.Sample) -> Int? {
    let place = truth.plane.coordinate(sample.x, sample.y)
    return graph.edges(near: place, withinM: 4).first { edge in
      let radians = edge.bearingDeg * .pi / 180
      let cosine =
        Foundation.sin(radians) * sample.directionX + Foundation.cos(radians) * sample.directionY
      return abs(cosine) >= 0.94
    }.map { graph.attributes($0.position.edge).layer }.map { Int($0) }
  }

  private func isGap(_ index: Int) -> Bool {
    func apart(_ a: Int, _ b: Int) -> Double {
      guard a >= 0, b < fixes.count else { return 0 }
      let dx = fixes[a].x - fixes[b].x
      let dy = fixes[a].y - fixes[b].y
      return (dx * dx + dy * dy).squareRoot()
    }
    return apart(index - 1, index) > 100 || apart(index, index + 1) > 100
  }
}

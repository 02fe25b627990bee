import DrawnMaps
import Geodesy
import MapMatching
import Positioning
import RoadGraph

extension OnlineMatcher {
  /// A matcher for one mode on a drawn map.
  init(_ map: DrawnMap, mode: TravelMode = .car, tuning: MatcherTuning = MatcherTuning()) {
    self.init(network: MatchingNetwork(map, mode: mode), tuning: tuning)
  }

  /// The immediate matches of `fixes`.
  mutating func match(all fixes: [Fix]) -> [Match] { fixes.map { match($0).match } }
}

extension MatchingNetwork {
  init(_ map: DrawnMap, mode: TravelMode = .car) { self.init(graph: map.graph, mode: mode) }
}

extension DrawnMap {
  /// The place `eastM` to the east and `northM` to the north of a letter or digit.
  func coordinate(_ letter: Character, eastM: Double, northM: Double = 0) throws -> Coordinate {
    LocalPlane(origin: try coordinate(letter)).coordinate(
      PlanePoint(eastM: eastM, northM: northM))
  }

  /// The letters of the way that a fix is matched to; nil if it is on no road.
  func way(_ match: Match) -> String? {
    match.place.flatMap { letters(ofWay: $0.segment.way) }
  }

  /// The letters of the nodes along a path, in the direction of travel.
  func letters(_ path: [TravelState]) -> String {
    let ends = path.map { state in
      let ends = letters([state.edge])
      return state.isAgainst ? String(ends.reversed()) : ends
    }
    return (ends.first ?? "") + ends.dropFirst().map { $0.suffix(1) }.joined()
  }

  /// The reference of the road segment from one letter to another, by the letters of its way.
  func segment(_ way: String, _ from: Character, _ to: Character) throws -> SegmentReference {
    SegmentReference(way: try self.way(way), from: try osmID(from), to: try osmID(to))
  }
}

import RoadGraph
import Route

/// A road whose number turns off while the route goes straight on without it.
///
/// A driver who follows the number on the signs would turn there.
struct NumberLeavesRule: ManeuverRule {
  /// A number is followed, or left for good, from this length on, metres.
  private static let followedM = 500.0
  /// Whatever leads farther back than this is no way on.
  private static let backDeg = 135.0

  func applies(_ junction: Junction) -> Bool {
    guard !junction.from.number.isEmpty, !junction.from.isHighway,
      !junction.from.isLink, !junction.onto.isLink, !junction.onto.isRoundabout,
      !junction.onto.flags.contains(.ferry), abs(junction.angleDeg) < TurnRule.asideDeg
    else { return false }
    let path = junction.path
    // Where the name goes on, the number counts only if the greater road turns off with it.
    let isNamed = path.isSameName(junction.from, junction.onto)
    guard !isNamed || junction.onto.roadClass > junction.from.roadClass,
      !path.sharesNumber(junction.from, junction.onto),
      junction.rivals.contains(where: {
        !$0.road.isLink && abs($0.angleDeg) < Self.backDeg
          && path.sharesNumber(junction.from, $0.road)
      })
    else { return false }
    return isFollowed(junction) && isLeft(junction)
  }

  func maneuver(_ junction: Junction) -> Finding? { Finding(.continueOn, junction) }

  // The number has led the path long enough for the driver to rely on it.
  private func isFollowed(_ junction: Junction) -> Bool {
    let path = junction.path
    var lengthM = 0.0
    for index in path.edges.indices[..<junction.index].reversed() {
      guard path.sharesNumber(junction.from, path.road(index)) else { return false }
      lengthM += path.graph.lengthM(path.edges[index])
      if lengthM >= Self.followedM { return true }
    }
    return false
  }

  // The path does not come back to the number at once, as behind a piece that lacks it on the map.
  private func isLeft(_ junction: Junction) -> Bool {
    let path = junction.path
    var lengthM = 0.0
    for index in path.edges.indices[junction.index...] {
      if path.sharesNumber(junction.from, path.road(index)) { return false }
      lengthM += path.graph.lengthM(path.edges[index])
      if lengthM >= Self.followedM { break }
    }
    return true
  }
}

import RoadGraph
import Route

/// A road whose number turns off while the route goes straight on without it.
///
/// A driver who follows the number on the signs would turn there.
struct RoadNumberTurnOffRule: ManeuverRule {
  /// Length in metres from which on a number counts as followed, or as left for good.
  private static let followedM = 500.0
  /// Roads that lead back by more than this angle are not a continuation.
  private static let backDeg = 135.0

  func applies(_ junction: Junction) -> Bool {
    guard !junction.from.number.isEmpty, !junction.from.isHighway,
      !junction.from.isLink, !junction.onto.isLink, !junction.onto.isRoundabout,
      !junction.onto.flags.contains(.ferry), abs(junction.angleDeg) < TurnRule.asideDeg
    else { return false }
    let path = junction.path
    // If the name continues, the number counts only if the major road turns off with it.
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

  // Whether the path followed the number long enough for the driver to rely on it.
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

  // Whether the path does not return to the number soon, as after a piece without the number in the
  // map.
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

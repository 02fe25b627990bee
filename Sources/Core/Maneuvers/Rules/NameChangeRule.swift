import RoadGraph
import Route

/// A road that continues under another name, if that matters.
struct NameChangeRule: ManeuverRule {
  /// A name that applies for a shorter distance is not announced.
  private static let shortestAnnouncedM = 500.0
  /// Roads that branch off at this angle or more are not mistaken for the continuation.
  private static let asideDeg = 60.0

  func applies(_ junction: Junction) -> Bool {
    guard junction.changesName, !junction.continuesName,
      !junction.from.isLink, !junction.onto.isLink, !junction.rivals.isEmpty,
      !junction.from.isRoundabout, !junction.onto.isRoundabout
    else { return false }
    return lengthM(junction) >= Self.shortestAnnouncedM && !isOldName(junction)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    var finding = Finding(.continueOn, junction)
    finding.isPlain =
      abs(junction.angleDeg) < TurnGrade.straightDeg
      && junction.rivals.allSatisfy { abs($0.angleDeg) >= Self.asideDeg }
    return finding
  }

  // The road has its old name again, after a shorter stretch whose own name was not announced, such
  // as a bridge.
  private func isOldName(_ junction: Junction) -> Bool {
    let path = junction.path
    guard
      let before = path.edges.indices[..<junction.index].last(where: {
        !path.isSameName(path.road($0), junction.from)
      }), path.isSameName(path.road(before), junction.onto)
    else { return false }
    return path.lengthM(from: before + 1, to: junction.index) < Self.shortestAnnouncedM
  }

  // The distance for which the path follows the new name.
  private func lengthM(_ junction: Junction) -> Double {
    let path = junction.path
    let end = path.edges.indices[junction.index...].first {
      !path.isSameName(path.road($0), junction.onto)
    }
    return path.lengthM(from: junction.index, to: end ?? path.edges.count)
  }
}

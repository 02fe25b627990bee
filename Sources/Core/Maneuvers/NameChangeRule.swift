import RoadGraph
import Route

/// A road that goes on under another name, where that matters.
struct NameChangeRule: ManeuverRule {
  /// A name that holds for less than this is not worth a word.
  private static let longM = 500.0

  func applies(_ junction: Junction) -> Bool {
    guard !junction.from.name.isEmpty, !junction.onto.name.isEmpty, !junction.continuesName,
      !junction.from.isLink, !junction.onto.isLink, !junction.rivals.isEmpty,
      !junction.from.isRoundabout, !junction.onto.isRoundabout
    else { return false }
    return lengthM(junction) >= Self.longM
  }

  func maneuver(_ junction: Junction) -> Finding? { Finding(.continueOn, junction) }

  // How far the path follows the new name.
  private func lengthM(_ junction: Junction) -> Double {
    let path = junction.path
    let end = path.edges.indices[junction.index...].first {
      path.road($0).name != junction.onto.name
    }
    return path.lengthM(from: junction.index, to: end ?? path.edges.count)
  }
}

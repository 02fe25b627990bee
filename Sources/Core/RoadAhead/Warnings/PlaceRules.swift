import RoadGraph
import Route

/// Finds level crossings of railways; tracks close to each other are one crossing.
struct LevelCrossingRule: ObjectRule {
  /// Greatest distance from one track to the next of the same crossing, metres.
  private static let tracksM = 60.0

  func objects(on way: PathView) -> [RoadObject] {
    var lastM = -Double.infinity
    return way.points(.railwayCrossing) { _, flags in flags.contains(.levelCrossing) }
      .filter { track in
        defer { lastM = track.startM }
        return track.startM - lastM > Self.tracksM
      }
  }
}

/// Toll booths and gantries.
struct TollRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.points(.tollStop) { _, flags in flags.contains(.tollBooth) }
  }
}

/// Humps and bumps, if the map contains them as a point.
struct BumpRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.points(.speedBump) { _, flags in flags.contains(.trafficCalming) }
  }
}

/// Borders between countries, and between states of a country; only on a route.
struct BorderRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    guard way.followsRoute else { return [] }
    return way.path.edges.indices.dropLast().compactMap { index in
      let (here, there) = (way.road(index), way.road(index + 1))
      guard let from = here.country, let to = there.country else { return nil }
      if from != to { return way.point(.border, atEndOf: index, text: to) }
      guard here.stateName != there.stateName, !here.stateName.isEmpty, !there.stateName.isEmpty
      else { return nil }
      return way.point(.border, atEndOf: index, text: way.graph.state(there)?.name ?? "")
    }
  }
}

import RoadGraph
import Route

/// Traffic that merges from a ramp.
struct MergeRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.path.edges.indices.dropLast().compactMap { index in
      let (here, there) = (way.road(index), way.road(index + 1))
      guard Self.isGreat(here), Self.isGreat(there) else { return nil }
      let edge = way.path.edges[index]
      let joins = way.graph.edges(entering: way.graph.head(edge)).contains { other in
        let road = way.graph.attributes(other)
        return other != edge && road.flags.contains(.link) && road.access(.car).isUsable
      }
      return joins ? way.point(.trafficMerge, atEndOf: index) : nil
    }
  }

  private static func isGreat(_ road: RoadAttributes) -> Bool {
    road.roadClass <= .trunk && !road.flags.contains(.link)
  }
}

/// A lane that ends while the road continues; a lane that leads off at an exit does not count.
struct LaneDecreaseRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.path.edges.indices.dropLast().compactMap { index in
      let (here, there) = (way.road(index), way.road(index + 1))
      guard here.laneCount >= 2, there.laneCount > 0, there.laneCount < here.laneCount else {
        return nil
      }
      let next = way.path.edges[index + 1]
      let hasExit = way.graph.edges(leaving: way.graph.head(way.path.edges[index])).contains {
        $0 != next && $0 != way.graph.twin(way.path.edges[index])
          && way.graph.attributes($0).access(.car).isUsable
      }
      guard !hasExit else { return nil }
      return way.point(.laneDecrease, atEndOf: index, text: "\(there.laneCount)")
    }
  }
}

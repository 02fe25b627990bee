import RoadGraph
import Route

extension RouteDraft {
  /// Where the route boards a ferry or a car train, in order.
  ///
  /// A trip that begins aboard boards nothing. Pieces of one crossing, and a stop on it, make one
  /// boarding.
  func addedStops(_ segments: [RouteSegment], language: String) -> [AddedStop] {
    var stops: [AddedStop] = []
    var section = 0
    // The trip began aboard: until that crossing ends there is no stop to add its length to.
    var isBoarded = false
    var before = edges.first.flatMap(boarded)
    for (index, edge) in edges.enumerated() {
      while section + 1 < firstSegment.count, firstSegment[section + 1] <= index { section += 1 }
      let kind = boarded(edge)
      defer { before = kind }
      guard let kind else {
        isBoarded = false
        continue
      }
      if kind != before {
        isBoarded = true
        stops.append(
          AddedStop(
            kind: kind, name: RoadFacts(metric.network.graph, edge, language: language).name,
            place: geometry.points[startPoint[index]], offsetM: segments[index].startM, lengthM: 0,
            section: section, shapeIndex: startPoint[index]))
      }
      if isBoarded, let last = stops.indices.last {
        stops[last].lengthM = segments[index].startM + segments[index].lengthM - stops[last].offsetM
      }
    }
    return stops
  }

  // The kind of crossing on an edge; nil on a road.
  private func boarded(_ edge: EdgeID) -> AddedStop.Kind? {
    let road = metric.network.graph.attributes(edge)
    guard road.flags.contains(.ferry) else { return nil }
    return road.roadClass == .shuttleTrain ? .carTrain : .ferry
  }
}

public import RoadGraph
import Route

/// What a path costs by a metric, and for what: why an engine takes this road and no other.
public struct CostAccount: Hashable, Sendable {
  /// One entry for all that one piece of a path costs.
  public struct Item: Hashable, Sendable {
    public var edge: EdgeID
    /// Metres of it that the path covers.
    public var lengthM: Double
    /// Seconds that driving it takes.
    public var drivingS: Double
    /// Seconds that the turn onto it takes.
    public var turnS: Double
    /// What it costs beside its time: avoided, closed, barred to the vehicle, by the aim.
    public var extraS: Double
    /// What entering it costs where one may only go there, not through, or where a sign bars the vehicle.
    public var entryS: Double
  }

  public var items: [Item] = []
  public var drivingS: Double { items.reduce(0) { $0 + $1.drivingS } }
  public var turnS: Double { items.reduce(0) { $0 + $1.turnS } }
  public var extraS: Double { items.reduce(0) { $0 + $1.extraS } }
  public var entryS: Double { items.reduce(0) { $0 + $1.entryS } }
  /// What the engine compares.
  public var costS: Double { drivingS + turnS + extraS + entryS }

  /// The account of a path; linear in its pieces.
  public init(_ path: FoundPath, by metric: RoadMetric) {
    let graph = metric.network.graph
    let search = EdgeSearch(metric: metric)
    for leg in path.legs {
      let times = metric.times(along: leg)
      for (index, edge) in leg.edges.enumerated() {
        let part = leg.part(index, graph)
        let costMS = search.partMS(edge.index, part.toM) - search.partMS(edge.index, part.fromM)
        var item = Item(
          edge: edge, lengthM: part.toM - part.fromM, drivingS: times[index].latestS, turnS: 0,
          extraS: Double(costMS) / 1000 - times[index].latestS, entryS: 0)
        if index > 0 {
          let before = leg.edges[index - 1].index
          item.turnS = Double(metric.turnMS(from: before, onto: edge.index)) / 1000
          item.entryS = Double(metric.entryMS(from: before, onto: edge.index)) / 1000
        }
        items.append(item)
      }
    }
  }
}

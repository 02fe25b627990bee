public import RoadGraph
import Route

/// The cost of a path by a metric, itemized, to explain why an engine chooses one road over
/// another.
public struct CostBreakdown: Hashable, Sendable {
  /// The costs of one piece of a path.
  public struct Item: Hashable, Sendable {
    public var edge: EdgeID
    /// Metres of it that the path covers.
    public var lengthM: Double
    /// Driving time in seconds.
    public var drivingS: Double
    /// Time of the turn onto it in seconds.
    public var turnS: Double
    /// Cost in addition to its time: avoided, closed, barred to the vehicle, or due to the
    /// optimisation.
    public var extraS: Double
    /// Cost of entering it if it is not open to through traffic, or if a sign bars the vehicle.
    public var entryS: Double
  }

  public var items: [Item] = []
  public var drivingS: Double { items.reduce(0) { $0 + $1.drivingS } }
  public var turnS: Double { items.reduce(0) { $0 + $1.turnS } }
  public var extraS: Double { items.reduce(0) { $0 + $1.extraS } }
  public var entryS: Double { items.reduce(0) { $0 + $1.entryS } }
  /// The total that the engine compares.
  public var costS: Double { drivingS + turnS + extraS + entryS }

  /// The itemized cost of a path; linear in its pieces.
  ///
  /// If the metric has a clock, each piece is priced for the moment at which it is reached, without
  /// rests.
  public init(_ path: FoundPath, by metric: RoadMetric) {
    let graph = metric.network.graph
    let search = EdgeSearch(metric: metric)
    var clockMS: UInt64 = 0
    for leg in path.legs {
      let times = metric.times(along: leg)
      for (index, edge) in leg.edges.enumerated() {
        let part = leg.part(index, graph)
        var costMS = search.partMS(edge.index, part.toM) - search.partMS(edge.index, part.fromM)
        var item = Item(
          edge: edge, lengthM: part.toM - part.fromM, drivingS: times[index].latestS, turnS: 0,
          extraS: 0, entryS: 0)
        if index > 0 {
          let before = leg.edges[index - 1].index
          let turnMS = metric.turnMS(from: before, onto: edge.index)
          item.turnS = Double(turnMS) / 1000
          item.entryS =
            Double(metric.entryMS(from: before, onto: edge.index, atMS: clockMS)) / 1000
          clockMS += turnMS
        }
        if metric.clock != nil {
          let lengthM = graph.lengthM(edge)
          let driven = metric.traversal(
            of: edge.index, share: lengthM > 0 ? item.lengthM / lengthM : 0, atMS: clockMS,
            mayWait: index > 0)
          if let driven {
            item.drivingS = (Double(driven.waitMS) + driven.driveMS) / 1000
            costMS = driven.costMS
          }
          clockMS += driven?.timeMS ?? UInt64((item.drivingS * 1000).rounded())
        }
        item.extraS = Double(costMS) / 1000 - item.drivingS
        items.append(item)
      }
    }
  }
}

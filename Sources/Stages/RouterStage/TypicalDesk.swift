import EventTime
import RoadGraph
import Synchronization
import Traffic

/// Typical speeds of a map, and the traffic that they were filled into a moment ago.
///
/// Speeds hold for a quarter of an hour: all requests of one quarter that know the same other traffic
/// share one view, and so the metrics made with it.
final class TypicalDesk: Sendable {
  let speeds: PlacedSpeeds
  private let edgeCount: Int
  private let known = Mutex<[(name: TrafficName, view: TrafficView)]>([])
  private static let limit = 4

  init(_ speeds: PlacedSpeeds, edgeCount: Int) {
    self.speeds = speeds
    self.edgeCount = edgeCount
  }

  /// `traffic`, and what is typical at `moment` where it knows nothing.
  func filled(
    _ traffic: (view: TrafficView, name: TrafficName)?, at moment: Instant
  ) -> (view: TrafficView, name: TrafficName) {
    var name = traffic?.name ?? .none
    name.typicalSlot = PlacedSpeeds.slot(moment)
    let wanted = name
    if let view = known.withLock({ $0.last { $0.name == wanted }?.view }) { return (view, wanted) }
    var view = traffic?.view ?? TrafficView(edgeCount: edgeCount, asOf: moment, observed: nil)
    speeds.fill(&view, at: moment)
    known.withLock { known in
      known.append((wanted, view))
      if known.count > Self.limit { known.removeFirst() }
    }
    return (view, wanted)
  }
}

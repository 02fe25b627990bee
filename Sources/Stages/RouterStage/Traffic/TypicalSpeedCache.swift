import Foundations
import RoadGraph
import Synchronization
import Traffic

/// Typical speeds of a map, and a cache of the traffic with filled-in typical speeds.
///
/// Speeds hold for a quarter of an hour. All requests of one quarter with the same other traffic
/// share one view, and therefore its metrics.
final class TypicalSpeedCache: Sendable {
  let speeds: PlacedSpeeds
  private let edgeCount: Int
  private let views = Mutex<[(name: TrafficKey, view: TrafficView)]>([])
  private static let limit = 4
  private let shares = Mutex<[(span: TimelineCache.Span, shares: TypicalShares)]>([])

  init(_ speeds: PlacedSpeeds, edgeCount: Int) {
    self.speeds = speeds
    self.edgeCount = edgeCount
  }

  /// Returns `traffic` with typical values at `moment` where it has none.
  func filled(_ traffic: RequestTraffic?, at moment: Instant) -> RequestTraffic {
    var filled = traffic ?? RequestTraffic(now: moment)
    filled.name.typicalSlot = PlacedSpeeds.slot(moment)
    let (name, known) = (filled.name, filled.view)
    filled.view = { [self] in view(name, at: moment, known) }
    return filled
  }

  /// Returns the typical speeds within a span.
  func shares(_ span: TimelineCache.Span) -> TypicalShares {
    if let known = shares.withLock({ $0.last { $0.span == span }?.shares }) { return known }
    let made = speeds.shares(from: span.from, until: span.until)
    shares.withLock { shares in
      shares.append((span, made))
      if shares.count > Self.limit { shares.removeFirst() }
    }
    return made
  }

  private func view(
    _ name: TrafficKey, at moment: Instant, _ known: () -> TrafficView?
  ) -> TrafficView {
    if let view = views.withLock({ $0.last { $0.name == name }?.view }) { return view }
    var view = known() ?? TrafficView(edgeCount: edgeCount, asOf: moment, observed: nil)
    speeds.fill(&view, at: moment)
    views.withLock { views in
      views.append((name, view))
      if views.count > Self.limit { views.removeFirst() }
    }
    return view
  }
}

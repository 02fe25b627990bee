import Foundations
import Messages
import Route
import RouteWire
import Routing
import Stage

/// Converts messages to values of the core and back.
enum Wire {
  static func route(_ wire: WireRoute, _ call: String) throws(Refusal) -> Route {
    do {
      return try Route(wire: wire)
    } catch {
      throw Refusal(
        reason: "invalid", message: "\(call): route.\(error)", field: "route.\(error.field)")
    }
  }

  static func reply(_ traffic: RouteTraffic, route: Route, pricedNs: Int64) -> RouteTrafficReply {
    RouteTrafficReply(reply(traffic, route: route, pricedNs: pricedNs))
  }

  private static func reply(
    _ traffic: RouteTraffic, route: Route, pricedNs: Int64
  ) -> WireTrafficAnswer {
    WireTrafficAnswer(
      routeId: route.id, pricedNs: pricedNs, lengthM: traffic.lengthM,
      durationLatestS: traffic.durations.latestS, delayS: traffic.durations.delayS,
      sections: traffic.sections.map { section in
        WireTrafficSection(
          section: Int64(section.section), lengthM: section.lengthM,
          durationFreeFlowS: section.durations.freeFlowS,
          durationLatestS: section.durations.latestS, delayS: section.durations.delayS,
          incidents: section.incidents.map { Int64($0) },
          baseSpeedMps: section.baseSpeedMps, trafficSpeedMps: section.trafficSpeedMps,
          jamFactor: section.jamFactor)
      },
      spans: WireTrafficSpans(
        span: traffic.spans.map { Int64($0.span) }, lengthM: traffic.spans.map(\.lengthM),
        durationLatestS: traffic.spans.map(\.durations.latestS),
        delayS: traffic.spans.map(\.durations.delayS),
        baseSpeedMps: traffic.spans.map(\.baseSpeedMps),
        trafficSpeedMps: traffic.spans.map(\.trafficSpeedMps),
        jamFactor: traffic.spans.map(\.jamFactor),
        speedKind: traffic.spans.map(\.kind.wire)),
      spanUntilNs: traffic.spans.contains { $0.until != nil }
        ? traffic.spans.map { $0.until?.nanoseconds ?? 0 } : [],
      spanIncidents: traffic.spans.flatMap { span in
        span.incidents.map { WireSpanIncident(span: Int64(span.span), incident: Int64($0)) }
      },
      incidents: traffic.incidents.map(\.wire), trafficUsed: traffic.ageS != nil,
      trafficAgeS: traffic.ageS)
  }
}

extension Durations {
  /// Delay in seconds due to current traffic; negative if it flows faster than usual.
  var delayS: Double { latestS - freeFlowS }
}

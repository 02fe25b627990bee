import Dispatch
import Geodesy
import MessagePack
import Messages
import RoadGraph
import RouteWire
import Stage
import Synchronization
import Traffic

/// Adds to the incidents of a message what a page cannot compute: the length of their roads, and a
/// place for those that have segments only.
///
/// Messages are placed in their order on a queue of their own, because a map may need an index
/// first.
final class PlacedIncidents: Sendable {
  private let queue = DispatchQueue(label: "incidents", qos: .utility)
  private let index = Mutex<(map: String, index: SegmentIndex)?>(nil)

  /// Calls `show` with the text for the pages; texts come in the order of their messages.
  func place(
    _ message: EncodedMessage, on graph: RoadGraph, map: String,
    show: @escaping @Sendable (_ text: String) -> Void
  ) {
    queue.async { [self] in
      guard let list = try? TrafficIncidents(decoding: message.payload),
        list.incidents.contains(where: { !$0.segments.isEmpty })
      else { return show(LiveText.text(of: message)) }
      var finder = EdgePartFinder(index(of: graph, map: map), in: graph)
      let facts = list.incidents.map { incident in
        Self.facts(
          incident.segments.flatMap { finder.parts(SegmentReference(wire: $0)) }, of: incident,
          on: graph)
      }
      show(LiveText.text(of: message, payload: Self.adding(facts, to: message.payload)))
    }
  }

  private func index(of graph: RoadGraph, map: String) -> SegmentIndex {
    index.withLock { known in
      if let known, known.map == map { return known.index }
      let new = SegmentIndex(graph)
      known = (map, new)
      return new
    }
  }

  private static func facts(
    _ parts: [EdgePart], of incident: WireIncident, on graph: RoadGraph
  ) -> [MessagePackValue.Entry] {
    guard let first = parts.first else { return [] }
    let edges = Set(parts.map(\.edge))
    // A road that is affected in both directions has its length once.
    let lengthM = parts.reduce(0) { sum, part in
      let isTwice = graph.twin(part.edge).map { edges.contains($0) } ?? false
      return sum + part.lengthM / (isTwice ? 2 : 1)
    }
    var facts: [MessagePackValue.Entry] = [.init("length_m", .double(lengthM))]
    if incident.latDeg == nil || incident.lonDeg == nil {
      let shape = graph.shape(first.edge)
      if let place = Polyline(shape).coordinate(atM: first.fromM) ?? shape.first {
        facts += [
          .init("lat_deg", .double(place.latitudeDeg)),
          .init("lon_deg", .double(place.longitudeDeg)),
        ]
      }
    }
    return facts
  }

  /// The payload with further entries for each incident.
  private static func adding(
    _ facts: [[MessagePackValue.Entry]], to payload: [UInt8]
  ) -> MessagePackValue {
    guard case .map(let entries) = LiveText.payload(payload) else { return .null }
    return .map(
      entries.map { entry in
        guard entry.key == "incidents", case .array(let incidents) = entry.value else {
          return entry
        }
        let placed = zip(incidents, facts).map { incident, facts -> MessagePackValue in
          guard case .map(let known) = incident else { return incident }
          let added = Set(facts.map(\.key))
          return .map(known.filter { !added.contains($0.key) } + facts)
        }
        return .init(entry.key, .array(placed))
      })
  }
}

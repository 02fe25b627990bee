import Messages
import RoadGraph
import RouteWire
import Stage
import Traffic
import TrafficFeeds

/// The last message of each traffic feed of one vehicle, not decoded: many are received, few are
/// shown.
struct FlowFeeds: Hashable, Sendable {
  /// The topics of the messages.
  static let topics = [TrafficFlow.topic, TrafficIncidents.topic]
  /// Maximum number of bytes of all messages together; larger ones are refused.
  static let byteLimit = 128 * 1024 * 1024

  /// By topic and feed.
  private var payloads: [String: [UInt8]] = [:]
  private var byteCount = 0

  /// Values of feeds that are not shown, for the node's counters and its log.
  struct Fault: Hashable, Sendable {
    var counter: String
    var count: Int
    var sentence: String
  }

  var isEmpty: Bool { payloads.isEmpty }

  /// Takes a message, which replaces the last one of its feed; an empty one removes it.
  ///
  /// - Returns: whether there was room for it.
  mutating func receive(_ message: EncodedMessage) -> Bool {
    let name = "\(message.topic) \(message.key ?? "")"
    byteCount -= payloads.removeValue(forKey: name)?.count ?? 0
    guard !message.payload.isEmpty else { return true }
    guard byteCount + message.payload.count <= Self.byteLimit else { return false }
    payloads[name] = message.payload
    byteCount += message.payload.count
    return true
  }

  /// Decodes the messages, and checks those that differ from `checked` for values that cannot be
  /// shown.
  ///
  /// Linear in the rows.
  func reports(
    on map: FlowMap, since checked: FlowFeeds?
  ) -> (reports: TrafficReports, faults: [Fault]) {
    var reports = TrafficReports()
    var faults: [Fault] = []
    for (name, payload) in payloads.sorted(by: { $0.key < $1.key }) {
      let isNew = checked?.payloads[name] != payload
      do throws(DecodeError) {
        if name.hasPrefix(TrafficFlow.topic) {
          let wire = try TrafficFlow(decoding: payload)
          let (flow, bad) = FlowSnapshot.reading(wire)
          reports.set(flow)
          if isNew {
            faults += Self.faults(in: flow, bad: bad, of: wire.flow.way.count, on: map)
          }
        } else {
          let list = IncidentList(wire: try TrafficIncidents(decoding: payload))
          reports.set(map.snapper.snapped(list))
        }
      } catch {
        guard isNew else { continue }
        faults.append(
          Fault(counter: "page_refused", count: 1, sentence: "\(name): not shown: \(error.message)")
        )
      }
    }
    return (reports, faults)
  }

  private static func faults(
    in flow: FlowSnapshot, bad: [Int], of count: Int, on map: FlowMap
  ) -> [Fault] {
    var faults: [Fault] = []
    if let first = bad.first {
      faults.append(
        Fault(
          counter: "flow_bad_values", count: bad.count,
          sentence: "\(TrafficFlow.topic) \(flow.feed): \(bad.count) of \(count) rows are not "
            + "shown: speeds must be 0 or more, jam factors 0 to 100; the first is row \(first)"))
    }
    let check = FeedCheck(flow, index: map.index, graph: map.graph)
    if check.unplaced > 0 {
      faults.append(
        Fault(
          counter: "flow_unplaced", count: check.unplaced,
          sentence: "\(TrafficFlow.topic) \(flow.feed): \(check.unplaced) of \(count) lie on no "
            + "road of the map: \(check.unplacedNames.joined(separator: "; "))"))
    }
    return faults
  }
}

/// The part of a map that the traffic layer needs: the places of its segments, and the tiles.
final class FlowMap: Sendable {
  let name: String
  let graph: RoadGraph
  let index: SegmentIndex
  let snapper: IncidentSnapper

  /// Linear in the edges; takes 12 to 20 bytes for each.
  init(_ graph: RoadGraph, name: String) {
    self.name = name
    self.graph = graph
    index = SegmentIndex(graph, isHashed: true)
    snapper = IncidentSnapper(graph, index: index)
  }
}

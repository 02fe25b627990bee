import Geodesy
import RoadGraph

@testable import TrafficFeeds

/// Writes OpenLR line locations of drawn roads: what a publisher with another map would send.
enum OpenLREncoder {
  /// Base64 of the line along some edges, with location reference points at the places `at` among their nodes.
  static func base64(
    _ edges: [EdgeID], on graph: RoadGraph, at places: [Int]? = nil, positive: Double? = nil,
    negative: Double? = nil, movedM: Double = 0
  ) -> String {
    let ends = places ?? [0, edges.count]
    let nodes = edges.map { graph.tail($0) } + (edges.last.map { [graph.head($0)] } ?? [])
    var bytes: [UInt8] = [0x0b]
    var last = Coordinate(latitudeDeg: 0, longitudeDeg: 0)
    for (number, place) in ends.enumerated() {
      let isLast = number == ends.count - 1
      let own = graph.coordinate(nodes[place]).moved(bearingDeg: 30, distanceM: movedM)
      if number == 0 {
        bytes += absolute(own.longitudeDeg) + absolute(own.latitudeDeg)
        last = OpenLRReference.known(bytes)
      } else {
        let step = [own.longitudeDeg - last.longitudeDeg, own.latitudeDeg - last.latitudeDeg]
          .map { Int(($0 * 1e5).rounded()) }
        bytes += step.flatMap { word($0, 2) }
        last = Coordinate(
          latitudeDeg: last.latitudeDeg + Double(step[1]) / 1e5,
          longitudeDeg: last.longitudeDeg + Double(step[0]) / 1e5)
      }
      let road = graph.attributes(edges[isLast ? place - 1 : place])
      bytes.append(UInt8(min(7, road.roadClass.rawValue)) << 3 | 3)
      let bearing = bearingDeg(edges, place, isLast, graph)
      let sector = UInt8(Int(bearing / OpenLRReference.bearingStepDeg) & 31)
      if isLast {
        bytes.append((positive == nil ? 0 : 0x40) | (negative == nil ? 0 : 0x20) | sector)
      } else {
        let leg = edges[place..<ends[number + 1]]
        let least = leg.map { min(7, graph.attributes($0).roadClass.rawValue) }.max() ?? 7
        let lengthM = leg.reduce(0) { $0 + graph.lengthM($1) }
        bytes.append(UInt8(least) << 5 | sector)
        bytes.append(UInt8(min(255, lengthM / OpenLRReference.distanceStepM)))
      }
    }
    for share in [positive, negative] { if let share { bytes.append(UInt8(share * 256)) } }
    return text(bytes)
  }

  private static func bearingDeg(
    _ edges: [EdgeID], _ place: Int, _ isLast: Bool, _ graph: RoadGraph
  ) -> Double {
    let edge = edges[isLast ? place - 1 : place]
    let lengthM = graph.lengthM(edge)
    let from = graph.coordinate(RoadPosition(edge: edge, offsetM: isLast ? lengthM : 0))
    let metres = isLast ? max(0, lengthM - 20) : min(lengthM, 20)
    return from.bearingDeg(to: graph.coordinate(RoadPosition(edge: edge, offsetM: metres)))
  }

  private static func absolute(_ degrees: Double) -> [UInt8] {
    word(
      Int((degrees * Double(1 << 24) / 360 + (degrees < 0 ? -0.5 : 0.5)).rounded(.towardZero)), 3)
  }

  private static func word(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func text(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for k in 0...group.count { text.append(letters[word >> (18 - 6 * k) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}

extension OpenLRReference {
  /// The first point of a reference that has begun.
  fileprivate static func known(_ bytes: [UInt8]) -> Coordinate {
    let whole = bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
    return (try? OpenLRReference(bytes: whole))?.points.first?.at
      ?? Coordinate(latitudeDeg: 0, longitudeDeg: 0)
  }
}

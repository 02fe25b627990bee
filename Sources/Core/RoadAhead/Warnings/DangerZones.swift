import Foundations
import RoadGraph
import Route

/// Danger zones of a map: stretches of road that contain a speed camera somewhere.
///
/// They replace the cameras of countries where the law forbids reporting positions (`CameraLaw`). A
/// zone follows the likeliest road through its camera, and is shortened only where that road ends.
/// Between one and nine tenths of the zone lie before the camera. That share is derived from the
/// node's number, so it is the same on each machine and differs from camera to camera. Both
/// directions of a road share one zone, so that the two together reveal no more than one of them.
public struct DangerZones: Sendable {
  /// Parts of edges, in metres from the start of the edge, in order; overlapping zones are joined.
  private(set) var stretches: [EdgeID: [ClosedRange<Double>]] = [:]

  /// Linear in the number of nodes, and in the number of edges in the zones.
  init(_ graph: RoadGraph) {
    for index in 0..<graph.nodeCount where graph.columns.nodeFlags[index].contains(.speedCamera) {
      let node = NodeID(rawValue: UInt32(index))
      for edge in graph.edges(entering: node) {
        let road = graph.attributes(edge)
        guard CameraLaw.wantsZones(road), !road.flags.contains(.signsFaceAway) else { continue }
        add(around: edge, graph, lengthM: CameraLaw.zoneM(road))
      }
    }
    for edge in stretches.keys { stretches[edge] = Self.joined(stretches[edge] ?? []) }
  }

  // Adds the zone of the camera at the end of an edge.
  private mutating func add(around edge: EdgeID, _ graph: RoadGraph, lengthM: Double) {
    let behind = ThroughRoad.back(from: edge, graph, atLeastM: lengthM)
    let ahead = ThroughRoad.ahead(of: edge, graph, atLeastM: lengthM)
    let behindM = behind.reduce(0) { $0 + graph.lengthM($1) }
    let aheadM = ahead.reduce(0) { $0 + graph.lengthM($1) }
    let share = Self.share(of: edge, next: ahead.first, graph)
    // If the road on one side is too short, the zone extends further on the other side.
    let beforeM = Double.minimum(behindM, Double.maximum(share * lengthM, lengthM - aheadM))
    var left = beforeM
    for edge in behind where left > 0 {
      let ownM = graph.lengthM(edge)
      stretches[edge, default: []].append(Double.maximum(0, ownM - left)...ownM)
      left -= ownM
    }
    left = lengthM - beforeM
    for edge in ahead where left > 0 {
      let ownM = graph.lengthM(edge)
      stretches[edge, default: []].append(0...Double.minimum(left, ownM))
      left -= ownM
    }
  }

  /// The share of a zone that lies before its camera; the other direction gets the rest.
  private static func share(of edge: EdgeID, next: EdgeID?, _ graph: RoadGraph) -> Double {
    let node = graph.columns.nodeOSM[graph.head(edge).index]
    let hash = FNV1a(withUnsafeBytes(of: node.littleEndian, Array.init)).value >> 32
    let share = 0.1 + 0.8 * Double(hash % 1024) / 1023
    let from = graph.columns.nodeOSM[graph.tail(edge).index]
    let to = next.map { graph.columns.nodeOSM[graph.head($0).index] } ?? .max
    return from < to ? share : 1 - share
  }

  private static func joined(_ parts: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    var all: [ClosedRange<Double>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = all.last, part.lowerBound <= last.upperBound {
        all[all.count - 1] =
          last.lowerBound...Double.maximum(last.upperBound, part.upperBound)
      } else {
        all.append(part)
      }
    }
    return all
  }
}

/// Stretches of road with a speed camera, where the law forbids reporting its position.
struct DangerZoneRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    let zones = way.map.dangerZones.stretches
    guard !zones.isEmpty else { return [] }
    var found: [RoadObject] = []
    for (index, edge) in way.path.edges.enumerated() {
      guard let parts = zones[edge], !way.isSilentOfCameras(index) else { continue }
      let startM = way.path.startsM[index]
      let lengthM = way.graph.lengthM(edge)
      for part in parts {
        let endM = startM + part.upperBound
        if part.lowerBound < 0.01, let last = found.last?.endM, abs(last - startM) < 0.01 {
          found[found.count - 1].endM = endM
          continue
        }
        // The name is derived from where the zone begins, not from the camera in it.
        let reference = way.graph.reference(edge)
        let name = "\(reference.way)-\(reference.from)-\(reference.to)"
        var zone = way.point(
          .dangerZone, id: "danger_zone/\(name)/\(Int(part.lowerBound))", on: index,
          offsetM: Double.minimum(part.lowerBound, lengthM))
        zone.endM = endM
        found.append(zone)
      }
    }
    return found
  }
}

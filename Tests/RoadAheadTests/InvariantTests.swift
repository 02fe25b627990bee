import DrawnMaps
import Foundations
import RoadAhead
import RoadGraph
import Route
import Testing

@Suite struct InvariantTests {
  /// Streets in a grid, with things at crossings and zones along some of them.
  static func town() throws -> DrawnMap {
    try DrawnMap(
      """
      a---b---c---d
      e---f---g---h
      i---j---k---l
      """,
      ways: [
        "abcd": "highway=primary name=A maxspeed=50",
        "efgh": "highway=secondary name=B maxspeed=30",
        "ijkl": "highway=primary name=C", "aei": "highway=tertiary name=D hazard=school_zone",
        "bfj": "highway=tertiary name=E", "cgk": "highway=tertiary name=F tunnel=yes",
        "dhl": "highway=tertiary name=G maxheight=3",
      ],
      nodes: [
        "b": "highway=traffic_signals", "f": "highway=speed_camera", "g": "highway=traffic_signals",
        "k": "railway=level_crossing", "h": "traffic_calming=bump", "j": "highway=speed_camera",
      ])
  }

  // Two thousand drives, twenty a case: turns at random, gaps, unlikely places, jumps, crashes.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a warning is ahead before it ends, once, and one of a kind at a time, EV-4`(
    block: UInt64
  ) throws {
    let map = try Self.town()
    for seed in block * 20..<block * 20 + 20 {
      let faults = drive(map, seed: seed)
      #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(3))")
    }
  }

  private func drive(_ map: DrawnMap, seed: UInt64) -> [String] {
    var dice = SplitMix64(seed: seed)
    var drive = Drive(map)
    let graph = map.graph
    var edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &dice))
    var offsetM = 0.0
    for _ in 0..<200 {
      offsetM += Double(Int.random(in: 0..<40, using: &dice))
      var driven = [edge]
      while offsetM >= graph.lengthM(edge) {
        offsetM -= graph.lengthM(edge)
        let ways = LikelyRoad.branches(after: edge, graph, mode: .car)
        edge =
          ways.isEmpty
          ? (graph.twin(edge) ?? edge) : ways[Int.random(in: 0..<ways.count, using: &dice)].edge
        driven.append(edge)
      }
      switch Int.random(in: 0..<40, using: &dice) {
      case 0: continue
      case 1: (edge, offsetM) = (EdgeID(Int.random(in: 0..<graph.edgeCount, using: &dice)), 0)
      case 2:
        drive.place(EdgeID(Int.random(in: 0..<graph.edgeCount, using: &dice)), 0, probability: 0.4)
        continue
      case 3:
        let memory = drive.watch.memory
        drive.watch = RoadAheadMonitor()
        drive.watch.recall(memory)
      default: break
      }
      drive.place(edge, offsetM, driven: Int.random(in: 0..<2, using: &dice) == 0 ? driven : [])
    }
    return faults(drive.reported)
  }

  private func faults(_ reported: [RoadWarning]) -> [String] {
    var faults: [String] = []
    var open: [WarningKind: (id: String, isReached: Bool)] = [:]
    for (number, warning) in reported.enumerated() {
      let (kind, id) = (warning.object.kind, warning.object.id)
      let words = "\(number): \(id) \(warning.event.rawValue)"
      switch warning.event {
      case .ahead:
        if open[kind] != nil { faults.append("\(words) before the first of its kind has ended") }
        open[kind] = (id, false)
      case .reached:
        if warning.object.endM == nil { faults.append("\(words): a point") }
        if let one = open[kind], one.id != id || one.isReached { faults.append(words) }
        open[kind] = (id, true)
      case .passed:
        guard let one = open.removeValue(forKey: kind), one.id == id else {
          faults.append("\(words) without ahead")
          continue
        }
        if warning.object.endM != nil, !one.isReached { faults.append("\(words) unreached") }
      case .cancelled:
        guard let one = open.removeValue(forKey: kind), one.id == id, !one.isReached else {
          faults.append("\(words) without ahead")
          continue
        }
      }
    }
    return faults
  }
}

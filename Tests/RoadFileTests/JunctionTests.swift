import Foundation
import Foundations
import Geodesy
import MapMaking
import RealData
import RoadGraph
import Testing

@testable import RoadFile

/// Hard places as OSM has them: small extracts that lie beside the package.
@Suite(.enabled(if: realData("junctions") != nil, "no extracts: set NAV_DATA"))
struct JunctionTests {
  private func build(_ name: String, _ options: MapOptions = MapOptions()) throws -> RoadGraph {
    let folder = try #require(realData("junctions"))
    let scratch = try Scratch()
    let output = scratch.path("map.navmap")
    try RoadFile.build(from: [folder.appending(path: name).path], to: output, options: options)
    try RoadFile.verify(path: output)
    return try RoadFile.open(path: output)
  }

  private func edges(_ graph: RoadGraph, where holds: (RoadAttributes) -> Bool) -> [EdgeID] {
    (0..<graph.edgeCount).map { EdgeID($0) }.filter { holds(graph.attributes($0)) }
  }

  /// Cars that stand on an edge of the sort and get to another by edges open to them.
  private func joins(_ graph: RoadGraph, _ from: [EdgeID], _ to: [EdgeID]) -> Bool {
    var seen = Set(from)
    var open = from
    let targets = Set(to)
    while let edge = open.popLast() {
      if targets.contains(edge) { return true }
      for next in graph.edges(leaving: graph.head(edge))
      where graph.attributes(next).access(.car).isUsable && seen.insert(next).inserted {
        open.append(next)
      }
    }
    return false
  }

  @Test func `a ferry in a harbour has its time and joins the roads`() throws {
    let graph = try build("hamburg-hafen-ferry.osm.pbf")
    let ferries = edges(graph) { $0.flags.contains(.ferry) }
    #expect(!ferries.isEmpty)
    #expect(ferries.contains { graph.attributes($0).crossingS > 0 })
  }

  @Test func `a barrier with access for all bars nobody`() throws {
    let graph = try build("a17-barrier-access-yes.osm.pbf")
    let motorway = edges(graph) { $0.roadClass == .motorway }
    #expect(!motorway.isEmpty)
    // No turn restriction parts one motorway edge from the next.
    for edge in motorway {
      for restriction in graph.restrictions(startingAt: edge) {
        let sequence = graph.restrictedSequence(restriction)
        let isThrough = sequence.count == 2 && sequence.allSatisfy { motorway.contains($0) }
        #expect(
          !(isThrough && graph.columns.restrictionModes[restriction].contains(.car)
            && graph.twin(sequence[0]) != sequence[1]), "\(graph.reference(edge))")
      }
    }
  }

  @Test func `a dual carriageway is two one-ways, and a slip lane a link`() throws {
    let dual = try build("northgate_dual_carriageway.osm")
    #expect(edges(dual) { $0.flags.contains(.oneWay) && $0.roadClass <= .secondary }.count > 10)
    let slip = try build("seattle_slip_lane.osm")
    #expect(!edges(slip) { $0.flags.contains(.link) && $0.flags.contains(.oneWay) }.isEmpty)
    let ramp = try build("i5_exit_ramp.osm")
    let motorway = edges(ramp) { $0.roadClass == .motorway && !$0.flags.contains(.link) }
    let links = edges(ramp) { $0.roadClass == .motorway && $0.flags.contains(.link) }
    #expect(!motorway.isEmpty && !links.isEmpty)
    #expect(joins(ramp, motorway, links))
    #expect(links.contains { !ramp.attributes($0).destination.isEmpty })
  }

  @Test func `a peanut of two rings is driven round on the left`() throws {
    let graph = try build("perth_peanut_roundabout.osm", MapOptions(country: "AU"))
    let ring = edges(graph) { $0.flags.contains(.roundabout) && $0.access(.car).isUsable }
    #expect(!ring.isEmpty)
    #expect(ring.allSatisfy { graph.attributes($0).flags.contains([.leftHand, .oneWay]) })
    // Clockwise: the turns along the rings add up to the right.
    var total = 0.0
    for edge in ring {
      for next in graph.edges(leaving: graph.head(edge)) where ring.contains(next) {
        let line = graph.shape(edge) + graph.shape(next).dropFirst().prefix(1)
        for (a, b) in zip(zip(line, line.dropFirst()), zip(line.dropFirst(), line.dropFirst(2))) {
          total += Angle.turnDeg(from: a.0.bearingDeg(to: a.1), to: b.0.bearingDeg(to: b.1))
        }
      }
    }
    #expect(total > 180)
  }

  @Test(arguments: [
    "bayfront_singapore.osm.pbf", "harrisburg.osm.pbf", "ny-access-restriction.osm.pbf",
    "station-border.osm.pbf", "switzerland-motorway-shortcut.osm.pbf",
  ])
  func `each extract makes a whole map`(name: String) throws {
    let graph = try build(name)
    #expect(graph.edgeCount > 100)
    let references = (0..<graph.edgeCount).map { graph.reference(EdgeID($0)) }
    #expect(Set(references).count == references.count)
  }

  @Test func `a PBF file cut or with a byte flipped is refused, or a whole map comes of it`() throws
  {
    let folder = try #require(realData("junctions"))
    let bytes = [UInt8](
      try Data(contentsOf: folder.appending(path: "bayfront_singapore.osm.pbf")))
    let scratch = try Scratch()
    var random = SplitMix64(seed: 7)
    var refused = 0
    let tries = 120
    for turn in 0..<tries {
      var damaged = bytes
      let place = Int(random.next() % UInt64(bytes.count))
      if turn % 2 == 0 {
        damaged.removeLast(bytes.count - place)
      } else {
        damaged[place] ^= UInt8(truncatingIfNeeded: 1 << (random.next() % 8))
      }
      let path = try scratch.write(damaged, to: "bad.osm.pbf")
      do throws(RoadFileError) {
        let report = try RoadFile.build(from: [path], to: scratch.path("bad.navmap"))
        try RoadFile.verify(path: report.output)
      } catch {
        refused += 1
        #expect(error.description.contains(path), "\(error)")
      }
    }
    // A file cut between two of its blocks is whole for all that one can see.
    #expect(refused > tries * 3 / 4)
  }

  @Test(.enabled(if: realData("maps") != nil))
  func `Malta drives on the left, in its rings too`() throws {
    let maps = try #require(realData("maps"))
    let scratch = try Scratch()
    let output = scratch.path("malta.navmap")
    try RoadFile.build(from: [maps.appending(path: "malta.osm.pbf").path], to: output)
    let graph = try RoadFile.open(path: output)
    let ring = edges(graph) { $0.flags.contains(.roundabout) && $0.access(.car).isUsable }
    // The extract holds a corner of Sicily too, where one drives on the right.
    let islands = ring.filter { graph.coordinate(graph.tail($0)).latitudeDeg < 36.2 }
    let sicily = ring.filter { graph.coordinate(graph.tail($0)).latitudeDeg > 36.4 }
    #expect(islands.count > 300)
    #expect(islands.allSatisfy { graph.attributes($0).flags.contains(.leftHand) })
    #expect(sicily.allSatisfy { !graph.attributes($0).flags.contains(.leftHand) })
    #expect(!edges(graph) { $0.flags.contains(.ferry) }.isEmpty)
  }
}

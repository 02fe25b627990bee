import Foundation
import Geodesy
import MapMatching
import Positioning
import RealData
import RoadFile
import RoadGraph
import Testing

@Suite(.enabled(if: realData("traces") != nil, "no real data beside the repository"))
struct RealTraceTests {
  private func porto() throws -> (network: MatchingNetwork, trips: [Trace]) {
    let folder = try #require(realData("traces")).deletingLastPathComponent().path
    let graph = try RoadFile.open(path: folder + "/maps/porto.osm.pbf")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/traces/porto-taxi.csv"))
    return (MatchingNetwork(graph: graph, mode: .car), try CSVTrace.parse([UInt8](bytes)))
  }

  @Test func `95 % of the fixes near a car road of 20 taxi trips are matched, MM-1`() throws {
    let (network, trips) = try porto()
    var near = 0
    var matched = 0
    for trip in trips.prefix(20) {
      var matcher = OnlineMatcher(network: network)
      for fix in trip.fixes {
        let match = matcher.match(fix).match
        let isNear = network.graph.edges(near: fix.place, withinM: 25).contains {
          network.graph.attributes($0.position.edge).access(.car).isUsable
        }
        if isNear { near += 1 }
        if isNear, match.place != nil { matched += 1 }
        if let place = match.place { #expect(place.distanceM <= 50) }
      }
    }
    #expect(near > 900)
    #expect(Double(matched) >= 0.95 * Double(near))
  }

  @Test func `the path of a taxi trip is one connected way, MM-13`() throws {
    let (network, trips) = try porto()
    var gaps = 0
    var joints = 0
    for trip in trips.prefix(5) {
      let trace = network.match(trace: trip.fixes)
      #expect(trace.matches.count == trip.fixes.count)
      for (a, b) in zip(trace.path, trace.path.dropFirst()) {
        joints += 1
        if network.reference(a).to != network.reference(b).from { gaps += 1 }
      }
    }
    #expect(joints > 200)
    #expect(gaps <= joints / 50)
  }
}

import DrawnMaps
import Foundation
import Foundations
import OpeningHours
import RoadGraph
import Testing

@testable import MapMaking

/// Barriers and signs on nodes.
@Suite struct BarrierTests {
  private func map(_ tags: String) throws -> DrawnMap {
    try DrawnMap("a-g-b", ways: ["agb": "highway=residential"], nodes: ["g": tags])
  }

  private func barrier(_ tags: String) throws -> RoadAttributes? {
    let map = try map(tags)
    guard let node = try? map.node("g") else { return nil }
    return map.graph.barrier(at: node)
  }

  /// The modes that never pass from a to b.
  private func forbidden(_ tags: String) throws -> TravelModes {
    let graph = try map(tags).graph
    return graph.columns.restrictionModes.records.reduce(into: TravelModes()) { $0.formUnion($1) }
  }

  @Test(
    arguments: [
      ("barrier=gate access=private", Access.private),
      ("barrier=gate access=customers", .customers),
      ("barrier=lift_gate motor_vehicle=destination", .destination),
      ("barrier=bollard motor_vehicle=delivery", .delivery),
      ("barrier=gate access=permit", .private), ("barrier=entrance access=residents", .private),
      ("entrance=yes access=private", .private), ("barrier=gate locked=yes", .private),
      ("barrier=gate access=yes locked=yes", .private),
      ("barrier=gate access=private motorcar=yes", .yes),
      ("amenity=parking_entrance access=customers", .customers),
    ])
  func `the access of a barrier is that of its tags, RT-8`(tags: String, access: Access) throws {
    #expect(try barrier(tags)?.access(.car) == access)
    #expect(try forbidden(tags).contains(.car) == false)
  }

  @Test(
    arguments: [
      "barrier=gate", "barrier=lift_gate", "barrier=cattle_grid", "barrier=kerb",
      "barrier=gate access=yes", "barrier=gate locked=yes motor_vehicle=yes bicycle=yes foot=yes",
      "barrier=no access=private", "highway=crossing foot=private", "barrier=toll_booth",
    ])
  func `a barrier that all may pass is no restriction, RT-8`(tags: String) throws {
    #expect(try barrier(tags)?.access(.car) ?? .yes == .yes)
    #expect(try forbidden(tags).isEmpty)
  }

  @Test func `each kind of barrier stops the modes that cannot pass it, RT-8`() throws {
    let motorised = TravelModes.motorised
    #expect(try forbidden("barrier=bollard") == motorised)
    #expect(try forbidden("barrier=bollard bollard=rising").isEmpty)
    #expect(try forbidden("barrier=block") == motorised)
    #expect(try forbidden("barrier=bus_trap") == motorised.subtracting(TravelModes(.bus)))
    #expect(try forbidden("barrier=stile") == TravelModes.all.subtracting(TravelModes(.pedestrian)))
    #expect(try forbidden("barrier=height_restrictor") == [TravelModes(.truck), TravelModes(.bus)])
    #expect(try forbidden("barrier=height_restrictor maxheight=4.2").isEmpty)
    #expect(try forbidden("barrier=gate access=no foot=yes").contains(.bicycle))
    #expect(try forbidden("ford=stepping_stones") == motorised)
    #expect(try forbidden("ford=boat") == TravelModes.all.subtracting(TravelModes(.pedestrian)))
    #expect(try forbidden("ford=yes").isEmpty)
  }

  @Test func `hours and conditions close a barrier at times, RT-8`() throws {
    // Monday, by the clocks of a meridian two hours behind.
    func passes(_ tags: String, atHour hour: Double, _ mode: TravelMode = .car) throws -> Bool {
      let map = try map(tags)
      #expect(map.report.unreadableRules == 0)
      let moment = Instant(seconds: 1_767_571_200 + (hour + 2) * 3600)
      let timed = RuleBook(map.graph).restrictions(for: mode, at: moment)
      let always = (0..<map.graph.columns.restrictionModes.count).filter {
        map.graph.columns.restrictionModes[$0].contains(mode)
      }
      return !timed.contains { map.letters($0) == "agb" } && always.isEmpty
    }
    let night = "barrier=gate access:conditional=no @ (22:00-06:00)"
    #expect(try passes(night, atHour: 12) && !passes(night, atHour: 23))
    let day = "barrier=gate access=no access:conditional=yes @ (06:00-22:00)"
    #expect(try passes(day, atHour: 12) && !passes(day, atHour: 23))
    let hours = "barrier=gate opening_hours=Mo-Fr 08:00-18:00"
    #expect(try passes(hours, atHour: 12) && !passes(hours, atHour: 20))
    let market = "barrier=bollard motor_vehicle=no motor_vehicle:conditional=yes @ (06:00-10:00)"
    #expect(try passes(market, atHour: 7) && !passes(market, atHour: 12))
    #expect(try passes(market, atHour: 12, .bicycle))
    let permit = try barrier("barrier=gate access=no access:conditional=yes @ permit_holder")
    #expect(permit?.access(.car) == .private)
  }

  @Test func `signs on nodes limit sizes, RT-3`() throws {
    #expect(try barrier("maxheight=1.9")?.maxHeightCm == 190)
    #expect(try barrier("barrier=width_restrictor maxwidth=2.1")?.maxWidthCm == 210)
    #expect(try barrier("traffic_calming=choker maxwidth=2.1 m")?.maxWidthCm == 210)
    #expect(try barrier("barrier=bollard maxwidth=2.0 motor_vehicle=yes")?.maxWidthCm == 200)
    #expect(try barrier("barrier=height_restrictor maxheight=6'6\"")?.maxHeightCm == 198)
    #expect(try map("maxheight=low").report.unreadableValues == ["maxheight": 1])
    #expect(try map("maxheight=1.9").report.restrictedBarriers == 1)
  }

  @Test func `barriers outlive joining and files of maps, RT-8`() throws {
    let map = try map("barrier=gate access=private maxweight:hgv=7.5")
    let joined = try GraphMaker.make([MapPart(map.graph)]).graph()
    let node = try #require(
      (0..<joined.nodeCount).map { NodeID($0) }.first { joined.barrier(at: $0) != nil })
    let barrier = try #require(joined.barrier(at: node))
    #expect(barrier.access(.car) == .private)
    #expect(joined.text(barrier.rules) == "sign 2 weight 7.5")
    #expect(joined.columns.nodeOSM[node.index] == (try map.osmID("g")))
  }

  @Test func `the page of barriers lists what each kind lets pass, RT-8`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "docs/architecture/barriers.md"), encoding: .utf8)
    for (kinds, passing) in BarrierTags.table {
      let words = TravelMode.allCases.filter { passing.contains($0) }.map(\.word)
      let row = try #require(
        page.split(separator: "\n").first { $0.hasSuffix("| \(words.joined(separator: ", ")) |") })
      let listed = row.split(separator: "`").map(String.init).filter { !$0.contains(" ") }
      #expect(Set(listed) == kinds)
    }
  }
}

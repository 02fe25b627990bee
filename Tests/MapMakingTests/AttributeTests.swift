import DrawnMaps
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct AttributeTests {
  @Test func `a platform has no name of a road, RT-11`() throws {
    let platform = TagReading(["railway": "platform", "name": "B", "ref": "2;3"])
    let road = try #require(platform.forward)
    #expect(road.name.isEmpty && road.number.isEmpty)
    let path = TagReading(["highway": "footway", "public_transport": "platform", "name": "Quay"])
    #expect(path.text(path.forward?.name) == "Quay")
  }

  @Test func `lanes of each direction, left to right`() {
    let two = TagReading([
      "highway": "primary", "lanes": "5", "lanes:forward": "3",
      "turn:lanes:forward": "left|through|through;right",
    ])
    #expect(two.forward?.laneCount == 3)
    #expect(two.backward?.laneCount == 2)
    #expect(two.text(two.forward?.turnLanes) == "left|through|through;right")
    #expect(two.text(two.backward?.turnLanes) == "")
    let one = TagReading(["highway": "primary", "oneway": "yes", "turn:lanes": "left|right"])
    #expect(one.forward?.laneCount == 2)
    #expect(one.text(one.forward?.turnLanes) == "left|right")
    #expect(TagReading(["highway": "primary", "lanes": "4"]).backward?.laneCount == 2)
    #expect(TagReading(["highway": "primary", "lanes": "many"]).forward?.laneCount == 0)
    let middle = TagReading(["highway": "primary", "lanes": "3", "lanes:both_ways": "1"])
    #expect(middle.forward?.laneCount == 1)
  }

  @Test func `names, numbers and signposts, MM-14`() {
    let reading = TagReading([
      "highway": "motorway_link", "oneway": "yes", "name": "Ramp", "ref": "A 1",
      "name:fr": "Rampe", "name:de": "Rampe", "name:etymology": "x", "destination": "Harbour;Docks",
      "destination:ref": "M1", "junction:ref": "12",
    ])
    let road = reading.forward
    #expect(reading.text(road?.name) == "Ramp")
    #expect(reading.text(road?.number) == "A 1")
    #expect(reading.text(road?.namesByLanguage) == "de=Rampe\nfr=Rampe")
    #expect(reading.text(road?.destination) == "Harbour;Docks")
    #expect(reading.text(road?.destinationNumber) == "M1")
    #expect(reading.text(road?.exitNumber) == "12")
    #expect(road?.flags.contains(.link) == true)
    #expect(road?.roadClass == .motorway)
  }

  @Test func `a signpost speaks to those who go its way`() {
    let bare = TagReading(["highway": "primary", "destination": "North"])
    #expect(bare.text(bare.forward?.destination) == "North")
    #expect(bare.text(bare.backward?.destination) == "")
    let both = TagReading([
      "highway": "primary", "destination:forward": "North", "destination:backward": "South",
    ])
    #expect(both.text(both.backward?.destination) == "South")
    let lanes = TagReading([
      "highway": "primary", "oneway": "yes", "destination:lanes": "A;B|B|C",
    ])
    #expect(lanes.text(lanes.forward?.destination) == "A;B;C")
  }

  @Test(arguments: [
    ("junction=roundabout", RoadFlags.roundabout), ("junction=circular", .circular),
    ("tunnel=yes", .tunnel), ("bridge=viaduct", .bridge), ("toll=yes", .toll),
    ("surface=gravel", .unpaved), ("driving_side=left", .leftHand), ("hov=designated", .carPool),
    ("motorroad=yes", .controlledAccess), ("dual_carriageway=yes", .divided),
    ("noexit=yes", .noThrough), ("hazard=school_zone", .schoolZone), ("lit=yes", .lit),
    ("traffic_calming=table", .trafficCalming), ("oneway=reversible", .reversible),
  ])
  func `what a road is beside its class, EV-1`(tag: String, flag: RoadFlags) {
    let halves = parts(tag, "=")
    let plain = TagReading(["highway": "primary"]).forward
    var tags: OSMTags = ["highway": "primary"]
    tags[halves[0]] = halves[1]
    let tagged = TagReading(tags)
    #expect(plain?.flags.contains(flag) == false)
    #expect(tagged.forward?.flags.contains(flag) == true)
  }

  @Test func `layers come from the tag, else from bridge and tunnel`() {
    #expect(TagReading(["highway": "primary", "bridge": "yes"]).forward?.layer == 1)
    #expect(TagReading(["highway": "primary", "tunnel": "yes"]).forward?.layer == -1)
    #expect(TagReading(["highway": "primary", "layer": "3"]).forward?.layer == 3)
    #expect(TagReading(["highway": "primary", "layer": "900"]).forward?.layer == 127)
    #expect(
      TagReading(["highway": "primary", "bridge": "no"]).forward?.flags.contains(.bridge) == false)
  }

  @Test func `country and driving side come from options where data are silent`() {
    let british = TagReading(["highway": "primary"], options: MapOptions(country: "GB")).forward
    #expect(british?.country == "GB")
    #expect(british?.flags.contains(.leftHand) == true)
    let right = TagReading(
      ["highway": "primary", "driving_side": "right"], options: MapOptions(country: "GB")
    ).forward
    #expect(right?.flags.contains(.leftHand) == false)
    #expect(TagReading(["highway": "primary"]).forward?.country == nil)
  }

  @Test func `a ferry takes its time, shared among its pieces`() throws {
    let map = try DrawnMap(
      "a-b-c-d", ways: ["ab": "", "bcd": "route=ferry duration=00:10 name=Ferry"])
    let edge = try map.edge("bd")
    #expect(map.graph.attributes(edge).crossingS == 600)
    #expect(map.graph.attributes(edge).flags.contains(.ferry))
    #expect(map.graph.attributes(edge).freeFlowMps(.car) > 0)
  }

  @Test(arguments: [(true, 3, true), (false, 3, false), (true, 2, false)])
  func `where no country is known roundabouts tell the driving side`(
    isClockwise: Bool, rings: Int, drivesOnLeft: Bool
  ) throws {
    var data = OSMData()
    for ring in 0..<rings {
      let corners: [(Int32, Int32)] = [(0, 0), (0, 3_000), (3_000, 3_000), (3_000, 0)]
      let first = Int64(data.nodes.count + 1)
      for (latitude, longitude) in corners {
        data.nodes.append(
          OSMNode(
            id: Int64(data.nodes.count + 1), latitudeE7: 358_000_000 + latitude,
            longitudeE7: -400_000_000 + longitude + Int32(ring) * 50_000))
      }
      let against = [first, first + 1, first + 2, first + 3, first]
      data.ways.append(
        OSMWay(
          id: Int64(ring + 1), nodes: isClockwise ? against.reversed() : against,
          tags: ["highway": "primary", "junction": "roundabout"]))
    }
    let graph = try GraphMaker.make(data).graph()
    let flags = (0..<graph.edgeCount).map { graph.attributes(EdgeID($0)).flags }
    #expect(flags.allSatisfy { $0.contains(.leftHand) == drivesOnLeft })
    #expect(!flags.isEmpty)
  }
}

import DrawnMaps
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct VehicleTests {
  @Test(arguments: [
    ("3.8", 3.8), ("3.8 m", 3.8), ("3,8", 3.8), ("380 cm", 3.8), ("12'6\"", 3.81),
    ("12 ft", 3.6576),
    ("12 ft 6 in", 3.81), ("13'", 3.9624),
  ])
  func `lengths in metres and in feet`(text: String, metres: Double) throws {
    #expect(abs(try #require(VehicleTags.metres(text)) - metres) < 0.0001)
  }

  @Test(arguments: [
    ("7.5", 7.5), ("7.5 t", 7.5), ("7500 kg", 7.5), ("10 st", 9.0718), ("26000 lbs", 11.793),
  ])
  func `weights in tonnes and in tons`(text: String, tonnes: Double) throws {
    #expect(abs(try #require(VehicleTags.tonnes(of: text)) - tonnes) < 0.001)
  }

  @Test func `signs without a number say nothing`() {
    for text in ["default", "none", "below_default", "", "no_sign", "3 bananas"] {
      #expect(VehicleTags.metres(text) == nil)
      #expect(VehicleTags.tonnes(of: text) == nil)
    }
  }

  @Test func `a vehicle fits or does not, RT-3`() throws {
    let road = try #require(
      TagReading([
        "highway": "primary", "maxheight": "3.8", "maxweight": "12", "maxwidth": "2.5",
        "maxlength": "10", "maxaxleload": "8", "hazmat": "no",
      ]).forward)
    #expect(road.lets(VehicleSize()))
    #expect(road.lets(VehicleSize(heightM: 3.8, widthM: 2.5, lengthM: 10, weightT: 12)))
    #expect(!road.lets(VehicleSize(heightM: 3.81)))
    #expect(!road.lets(VehicleSize(widthM: 2.55)))
    #expect(!road.lets(VehicleSize(lengthM: 12)))
    #expect(!road.lets(VehicleSize(weightT: 12.5)))
    #expect(!road.lets(VehicleSize(axleLoadT: 8.5)))
    #expect(!road.lets(VehicleSize(carriesHazardousGoods: true)))
  }

  @Test func `who pays toll, RT-6`() {
    func modes(_ tags: OSMTags) -> TravelModes? { TagReading(tags).forward?.tollModes }
    #expect(modes(["highway": "motorway", "toll": "yes"]) == .motorised)
    #expect(modes(["highway": "motorway", "toll:hgv": "yes"]) == TravelModes(.truck))
    #expect(
      modes(["highway": "motorway", "toll": "yes", "toll:motorcycle": "no"])
        == TravelModes.motorised.subtracting(TravelModes(.scooter)))
    #expect(modes(["highway": "motorway", "toll:N3": "yes"]) == TravelModes(.truck))
    #expect(
      TagReading(["highway": "motorway", "toll:hgv": "yes"]).forward?.flags.contains(.toll) == false
    )
  }

  @Test func `limits by mode, lane, direction, advice and country, EV-2`() throws {
    let road = try #require(
      TagReading([
        "highway": "primary", "maxspeed": "100", "maxspeed:hgv": "60", "maxspeed:bus": "80",
        "maxspeed:advisory": "70", "maxspeed:variable": "yes",
      ]).forward)
    #expect(road.speedLimitKmh == 100)
    #expect(road.truckSpeedLimitKmh == 60)
    #expect(road.busSpeedLimitKmh == 80)
    #expect(road.advisoryLimitKmh == 70)
    #expect(road.flags.contains(.variableLimit))
    let lanes = TagReading(["highway": "motorway", "maxspeed:lanes": "80|100|120"])
    #expect(lanes.forward?.speedLimitKmh == 120)
    let both = TagReading([
      "highway": "primary", "maxspeed:forward": "70", "maxspeed:backward": "50",
    ])
    #expect(both.forward?.speedLimitKmh == 70)
    #expect(both.backward?.speedLimitKmh == 50)
    func motorway(_ country: String?) throws -> RoadAttributes {
      let map = try DrawnMap(
        "a--b", ways: ["ab": "highway=motorway"], options: MapOptions(country: country))
      return map.graph.attributes(try map.edge("ab"))
    }
    #expect(try motorway("DE").speedLimitKmh == 255)
    #expect(try motorway("DE").truckSpeedLimitKmh == 80)
    #expect(try motorway("PT").speedLimitKmh == 120)
    #expect(try motorway(nil).speedLimitKmh == 0)
  }

  @Test func `lanes tell who may use them and change, signposts show pictures, EV-6, RT-11`() {
    let reading = TagReading([
      "highway": "primary", "lanes": "3", "oneway": "yes", "change:lanes": "not_left|yes|not_right",
      "bus:lanes": "designated||", "destination:symbol": "airport",
    ])
    #expect(
      reading.text(reading.forward?.laneDetails)
        == "change:lanes=not_left|yes|not_right\nbus:lanes=designated||")
    #expect(reading.text(reading.forward?.destinationSymbol) == "airport")
    let both = TagReading([
      "highway": "primary", "change:lanes:forward": "no|no", "change:lanes:backward": "yes",
    ])
    #expect(both.text(both.backward?.laneDetails) == "change:lanes=yes")
  }

  @Test func `route relations tell direction and level of a number, RT-10`() throws {
    var data = OSMData()
    for id in 1...3 {
      data.nodes.append(OSMNode(id: Int64(id), latitudeE7: 0, longitudeE7: Int32(id) * 100_000))
    }
    data.ways = [
      OSMWay(id: 10, nodes: [1, 2], tags: ["highway": "trunk", "oneway": "yes", "ref": "I 95"]),
      OSMWay(id: 11, nodes: [2, 3], tags: ["highway": "primary", "ref": "NY 9"]),
    ]
    data.relations = [
      OSMRelation(
        id: 1, members: [OSMMember(.way, 10, role: "north")],
        tags: ["type": "route", "route": "road", "network": "US:I", "ref": "95"]),
      OSMRelation(
        id: 2, members: [OSMMember(.way, 11, role: "forward")],
        tags: ["type": "route", "route": "road", "network": "US:NY", "direction": "west"]),
    ]
    let graph = try GraphMaker.make(data).graph()
    let roads = (0..<graph.edgeCount).map { graph.attributes(EdgeID($0)) }
    let interstate = try #require(roads.first { graph.text($0.number) == "I 95" })
    #expect(graph.text(interstate.numberRoutes) == "US:I|north")
    #expect(interstate.numberLevel == 1)
    let state = roads.filter { graph.text($0.number) == "NY 9" }
    #expect(state.map { graph.text($0.numberRoutes) }.sorted() == ["", "US:NY|west"])
    #expect(state.map(\.numberLevel).sorted() == [3, 3])
  }

  @Test func `signs speak to a direction, gates are seen, RT-8, EV-4`() {
    #expect(NodeTags(["highway": "stop", "direction": "forward"]).flags.contains(.forwardOnly))
    let signals = NodeTags(["highway": "traffic_signals", "traffic_signals:direction": "backward"])
    #expect(signals.flags.contains([.trafficSignals, .backwardOnly]))
    let gate = NodeTags(["barrier": "gate", "access": "private"])
    #expect(gate.flags.contains(.gate))
    #expect(NodeTags(["hazard": "animal_crossing"]).flags.contains(.hazard))
  }
}

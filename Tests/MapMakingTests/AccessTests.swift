import RoadGraph
import Testing

@testable import MapMaking

@Suite struct AccessTests {
  @Test(
    "a street that is closed to everybody is kept, with its name and for no mode, RT-8",
    arguments: [
      ("highway=tertiary access=no", true), ("highway=pedestrian access=no", true),
      ("highway=service access=no", true), ("highway=service service=driveway access=no", false),
      ("highway=path access=no", false), ("highway=motorway_link access=no", false),
      ("highway=tertiary demolished=yes", false), ("highway=tertiary construction=yes", false),
      ("route=ferry access=no", false), ("highway=pedestrian area=yes access=no", false),
    ])
  func closedStreet(tags: String, isKept: Bool) throws {
    let reading = TagReading(OSMTags(words: tags + " name=Mill"))
    #expect((reading.road != nil) == isKept)
    guard let road = reading.road else { return }
    for direction in [try #require(road.forward), try #require(road.backward)] {
      #expect(direction.isClosedToAll)
      #expect(reading.text(direction.name) == "Mill")
    }
  }

  @Test func `a closed one-way street is kept in its direction, RT-8`() {
    let along = TagReading(OSMTags(words: "highway=tertiary access=no oneway=yes"))
    #expect(along.forward != nil && along.backward == nil)
    let against = TagReading(OSMTags(words: "highway=tertiary access=no oneway=-1"))
    #expect(against.forward == nil && against.backward != nil)
  }

  @Test(arguments: [
    ("motorway", "", "car truck bus taxi"),
    ("primary", "", "car truck bus taxi scooter bicycle pedestrian"),
    ("trunk", "motorroad=yes", "car truck bus taxi"),
    ("footway", "", "bicycle pedestrian"),
    ("steps", "", "bicycle pedestrian"),
    ("path", "", "bicycle pedestrian"),
    ("cycleway", "foot=no", "bicycle"),
    ("footway", "access=yes", "bicycle pedestrian"),
    ("pedestrian", "motor_vehicle=delivery", "car truck bus taxi scooter bicycle pedestrian"),
    ("busway", "", "bus"),
    ("residential", "access=no", ""),
    ("residential", "access=no bus=yes", "bus"),
    ("residential", "access=no psv=yes", "bus taxi"),
    ("residential", "access=psv", "bus taxi"),
    ("residential", "motor_vehicle=no", "bicycle pedestrian"),
    ("residential", "motor_vehicle=no motorcar=yes", "car taxi bicycle pedestrian"),
    ("residential", "vehicle=no", "pedestrian"),
    ("residential", "hgv=no", "car bus taxi scooter bicycle pedestrian"),
    ("residential", "moped=no foot=no", "car truck bus taxi bicycle"),
    ("residential", "bicycle=use_sidepath", "car truck bus taxi scooter pedestrian"),
    ("residential", "access=agricultural", ""),
    ("service", "service=emergency_access", "bicycle pedestrian"),
  ])
  func `who may use a road, RT-8`(highway: String, more: String, users: String) {
    var tags: OSMTags = ["highway": highway]
    for pair in parts(more, " ") {
      let halves = parts(pair, "=")
      tags[halves[0]] = halves[1]
    }
    let road = TagReading(tags).forward
    let found = TravelMode.allCases.filter { road?.access($0).isUsable ?? false }
    #expect(found.map(\.word).joined(separator: " ") == users)
  }

  @Test(arguments: [
    ("private", Access.private), ("destination", .destination), ("delivery", .delivery),
    ("customers", .customers), ("permissive", .yes), ("designated", .yes),
    ("destination;delivery", .destination), ("gibberish", .yes),
  ])
  func `the word decides what kind of access it is, RT-8`(word: String, access: Access) {
    #expect(TagReading(["highway": "residential", "access": word]).forward?.access(.car) == access)
  }

  @Test func `a direction of its own beats the general word`() {
    let tags: OSMTags = [
      "highway": "residential", "motor_vehicle": "yes", "motor_vehicle:backward": "no",
    ]
    #expect(TagReading(tags).forward?.access(.car) == .yes)
    #expect(TagReading(tags).backward?.access(.car) == .no)
    #expect(TagReading(tags).backward?.access(.bicycle) == .yes)
  }

  @Test func `tracks are for those who have business there`() {
    #expect(TagReading(["highway": "track"]).forward?.access(.car) == .destination)
    #expect(TagReading(["highway": "track", "motor_vehicle": "yes"]).forward?.access(.car) == .yes)
    #expect(TagReading(["highway": "track", "motor_vehicle": "no"]).forward?.access(.car) == .no)
  }

  @Test(arguments: ["construction", "proposed", "raceway", "elevator"])
  func `what is no road is not kept`(highway: String) {
    #expect(TagReading(["highway": highway]).road == nil)
  }

  @Test func `other ways are no roads`() {
    #expect(TagReading(["building": "yes"]).road == nil)
    #expect(TagReading(["route": "bus"]).road == nil)
  }
}

@Suite struct OneWayTests {
  private func directions(_ tags: OSMTags, _ mode: TravelMode) -> String {
    let reading = TagReading(tags)
    let forward = reading.forward?.access(mode).isUsable ?? false
    let backward = reading.backward?.access(mode).isUsable ?? false
    return (forward ? "f" : "-") + (backward ? "b" : "-")
  }

  @Test func `one-way, its reverse and what implies it, RT-8`() {
    #expect(directions(["highway": "primary"], .car) == "fb")
    #expect(directions(["highway": "primary", "oneway": "yes"], .car) == "f-")
    #expect(directions(["highway": "primary", "oneway": "-1"], .car) == "-b")
    #expect(directions(["highway": "primary", "junction": "roundabout"], .car) == "f-")
    #expect(directions(["highway": "motorway"], .car) == "f-")
    #expect(directions(["highway": "motorway", "oneway": "no"], .car) == "fb")
    #expect(directions(["highway": "motorway_link"], .car) == "fb")
  }

  @Test func `who is exempt from a one-way, RT-8`() {
    let street: OSMTags = ["highway": "residential", "oneway": "yes"]
    #expect(directions(street, .pedestrian) == "fb")
    #expect(directions(street, .bicycle) == "f-")
    var open = street
    open["oneway:bicycle"] = "no"
    #expect(directions(open, .bicycle) == "fb")
    #expect(directions(open, .car) == "f-")
    var lane = street
    lane["cycleway:left"] = "opposite_lane"
    #expect(directions(lane, .bicycle) == "fb")
    var bus = street
    bus["oneway:psv"] = "no"
    #expect(directions(bus, .bus) == "fb")
    #expect(directions(bus, .taxi) == "fb")
    #expect(directions(bus, .truck) == "f-")
  }

  @Test func `a reversible road is closed to cars, an alternating one is not, RT-8`() {
    #expect(directions(["highway": "primary", "oneway": "reversible"], .car) == "--")
    #expect(directions(["highway": "primary", "oneway": "reversible"], .pedestrian) == "fb")
    #expect(directions(["highway": "primary", "oneway": "alternating"], .car) == "fb")
  }

  @Test func `both directions of a one-way know that it is one`() {
    let reading = TagReading(["highway": "residential", "oneway": "yes"])
    #expect(reading.forward?.flags.contains(.oneWay) == true)
    #expect(reading.backward?.flags.contains(.oneWay) == true)
    #expect(TagReading(["highway": "residential"]).forward?.flags.contains(.oneWay) == false)
  }
}

import RoadGraph
import Testing

@testable import MapMaking

@Suite struct SpeedTests {
  @Test(
    arguments: [
      ("50", 50), ("30 mph", 48), ("20mph", 32), ("none", 255), ("walk", 7), ("DE:urban", 50),
      ("DE:rural", 100), ("DE:motorway", 255), ("IT:motorway", 130), ("FR:zone30", 30),
      ("DE:zone:20", 20), ("50;70", 50), ("5 knots", 9), ("signals", 0), ("", 0), ("-20", 0),
      ("1e9", 0), ("fast", 0), ("60 km/h", 60), ("XX:urban", 50), ("999999999999", 0),
    ] as [(String, UInt8)])
  func `a limit as the tag writes it`(word: String, kmh: UInt8) {
    let road = TagReading(["highway": "primary", "maxspeed": word]).forward
    #expect(road?.speedLimitKmh == kmh)
  }

  @Test func `each direction has its own limit`() {
    let reading = TagReading([
      "highway": "primary", "maxspeed": "70", "maxspeed:backward": "50", "maxspeed:hgv": "60",
    ])
    #expect(reading.forward?.speedLimitKmh == 70)
    #expect(reading.backward?.speedLimitKmh == 50)
    #expect(reading.forward?.truckSpeedLimitKmh == 60)
    #expect(reading.forward?.truckSpeedKmh == 54)
  }

  @Test func `no sign means not known, a zone's source tells it`() {
    #expect(TagReading(["highway": "primary"]).forward?.speedLimitMps == nil)
    let urban = TagReading(["highway": "primary", "source:maxspeed": "PT:urban"]).forward
    #expect(urban?.speedLimitKmh == 50)
    #expect(urban?.flags.contains(.builtUp) == true)
  }

  @Test func `free flow keeps below the limit and knows links, ground and classes`() {
    func speed(_ tags: OSMTags) -> UInt8 { TagReading(tags).forward?.carSpeedKmh ?? 0 }
    #expect(speed(["highway": "primary", "maxspeed": "50"]) == 45)
    #expect(speed(["highway": "motorway", "maxspeed": "none"]) == 125)
    #expect(speed(["highway": "motorway"]) > speed(["highway": "primary"]))
    #expect(speed(["highway": "primary"]) > speed(["highway": "residential"]))
    #expect(speed(["highway": "primary_link"]) < speed(["highway": "primary"]))
    #expect(speed(["highway": "tertiary", "surface": "dirt"]) == 25)
    #expect(speed(["highway": "service", "service": "parking_aisle"]) == 8)
    #expect(speed(["highway": "residential", "maxspeed": "120"]) == 40)
    #expect(speed(["highway": "footway"]) == 0)
  }

  @Test func `every usable mode has a speed`() {
    for highway in ["motorway", "residential", "track", "path", "steps", "cycleway"] {
      guard let road = TagReading(["highway": highway]).forward else { continue }
      for mode in TravelMode.allCases where road.access(mode).isUsable {
        #expect(road.freeFlowMps(mode) > 0, "\(highway) \(mode)")
      }
    }
  }

  @Test(
    arguments: [
      ("20", 1200), ("00:20", 1200), ("1:05:00", 3900), ("PT20M", 1200), ("PT1H5M", 3900),
      ("P1D", 86400), ("", nil), ("soon", nil), ("-5", nil), ("PT", nil), ("0", nil),
    ] as [(String, Double?)])
  func `the time of a crossing`(word: String, seconds: Double?) {
    #expect(FerryTags.durationS(word) == seconds)
  }
}

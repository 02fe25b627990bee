import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import MapMaking

/// Who may use a road by the law of its country, and the limits of its parts.
@Suite struct CountryAccessTests {
  private func road(_ tags: String, _ country: String?) throws -> RoadAttributes {
    let map = try DrawnMap(
      "a--b", ways: [("ab", tags)], options: MapOptions(country: country))
    return map.graph.attributes(try map.edge("ab"))
  }

  @Test(
    arguments: [
      ("highway=trunk", "DK", TravelMode.bicycle, Access.no),
      ("highway=trunk", "CH", .pedestrian, .no), ("highway=trunk", "AT", .scooter, .no),
      ("highway=trunk", "HU", .car, .yes), ("highway=trunk", "RO", .bicycle, .yes),
      ("highway=trunk bicycle=yes", "DK", .bicycle, .yes),
      ("highway=trunk vehicle=yes", "DK", .bicycle, .yes),
      ("highway=primary motorroad=yes", "ES", .bicycle, .yes),
      ("highway=primary motorroad=yes", "ES", .pedestrian, .no),
      ("highway=primary motorroad=yes", "PT", .bicycle, .no),
      ("highway=primary motorroad=yes bicycle=no", "ES", .bicycle, .no),
      ("highway=pedestrian", "FR", .bicycle, .yes), ("highway=pedestrian", "IT", .bicycle, .yes),
      ("highway=pedestrian", "DE", .bicycle, .dismount),
      ("highway=pedestrian bicycle=no", "FR", .bicycle, .no),
      ("highway=footway", "NO", .bicycle, .yes), ("highway=footway", "SE", .bicycle, .dismount),
      ("highway=bridleway", "GB", .bicycle, .yes), ("highway=bridleway", "DE", .pedestrian, .no),
      ("highway=bridleway foot=yes", "DE", .pedestrian, .yes),
      ("highway=cycleway", "DE", .pedestrian, .no), ("highway=cycleway", "NL", .pedestrian, .yes),
      ("highway=track", "IS", .car, .yes), ("highway=track", "DE", .car, .destination),
      ("highway=living_street", "RU", .car, .destination),
      ("highway=living_street", "RU", .bicycle, .yes), ("highway=living_street", "DE", .car, .yes),
    ])
  func `a country's law decides where no tag does, RT-8`(
    tags: String, country: String, mode: TravelMode, access: Access
  ) throws {
    // Another road keeps the drawing from being a map without any.
    let map = try DrawnMap(
      "a--b--c", ways: [("ab", tags), ("bc", "highway=residential")],
      options: MapOptions(country: country))
    let edge = try? map.edge("ab")
    #expect(edge.map { map.graph.attributes($0).access(mode) } ?? .no == access)
  }

  @Test func `a ride that a country allows has its speed, RT-8`() throws {
    #expect(try road("highway=footway", "NO").bicycleSpeedKmh == 14)
    #expect(try road("highway=pedestrian", "FR").bicycleSpeedKmh == 12)
    #expect(try road("highway=footway", nil).bicycleSpeedKmh == 4)
    // A one-way stays one, and works stay closed.
    let oneWay = try DrawnMap(
      "a--b", ways: [("ab", "highway=primary motorroad=yes oneway=yes")],
      options: MapOptions(country: "ES"))
    #expect((try? oneWay.edge("ba")) == nil)
    #expect(try road("highway=track smoothness=impassable", "IS").access(.car) == .no)
  }

  @Test func `the built-in table of countries decides as the option does, RT-8 RN-4`() throws {
    let map = try DrawnMap(
      "a--b--c", ways: [("ab", "highway=pedestrian"), ("bc", "highway=residential")],
      origin: Coordinate(latitudeDeg: 48.8566, longitudeDeg: 2.3522))
    let edge = try map.edge("ab")
    #expect(map.graph.attributes(edge).country == "FR")
    #expect(map.graph.attributes(edge).access(.bicycle) == .yes)
    // Joined maps keep what their countries decided.
    let joined = try GraphMaker.make([MapPart(map.graph)]).graph()
    let rides = (0..<joined.edgeCount).map { joined.attributes(EdgeID($0)) }
      .filter { $0.roadClass == .pedestrian }
    #expect(rides.allSatisfy { $0.access(.bicycle) == .yes } && !rides.isEmpty)
  }

  @Test func `states have limits of their own on motorways, EV-2`() throws {
    func motorway(_ latitude: Double, _ longitude: Double) throws -> RoadAttributes {
      let map = try DrawnMap(
        "a--b", ways: ["ab": "highway=motorway"],
        origin: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude))
      return map.graph.attributes(try map.edge("ab"))
    }
    let california = try motorway(36.7783, -119.4179)
    #expect(california.speedLimitKmh == 105)
    #expect(california.truckSpeedLimitKmh == 89)
    let montana = try motorway(46.8797, -110.3626)
    #expect(montana.speedLimitKmh == 129)
    #expect(montana.truckSpeedLimitKmh == 113)
    // No limit of their own for lorries in the United States: none is invented.
    #expect(try motorway(30.2672, -97.7431).truckSpeedLimitKmh == 0)
  }

  @Test func `coaches have the limit of their country and a speed of their own, EV-2`() throws {
    let german = try road("highway=motorway", "DE")
    #expect(german.busSpeedLimitKmh == 100)
    #expect((german.freeFlowMps(.bus) * 3.6).rounded() == 90)
    #expect((german.freeFlowMps(.truck) * 3.6).rounded() == 80)
    let rural = try road("highway=primary maxspeed=100", "DE")
    #expect(rural.busSpeedLimitKmh == 80 && rural.truckSpeedLimitKmh == 60)
    // A sign for lorries does not slow buses, one for buses does.
    let lorries = try road("highway=primary maxspeed=80 maxspeed:hgv=40", nil)
    #expect((lorries.freeFlowMps(.truck) * 3.6).rounded() == 36)
    #expect((lorries.freeFlowMps(.bus) * 3.6).rounded() == 72)
    let buses = try road("highway=primary maxspeed=80 maxspeed:bus=50", nil)
    #expect((buses.freeFlowMps(.bus) * 3.6).rounded() == 50)
  }

  @Test func `every rule is about a mode that the world-wide default treats otherwise, RT-8`()
    throws
  {
    for (country, rules) in CountryAccess.rules {
      #expect(CountryTable.rows[country] != nil)
      for rule in rules {
        let tags = rule.kind == .motorroad ? "highway=trunk motorroad=yes" : rule.kind.word
        let usual = try DrawnMap(
          "a--b--c", ways: [("ab", tags), ("bc", "highway=residential")])
        let edge = try usual.edge("ab")
        for mode in TravelMode.allCases where rule.modes.contains(mode) {
          let access = usual.graph.attributes(edge).access(mode)
          #expect(access != rule.access, "\(country) \(rule.kind) \(mode)")
        }
      }
    }
  }
}

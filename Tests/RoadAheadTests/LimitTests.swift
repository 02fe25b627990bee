import DrawnMaps
import Foundations
import OpeningHours
import RoadAhead
import RoadGraph
import Route
import Testing

@Suite struct LimitTests {
  /// 2026-06-01, a Monday, at an hour of UTC.
  private func monday(_ hour: Double) -> Instant {
    Instant(seconds: 1_780_272_000 + hour * 3600)
  }

  private func limits(
    _ tags: String, mode: TravelMode = .car, hour: Double = 12, own: Double? = nil
  ) throws -> SpeedLimits {
    let map = try DrawnMap("a--b", ways: ["ab": "highway=secondary \(tags)"])
    return SpeedLimits(
      RoadMap(map.graph), try map.edge("ab"), mode: mode, at: monday(hour), vehicleMps: own)
  }

  private func kmh(_ mps: Double?) -> Double? { mps.map { ($0 * 3.6).rounded() } }

  @Test func `nothing is known where no sign tells, EV-2`() throws {
    #expect(try limits("").effectiveMps == nil)
  }

  @Test func `none counts as infinite, EV-2`() throws {
    #expect(try limits("maxspeed=none").effectiveMps == .infinity)
    let advised = try limits("maxspeed=none maxspeed:advisory=130")
    #expect(kmh(advised.effectiveMps) == 130)
    #expect(advised.regularMps == .infinity)
  }

  @Test func `the least that applies is the effective one, EV-2`() throws {
    let both = try limits("maxspeed=80 maxspeed:advisory=60")
    #expect(kmh(both.regularMps) == 80)
    #expect(kmh(both.advisoryMps) == 60)
    #expect(kmh(both.effectiveMps) == 60)
    #expect(kmh(try limits("maxspeed=80", own: 50 / 3.6).effectiveMps) == 50)
  }

  @Test func `a limit at times holds by the clock of the events, EV-2`() throws {
    let tags = "maxspeed=50 maxspeed:conditional=30 @ (Mo-Fr 07:00-17:00)"
    let day = try limits(tags, hour: 14)
    #expect(kmh(day.effectiveMps) == 30)
    #expect(kmh(day.conditionalMps) == 30)
    #expect(day.reason == .time)
    let night = try limits(tags, hour: 23)
    #expect(kmh(night.effectiveMps) == 50)
    #expect(night.conditionalMps == nil)
  }

  @Test func `a limit for the night stands in place of the day's, EV-2`() throws {
    let tags = "maxspeed=30 maxspeed:conditional=50 @ (20:00-05:00)"
    #expect(kmh(try limits(tags, hour: 23.5).effectiveMps) == 50)
    #expect(kmh(try limits(tags, hour: 12).effectiveMps) == 30)
  }

  @Test func `by a school it is the school's, EV-2`() throws {
    let tags = "hazard=school_zone maxspeed=50 maxspeed:conditional=30 @ (Mo-Fr 07:00-17:00)"
    #expect(try limits(tags).reason == .school)
  }

  @Test func `what the weather sets does not hold while nobody knows the weather, EV-2`() throws {
    let wet = try limits("maxspeed=120 maxspeed:conditional=80 @ wet")
    #expect(kmh(wet.effectiveMps) == 120)
    #expect(wet.conditionalMps == nil)
  }

  @Test func `what the weather sets holds where one knows the weather, EV-2`() throws {
    let map = try DrawnMap(
      "a--b", ways: ["ab": "highway=secondary maxspeed=100 maxspeed:conditional=80@wet"])
    func effective(_ weather: Set<Condition.Weather>?) throws -> Double? {
      let limits = SpeedLimits(
        RoadMap(map.graph), try map.edge("ab"), mode: .car, at: monday(12),
        Circumstances(weather: weather))
      return kmh(limits.effectiveMps)
    }
    #expect(try effective([.wet]) == 80)
    #expect(try effective([.dry]) == 100)
    #expect(try effective(nil) == 100)
  }

  @Test func `a limit by weight holds for a vehicle of that weight, EV-2`() throws {
    let map = try DrawnMap(
      "a--b",
      ways: ["ab": "highway=secondary maxspeed=100 maxspeed:conditional=60@(weight>7.5)"])
    func effective(_ tonnes: Double) throws -> Double? {
      var vehicle = VehicleSize()
      vehicle.weightT = tonnes
      let limits = SpeedLimits(
        RoadMap(map.graph), try map.edge("ab"), mode: .truck, at: monday(12), vehicle.circumstances)
      return kmh(limits.conditionalMps)
    }
    #expect(try effective(12) == 60)
    #expect(try effective(5) == nil)
    #expect(try effective(0) == nil)
  }

  @Test func `lorries have their own, EV-2`() throws {
    let tags = "maxspeed=100 maxspeed:hgv=60"
    #expect(kmh(try limits(tags).effectiveMps) == 100)
    let truck = try limits(tags, mode: .truck)
    #expect(kmh(truck.effectiveMps) == 60)
    #expect(kmh(truck.vehicleMps) == 60)
  }

  @Test func `the situation tells what is around, EV-1`() throws {
    let map = try DrawnMap(
      "a--b--c",
      ways: [
        "ab": "highway=motorway oneway=yes lanes=3 turn:lanes=left|through|through;right",
        "bc": "highway=service access=private",
      ])
    let road = RoadSituation(map.graph, try map.edge("ab"), mode: .car)
    #expect(road.hasControlledAccess)
    #expect(road.laneCount == 3)
    #expect(road.lanes.map(\.directions) == [["left"], ["through"], ["through", "right"]])
    #expect(!road.isPrivate)
    #expect(RoadSituation(map.graph, try map.edge("bc"), mode: .car).isPrivate)
  }

  @Test func `lanes tell who alone may use them, EV-1, EV-6`() throws {
    let map = try DrawnMap(
      "a--b",
      ways: [
        "ab":
          "highway=primary oneway=yes lanes=3 bus:lanes=||designated bicycle:lanes=|yes|designated"
      ])
    let road = RoadSituation(map.graph, try map.edge("ab"), mode: .car)
    #expect(road.lanes.map(\.access) == [[], [], ["bus", "bicycle"]])
  }
}

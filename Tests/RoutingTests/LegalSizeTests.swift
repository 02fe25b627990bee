import DrawnMaps
import Geodesy
import MapMaking
import RoadGraph
import Route
import Testing

@testable import Routing

/// Lorries and buses whose sizes are not given.
@Suite struct LegalSizeTests {
  private static func router(_ tags: String, country: String? = nil) throws -> DrawnRouter {
    DrawnRouter(
      try DrawnMap(
        """
        x-a---b---c-y
          |       |
          d---e---f
        """,
        ways: [
          "xa": "highway=tertiary", "ab": "highway=tertiary \(tags)", "bcy": "highway=tertiary",
          "adefc": "highway=tertiary",
        ], options: MapOptions(country: country)))
  }

  @Test(
    arguments: [
      "maxheight=2.2", "maxweight=3.5", "maxlength=7", "maxwidth=2", "maxweightrating=3.5",
    ])
  func `a lorry or bus without sizes has the greatest legal ones, RT-3`(sign: String) throws {
    let router = try Self.router(sign)
    for mode in [TravelMode.truck, .bus] {
      let request = try router.request("xy", mode: mode).withLegalSizes(on: router.map.graph)
      #expect(try router.letters(request) == "xacy")
    }
    let car = try router.request("xy").withLegalSizes(on: router.map.graph)
    #expect(car.vehicle == VehicleSize())
    #expect(try router.letters(car) == "xabcy")
    var small = try router.request("xy", mode: .truck)
    small.vehicle = VehicleSize(heightM: 2, widthM: 1.9, lengthM: 5, weightT: 3)
    #expect(try router.letters(small.withLegalSizes(on: router.map.graph)) == "xabcy")
  }

  @Test func `sizes are those of the country, and given ones stay, RT-3`() throws {
    func vehicle(_ country: String?) throws -> VehicleSize {
      let router = try Self.router("lanes=2", country: country)
      return try router.request("xy", mode: .truck).withLegalSizes(on: router.map.graph).vehicle
    }
    #expect(
      try vehicle(nil)
        == VehicleSize(
          heightM: 4, widthM: 2.55, lengthM: 18.75, weightT: 40, axleLoadT: 11.5, axles: 5))
    #expect(try vehicle("DE") == vehicle(nil))
    #expect(try vehicle("US").heightM == 4.11)
    #expect(try vehicle("GB").heightM == 4.95)
    let given = VehicleSize(heightM: 3.2, weightT: 7.5)
    let filled = given.filled(from: try vehicle("DE"))
    #expect(filled.heightM == 3.2 && filled.weightT == 7.5 && filled.widthM == 2.55)
    #expect(abs(filled.axleLoadT - 4.8) < 1e-9 && filled.axles == 0)
  }

  @Test func `a route says which sizes were assumed, RT-3`() throws {
    let router = try Self.router("maxheight=2.2")
    let asked = try router.request("xy", mode: .truck)
    var route = try router.route(asked.withLegalSizes(on: router.map.graph))
    route.request = asked
    route.assumeVehicle(asked.withLegalSizes(on: router.map.graph).vehicle)
    #expect(route.assumedVehicle?.heightM == 4)
    route.assumeVehicle(asked.vehicle)
    #expect(route.assumedVehicle == nil)
  }
}

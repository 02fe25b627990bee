import Geodesy
import RoadGraph
import Route
import Testing

@testable import OSRM

@Suite struct ParserTests {
  static func query(_ target: String) throws(OSRMFault) -> OSRMRequest {
    try OSRMParser().query(target.utf8)
  }

  @Test func `a query is read with all its options, RT-19`() throws {
    let query = try Self.query(
      "/route/v1/driving/13.38,52.51;13.39,52.52;13.4,52.53.json?alternatives=2&steps=true"
        + "&annotations=nodes,speed&geometries=geojson&overview=full&bearings=10,20;;&radiuses=5;;unlimited"
        + "&approaches=curb;;unrestricted&exclude=toll,motorway&snapping=any&continue_straight=false"
        + "&waypoints=0;2&generate_hints=false&skip_waypoints=true&hints=;;abc")
    #expect(query.service == .route(alternatives: 2, goesOn: false))
    #expect(query.places.map(\.radiusM) == [5, nil, nil])
    #expect(query.places[0].bearing == OSRMPlace.Bearing(deg: 10, rangeDeg: 20))
    #expect(query.places[0].approach == .curb)
    #expect(query.exclude == [.tolls, .motorways])
    #expect(query.format.annotations == [.nodes, .speed])
    #expect(query.format.geometry == .geojson)
    #expect(query.waypoints == [0, 2])
    #expect(query.snapsAnywhere && !query.givesHints && !query.givesWaypoints)
  }

  @Test func `a query names the vehicle's size and load, RT-19, RT-3`() throws {
    let query = try Self.query(
      "/route/v1/truck/1,2;3,4?height=3.5&width=2.5&length=12&weight=18&axle_load=8&axle_count=3"
        + "&trailers=1&hazmat=true")
    #expect(
      query.vehicle
        == VehicleSize(
          heightM: 3.5, widthM: 2.5, lengthM: 12, weightT: 18, axleLoadT: 8,
          carriesHazardousGoods: true, axles: 3, trailers: 1))
    for (option, code) in [
      ("height=x", "InvalidQuery"), ("height=-1", "InvalidOptions"),
      ("weight=1e9", "InvalidOptions"), ("hazmat=perhaps", "InvalidQuery"),
    ] {
      #expect {
        try Self.query("/route/v1/truck/1,2;3,4?\(option)")
      } throws: { ($0 as? OSRMFault)?.code.rawValue == code }
    }
  }

  @Test func `places come as polylines as well, RT-19`() throws {
    let five = try Self.query("/route/v1/car/polyline(_p~iF~ps%7CU_ulLnnqC)?overview=false")
    #expect(five.places.map { $0.coordinate.latitudeDeg } == [38.5, 40.7])
    let six = try Self.query("/table/v1/foot/polyline6(_izlhA~rlgdF_seK~hsB)")
    #expect(six.places.count == 2 && six.mode == .pedestrian)
  }

  @Test(
    arguments: [
      ("", "InvalidUrl"), ("/", "InvalidUrl"), ("/route/v1/driving", "InvalidUrl"),
      ("/foo/v1/driving/1,2;3,4", "InvalidService"),
      ("/route/v2/driving/1,2;3,4", "InvalidVersion"),
      ("/route/v1/rocket/1,2;3,4", "InvalidValue"), ("/trip/v1/driving/1,2;3,4", "NotImplemented"),
      ("/tile/v1/car/tile(1,2,3).mvt", "NotImplemented"),
      ("/route/v1/driving/1,2", "InvalidOptions"), ("/route/v1/driving/1,2;x", "InvalidQuery"),
      ("/route/v1/driving/1,2;200,100", "InvalidValue"),
      ("/route/v1/driving/1,2;nan,1", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?steps=1", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?steps=true&", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?foo=1", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?number=1", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?bearings=1,2", "InvalidOptions"),
      ("/route/v1/driving/1,2;3,4?bearings=1,2;3", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?bearings=1,2;400,5", "InvalidOptions"),
      ("/route/v1/driving/1,2;3,4?radiuses=-1;1", "InvalidQuery"),
      ("/route/v1/driving/1,2;3,4?exclude=restricted", "InvalidValue"),
      ("/route/v1/driving/1,2;3,4?alternatives=9", "TooBig"),
      ("/route/v1/driving/1,2;3,4?waypoints=1", "InvalidValue"),
      ("/route/v1/driving/1,2;3,4?waypoints=0;5", "InvalidOptions"),
      ("/route/v1/driving/1,2;3,4.pdf", "InvalidQuery"),
      ("/route/v1/driving/1,2%zz", "InvalidUrl"),
      ("/route/v1/driving/polyline(abc)", "InvalidQuery"),
      ("/table/v1/driving/1,2;3,4?sources=5", "InvalidOptions"),
      (
        "/table/v1/driving/1,2;3,4?sources="
          + Array(repeating: "0", count: 101).joined(separator: ";"), "TooBig"
      ),
      (
        "/table/v1/driving/1,2;3,4?destinations="
          + Array(repeating: "1", count: 101).joined(separator: ";"), "TooBig"
      ),
      ("/table/v1/driving/1,2;3,4?fallback_speed=0", "InvalidOptions"),
      ("/table/v1/driving/1,2;3,4?scale_factor=0", "InvalidOptions"),
      ("/nearest/v1/driving/1,2;3,4", "InvalidOptions"),
      ("/nearest/v1/driving/1,2?number=0", "InvalidOptions"),
      ("/nearest/v1/driving/1,2?number=1000", "TooBig"),
      ("/match/v1/driving/1,2;3,4?timestamps=5;1", "InvalidValue"),
      ("/match/v1/driving/1,2;3,4?timestamps=5", "InvalidOptions"),
    ])
  func `a fault has OSRM's word, RT-19`(target: String, code: String) {
    #expect {
      try Self.query(target)
    } throws: { error in
      (error as? OSRMFault)?.code.rawValue == code
    }
  }

  @Test func `what is malformed is named by its place, RT-19`() {
    do throws(OSRMFault) {
      _ = try Self.query("/route/v1/driving/-8.61,41.15;-8.60,41.16?foo=1")
      Issue.record("taken")
    } catch {
      #expect(error.message == "Query string malformed close to position 42")
    }
  }

  @Test func `a hint names place and map, and what was cut is none, RT-19`() {
    let hint = OSRMHint(
      mapHash: 0xfeed_beef_0102_0304, position: .init(edge: .init(77), offsetM: 12.5))
    #expect(hint.text.utf8.count == 27)
    #expect(OSRMHint(hint.text) == hint)
    #expect(OSRMHint(String(hint.text.dropLast())) == nil)
    #expect(OSRMHint("AAAAAAAAAAAAAAAAAAAAAAAAAAA") == nil)
  }

  @Test func `whole degrees may stand before the format, RT-19`() throws {
    let query = try Self.query("/nearest/v1/driving/9,47.json")
    #expect(query.places.map(\.coordinate.latitudeDeg) == [47])
  }
}

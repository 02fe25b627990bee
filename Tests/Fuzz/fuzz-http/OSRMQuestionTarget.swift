import DrawnMaps
import Foundation
import Foundations
import Fuzzing
import Geodesy
import OSRM
import OSRMService
import RouterStage

/// Targets of requests: each is answered, with JSON, and a fault with a code of OSRM.
struct OSRMQuestionTarget: FuzzTarget {
  static let name = "osrm"
  static let about = "questions to OSRM's HTTP API"

  private let handler: OSRMRequestHandler
  private let good: [[UInt8]]

  init(_ corpus: Corpus) throws {
    let map = try DrawnMap(
      """
      a--b--c
      |  |  |
      d--e--f
      """,
      ways: [
        "abc": "highway=primary name=High Street", "def": "highway=secondary oneway=yes toll=yes",
        "ad": "highway=residential", "be": "highway=residential", "cf": "highway=motorway",
      ])
    handler = OSRMRequestHandler(shared: RouterShared(graph: map.graph), vehicle: "ego")
    let places = try "abcdef".map { letter in
      let place = try map.coordinate(letter)
      return "\(place.longitudeDeg),\(place.latitudeDeg)"
    }
    let (two, all) = (places[0] + ";" + places[5], places.joined(separator: ";"))
    good = [
      "/route/v1/driving/\(two)?steps=true&annotations=true&geometries=geojson&overview=full",
      "/route/v1/bike/\(all).json?alternatives=3&continue_straight=false&waypoints=0;5&exclude=toll,ferry",
      "/route/v1/car/\(two)?bearings=90,20;&radiuses=5;unlimited&approaches=curb;&hints=;abc&snapping=any",
      "/route/v1/driving/polyline(_p~iF~ps%7CU_ulLnnqC)?generate_hints=false&skip_waypoints=true",
      "/table/v1/driving/\(all)?sources=0;1&destinations=2&annotations=duration,distance&fallback_speed=3&scale_factor=2",
      "/nearest/v1/foot/\(places[1])?number=3",
      "/match/v1/driving/\(all)?timestamps=1;2;3;4;5;6&gaps=ignore&tidy=true&radiuses=5;5;5;5;5;5",
      "/trip/v1/driving/\(two)", "/tile/v1/car/tile(1,2,3).mvt",
    ].map { Array($0.utf8) }
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var target = dice.pick(good)
    if !dice.oneIn(16) { ByteMutation.spoil(&target, with: good, &dice, longest: 4096) }
    return [target]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let (status, json) = handler.response(to: input.first ?? [], now: Instant(seconds: 1))
    let root = (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: Any]
    guard let code = root?["code"] as? String else {
      throw Broken("the answer is no JSON with a code")
    }
    if code == "Ok" {
      try promise(status == 200, "Ok goes with \(status)")
    } else {
      try promise(status == 400 || status == 501, "\(code) goes with \(status)")
      try promise(OSRMFault.Code(rawValue: code) != nil, "\(code) is no code of OSRM")
    }
    return code
  }
}

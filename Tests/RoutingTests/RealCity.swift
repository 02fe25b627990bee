import Foundation
import RealData
import RoadGraph
import Testing

/// A real city, a mode of travel, and how many searches to try there.
///
/// `NAV_ORACLE=all` takes every city and mode, 100 searches each; without it a few searches on two cities.
struct RealCity: CustomTestStringConvertible, Sendable {
  var name: String
  var mode: TravelMode
  var searches: Int
  var testDescription: String { "\(name) \(mode.word), \(searches) searches" }

  static let folder = realData("maps")

  static let cases: [RealCity] = {
    guard ProcessInfo.processInfo.environment["NAV_ORACLE"] == "all" else {
      return [
        RealCity(name: "monaco", mode: .car, searches: 30),
        RealCity(name: "porto", mode: .car, searches: 4),
      ]
    }
    return ["monaco", "porto", "milan", "heidelberg", "malta", "rhein-neckar-roads"].flatMap {
      name in
      TravelMode.allCases.map { RealCity(name: name, mode: $0, searches: 100) }
    }
  }()

  /// Path of the city's map.
  func map() throws -> String {
    try #require(Self.folder).appending(path: "\(name).osm.pbf").path
  }
}

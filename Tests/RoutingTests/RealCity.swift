import Foundation
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

  /// Where the real maps lie: `$NAV_DATA`, or `../shared/data` beside the package; nil where they are not.
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let here = URL(filePath: FileManager.default.currentDirectoryPath)
    let places =
      [ProcessInfo.processInfo.environment["NAV_DATA"].map { URL(filePath: $0) }].compactMap { $0 }
      + [package, here].map { $0.deletingLastPathComponent().appending(path: "shared/data") }
    return places.map { $0.appending(path: "maps") }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }()

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

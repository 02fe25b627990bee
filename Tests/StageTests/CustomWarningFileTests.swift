import DrawnMaps
import Foundation
import NavigatorStage
import RoadAhead
import Route
import Stage
import Testing

@Suite struct CustomWarningFileTests {
  private func load(_ json: String) throws -> [CustomPlace] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "custom-\(ProcessInfo.processInfo.globallyUniqueString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "places.json")
    try Data(json.utf8).write(to: file)
    return try CustomPlaceFile.read(file.path)
  }

  @Test func `a GeoJSON file tells places of one's own, EV-4`() throws {
    let places = try load(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"id": 7, "text": "Ice cream"},
         "geometry": {"type": "Point", "coordinates": [-29.998, 47.0]}},
        {"type": "Feature", "properties": {"kind": "danger_zone", "limit_mps": 8.3},
         "geometry": {"type": "Polygon", "coordinates":
           [[[-30, 46.9], [-29.9, 46.9], [-29.9, 47.1], [-30, 47.1], [-30, 46.9]]]}}]}
      """)
    #expect(places.map(\.id) == ["7", "1"])
    #expect(places.map(\.kind) == [.custom, .dangerZone])
    #expect(places.first?.text == "Ice cream")
    let map = try DrawnMap("a---b", ways: ["ab": ""])
    #expect(CustomPlaces(places, on: map.graph).stray.isEmpty)
  }

  @Test func `what is null is not given, EV-4`() throws {
    let places = try load(
      """
      {"type": "FeatureCollection", "features": [
        {"id": 1, "properties": {"id": null, "kind": null, "text": null, "name": "Ice", "limit_mps": null},
         "geometry": {"type": "Point", "coordinates": [-29.998, 47.0]}},
        {"id": "b", "properties": null, "geometry": {"type": "Point", "coordinates": [-29.998, 47.0]}}]}
      """)
    #expect(places.map(\.id) == ["1", "b"])
    #expect(places.map(\.text) == ["Ice", nil])
    #expect(places.first?.limitMps == nil)
  }

  static let wrong: [(String, String)] = [
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"id": 0, "geometry": {"type": "Point", "coordinates": [0, 1]}}]}"#,
      "features[1]: id: \"0\" is also the id of features[0]"
    ),
    ("{", "is not a FeatureCollection in JSON"),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": null}]}"#,
      "features[0]: has no geometry"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 91]}}]}"#,
      "features[0]: coordinates: [0.0, 91.0] is outside the valid range"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"properties": {"kind": "dragon"}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "there is no kind \"dragon\""
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Circle", "coordinates": [0, 0]}}]}"#,
      "features[0]: geometry.type: Circle"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": [1], "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties: not an object"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"kind": 7}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.kind: not a string"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"text": ["Ice"]}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.text: not a string"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"name": 1}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.name: not a string"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"limit_mps": "8.3"}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.limit_mps: not a number"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"limit_mps": true}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.limit_mps: not a number"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"limit_mps": -1}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.limit_mps: not a number"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"bearing_deg": {}}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: properties.bearing_deg: not a number"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"properties": {"id": {}}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: id: neither"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}, {"id": true, "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}}]}"#,
      "features[1]: id: neither"
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [true, 0]}}]}"#,
      "features[0]: coordinates: a place must be"
    ),
  ]

  @Test(arguments: wrong)
  func `a file that is wrong is refused with its place, EV-4`(json: String, words: String) throws {
    do {
      _ = try load(json)
      Issue.record("it was taken: \(json)")
    } catch let failure as StageFailure {
      #expect(failure.message.contains(words), "\(failure.message)")
    }
  }
}

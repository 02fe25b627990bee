import Foundation
import Geodesy
public import RoadAhead
public import Stage

/// A GeoJSON file of places to warn of: a FeatureCollection of points, lines and areas.
///
/// Properties, all optional: `id`, `kind` (of guidance/warning; custom otherwise), `text` (or `name`),
/// `limit_mps`, `bearing_deg` (only for those who come in this direction).
public enum CustomPlaceFile {
  /// The places of a file.
  ///
  /// - Throws: `StageFailure` naming the file and the feature that is wrong.
  public static func read(_ path: String) throws(StageFailure) -> [CustomPlace] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("custom_warnings: \(path) cannot be read")
    }
    return try parse(data, path)
  }

  static func parse(_ data: Data, _ path: String) throws(StageFailure) -> [CustomPlace] {
    guard let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      root["type"] as? String == "FeatureCollection", let features = root["features"] as? [Any]
    else {
      throw StageFailure("custom_warnings: \(path) is not the JSON of a FeatureCollection")
    }
    var places: [CustomPlace] = []
    for (number, feature) in features.enumerated() {
      do throws(StageFailure) {
        places += try Self.places(feature, number)
      } catch {
        throw StageFailure("custom_warnings: \(path): features[\(number)]: \(error.message)")
      }
    }
    return places
  }

  private static func places(_ feature: Any, _ number: Int) throws(StageFailure) -> [CustomPlace] {
    guard let feature = feature as? [String: Any],
      let geometry = feature["geometry"] as? [String: Any]
    else { throw StageFailure("has no geometry") }
    let properties = feature["properties"] as? [String: Any] ?? [:]
    var kind = WarningKind.custom
    if let word = properties["kind"] as? String {
      guard let known = WarningKind(rawValue: word) else {
        throw StageFailure("properties.kind: there is no kind \"\(word)\"")
      }
      kind = known
    }
    let given = properties["id"] ?? feature["id"]
    let id = given.map { "\($0)" } ?? "\(number)"
    let forms = try Self.forms(geometry)
    return forms.enumerated().map { part, form in
      CustomPlace(
        id: forms.count == 1 ? id : "\(id)/\(part)", kind: kind,
        text: properties["text"] as? String ?? properties["name"] as? String,
        limitMps: (properties["limit_mps"] as? NSNumber)?.doubleValue,
        bearingDeg: (properties["bearing_deg"] as? NSNumber)?.doubleValue, form: form)
    }
  }

  private static func forms(
    _ geometry: [String: Any]
  ) throws(StageFailure) -> [CustomPlace.Form] {
    let coordinates = geometry["coordinates"]
    switch geometry["type"] as? String {
    case "Point": return [.point(try point(coordinates))]
    case "MultiPoint":
      var all: [CustomPlace.Form] = []
      for one in try list(coordinates) { all.append(.point(try point(one))) }
      return all
    case "LineString": return [.line(try line(coordinates, atLeast: 2))]
    case "Polygon": return [.area(try rings(coordinates))]
    case "MultiPolygon":
      var all: [CustomPlace.Form] = []
      for one in try list(coordinates) { all.append(.area(try rings(one))) }
      return all
    case let type:
      throw StageFailure(
        "geometry.type: \(type ?? "nothing"); Point, MultiPoint, LineString, Polygon and MultiPolygon are known"
      )
    }
  }

  private static func list(_ value: Any?) throws(StageFailure) -> [Any] {
    guard let list = value as? [Any] else { throw StageFailure("coordinates are no list") }
    return list
  }

  private static func rings(_ value: Any?) throws(StageFailure) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    for ring in try list(value) { rings.append(try line(ring, atLeast: 4)) }
    guard !rings.isEmpty else { throw StageFailure("coordinates: an area without a ring") }
    return rings
  }

  private static func line(_ value: Any?, atLeast least: Int) throws(StageFailure) -> [Coordinate] {
    var points: [Coordinate] = []
    for one in try list(value) { points.append(try point(one)) }
    guard points.count >= least else {
      throw StageFailure("coordinates: \(points.count) points where \(least) are the least")
    }
    return points
  }

  private static func point(_ value: Any?) throws(StageFailure) -> Coordinate {
    guard let pair = value as? [Any], pair.count >= 2,
      let longitude = (pair[0] as? NSNumber)?.doubleValue,
      let latitude = (pair[1] as? NSNumber)?.doubleValue
    else { throw StageFailure("coordinates: a place is [longitude, latitude]") }
    let place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    guard place.isValid else {
      throw StageFailure("coordinates: [\(longitude), \(latitude)] is no place")
    }
    return place
  }
}

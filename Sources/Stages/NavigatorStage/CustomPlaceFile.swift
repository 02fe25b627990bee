import Foundation
import Geodesy
public import RoadAhead
public import Stage

/// A GeoJSON file of places to warn of: a FeatureCollection of points, lines and areas.
///
/// Properties, all optional: `id` (its number in the file otherwise; no two of a kind have the same), `kind` (of guidance/warning; custom otherwise), `text` (or `name`),
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
    var named: [String: Int] = [:]
    for (number, feature) in features.enumerated() {
      do throws(StageFailure) {
        for place in try Self.places(feature, number) {
          // By kind and id a warning is known.
          if let other = named.updateValue(number, forKey: "\(place.kind.rawValue)/\(place.id)") {
            throw StageFailure("id: \"\(place.id)\" names features[\(other)] too")
          }
          places.append(place)
        }
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
    let properties = try Properties(feature["properties"])
    var kind = WarningKind.custom
    if let word = try properties.text("kind") {
      guard let known = WarningKind(rawValue: word) else {
        throw StageFailure("properties.kind: there is no kind \"\(word)\"")
      }
      kind = known
    }
    let (own, outer) = (try properties.id(), try Properties(feature).id())
    let id = own ?? outer ?? "\(number)"
    let (sentence, name) = (try properties.text("text"), try properties.text("name"))
    let limitMps = try properties.number("limit_mps", in: 0...200)
    let bearingDeg = try properties.number("bearing_deg", in: -360...360)
    let forms = try Self.forms(geometry)
    return forms.enumerated().map { part, form in
      CustomPlace(
        id: forms.count == 1 ? id : "\(id)/\(part)", kind: kind, text: sentence ?? name,
        limitMps: limitMps, bearingDeg: bearingDeg, form: form)
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
      let longitude = number(pair[0]), let latitude = number(pair[1])
    else { throw StageFailure("coordinates: a place is [longitude, latitude]") }
    let place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    guard place.isValid else {
      throw StageFailure("coordinates: [\(longitude), \(latitude)] is no place")
    }
    return place
  }

  // JSON's true and false are numbers to Foundation.
  fileprivate static func number(_ value: Any) -> Double? {
    guard !(type(of: value) is Bool.Type), let number = value as? NSNumber,
      String(cString: number.objCType) != "c"
    else { return nil }
    return number.doubleValue
  }
}

/// The members of an object by their types; one that is null is none.
private struct Properties {
  private let members: [String: Any]

  init(_ value: Any?) throws(StageFailure) {
    guard let value, !(value is NSNull) else {
      members = [:]
      return
    }
    guard let members = value as? [String: Any] else {
      throw StageFailure("properties: not an object")
    }
    self.members = members
  }

  private func member(_ name: String) -> Any? {
    members[name].flatMap { $0 is NSNull ? nil : $0 }
  }

  func text(_ name: String) throws(StageFailure) -> String? {
    guard let value = member(name) else { return nil }
    guard let text = value as? String else {
      throw StageFailure("properties.\(name): not a text")
    }
    return text
  }

  /// A name may be a number too, as GeoJSON allows.
  func id() throws(StageFailure) -> String? {
    guard let value = member("id") else { return nil }
    guard value is String || CustomPlaceFile.number(value) != nil else {
      throw StageFailure("id: neither a text nor a number")
    }
    return "\(value)"
  }

  func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(StageFailure) -> Double? {
    guard let value = member(name) else { return nil }
    guard let number = CustomPlaceFile.number(value), range.contains(number) else {
      throw StageFailure(
        "properties.\(name): not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

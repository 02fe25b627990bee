import Documents
import Foundation
import GeoJSON
public import RoadAhead
import Route
public import Stage

/// A GeoJSON file of places to warn of: a FeatureCollection of points, lines and areas.
///
/// All properties are optional: `id` (otherwise its number in the file; unique within a kind),
/// `kind` (of guidance/warning; otherwise custom), `text` (or `name`), `limit_mps`, and
/// `bearing_deg` (only for vehicles in this direction).
public enum CustomPlaceFile {
  /// Reads the places of a file.
  ///
  /// - Throws: `StageFailure` naming the file and the feature that is wrong.
  public static func read(_ path: String) throws(StageFailure) -> [CustomPlace] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("custom_warnings: \(path) cannot be read")
    }
    return try parse(data, path)
  }

  static func parse(_ data: Data, _ path: String) throws(StageFailure) -> [CustomPlace] {
    let root: JSONValue
    do throws(DocumentFault) {
      root = try JSONReader.value(Array(data))
    } catch {
      throw StageFailure(
        "custom_warnings: \(path) is not a FeatureCollection in JSON: \(error)")
    }
    guard root["type"]?.string == "FeatureCollection", let features = root["features"]?.array
    else {
      throw StageFailure("custom_warnings: \(path) is not a FeatureCollection in JSON")
    }
    var places: [CustomPlace] = []
    var named: [String: Int] = [:]
    for (number, feature) in features.enumerated() {
      do throws(StageFailure) {
        for place in try Self.places(feature, number) {
          // Kind and id identify a warning.
          if let other = named.updateValue(number, forKey: "\(place.kind.rawValue)/\(place.id)") {
            throw StageFailure("id: \"\(place.id)\" is also the id of features[\(other)]")
          }
          places.append(place)
        }
      } catch {
        throw StageFailure("custom_warnings: \(path): features[\(number)]: \(error.message)")
      }
    }
    return places
  }

  private static func places(
    _ feature: JSONValue, _ number: Int
  ) throws(StageFailure) -> [CustomPlace] {
    guard let geometry = feature["geometry"], geometry.object != nil else {
      throw StageFailure("has no geometry")
    }
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
    let parts: [GeoJSONPart]
    do throws(GeoJSONFault) {
      parts = try GeoJSONGeometry.parts(geometry)
    } catch {
      throw StageFailure("\(error)")
    }
    return parts.enumerated().map { part, form in
      CustomPlace(
        id: parts.count == 1 ? id : "\(id)/\(part)", kind: kind, text: sentence ?? name,
        limitMps: limitMps, bearingDeg: bearingDeg, form: CustomPlace.Form(form))
    }
  }
}

extension CustomPlace.Form {
  fileprivate init(_ part: GeoJSONPart) {
    self =
      switch part {
      case .point(let place): .point(place)
      case .line(let places): .line(places)
      case .area(let rings): .area(rings)
      }
  }
}

/// Typed access to the members of an object; a null member counts as absent.
private struct Properties {
  private let object: JSONValue

  init(_ value: JSONValue?) throws(StageFailure) {
    guard let value else {
      object = .object([:])
      return
    }
    guard value.object != nil else { throw StageFailure("properties: not an object") }
    object = value
  }

  func text(_ name: String) throws(StageFailure) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.string else { throw StageFailure("properties.\(name): not a string") }
    return text
  }

  /// Returns the id, which may also be a number, as GeoJSON allows.
  func id() throws(StageFailure) -> String? {
    guard let value = object["id"] else { return nil }
    guard let label = value.label else {
      throw StageFailure("id: neither a string nor a number")
    }
    return label
  }

  func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(StageFailure) -> Double? {
    guard let value = object[name] else { return nil }
    guard let number = value.number, range.contains(number) else {
      throw StageFailure(
        "properties.\(name): not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

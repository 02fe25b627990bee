import Documents
import Geodesy

/// A part of another engine's JSON with its path, for error messages.
struct EngineJSON {
  let value: JSONValue
  let path: String

  init(_ bytes: [UInt8]) throws(EngineFailure) {
    do throws(DocumentFault) {
      self.init(value: try JSONReader.value(bytes), path: "answer")
    } catch {
      throw EngineFailure("the answer is not JSON")
    }
  }

  private init(value: JSONValue, path: String) {
    self.value = value
    self.path = path
  }

  subscript(_ key: String) -> EngineJSON {
    get throws(EngineFailure) {
      guard let found = optional(key) else { throw EngineFailure("\(path).\(key) is missing") }
      return found
    }
  }

  func optional(_ key: String) -> EngineJSON? {
    value[key].map { EngineJSON(value: $0, path: "\(path).\(key)") }
  }

  func list() throws(EngineFailure) -> [EngineJSON] {
    guard let list = value.array else { throw EngineFailure("\(path) is not a list") }
    return list.enumerated().filter { $0.element != .null }.map {
      EngineJSON(value: $0.element, path: "\(path)[\($0.offset)]")
    }
  }

  func text() throws(EngineFailure) -> String {
    guard let text = value.string else { throw EngineFailure("\(path) is not a string") }
    return text
  }

  var words: [Substring] { value.string?.split(separator: " ") ?? [] }

  func number() throws(EngineFailure) -> Double {
    guard let number = value.number, number.isFinite else {
      throw EngineFailure("\(path) is not a number")
    }
    return number
  }

  /// Parses `[longitude, latitude]`.
  func place() throws(EngineFailure) -> Coordinate {
    let numbers = try list()
    guard numbers.count >= 2 else { throw EngineFailure("\(path) is not [longitude, latitude]") }
    let place = Coordinate(
      latitudeDeg: try numbers[1].number(), longitudeDeg: try numbers[0].number())
    guard place.isValid else { throw EngineFailure("\(path) is not on the globe") }
    return place
  }

  /// Parses a line as GeoJSON or polyline; of five and six digits, the precision that begins near
  /// `near` is used.
  func line(near: Coordinate? = nil) throws(EngineFailure) -> [Coordinate] {
    guard let text = value.string else {
      var places: [Coordinate] = []
      for place in try self["coordinates"].list() { places.append(try place.place()) }
      return places
    }
    let six = try? EncodedPolyline.decode(text, decimals: 6)
    let five = try? EncodedPolyline.decode(text, decimals: 5)
    switch (six, five) {
    case (let six?, let five?):
      guard let near, let a = six.first, let b = five.first else { return six }
      return a.distanceM(to: near) <= b.distanceM(to: near) ? six : five
    case (let line?, nil), (nil, let line?): return line
    case (nil, nil): throw EngineFailure("\(path) is not an encoded polyline")
    }
  }
}

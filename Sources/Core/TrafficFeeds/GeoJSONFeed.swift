import Documents
import Foundations
import GeoJSON
import Geodesy
import RoadGraph

/// Reads incidents from a GeoJSON FeatureCollection.
///
/// An invalid value is noted and ignored; a feature without a usable place is noted and dropped;
/// all others are kept.
public enum GeoJSONFeed {
  /// The incidents of a document in UTF-8 or UTF-16; linear.
  ///
  /// - Throws: `FeedFault` for a text that is not the JSON of a FeatureCollection.
  public static func read(_ bytes: [UInt8]) throws(FeedFault) -> FeedDocument {
    let root: JSONValue
    do throws(DocumentFault) {
      root = try JSONReader.value(DocumentText.utf8(bytes))
    } catch {
      throw FeedFault("\(error)")
    }
    guard root["type"]?.string == "FeatureCollection", let features = root["features"]?.array
    else { throw FeedFault("not a FeatureCollection in JSON with a list of features") }
    var document = FeedDocument()
    var ids: Set<String> = []
    for (number, feature) in features.enumerated() {
      var reader = FeatureReader(feature, number: number)
      let incident = reader.incident()
      document.notes += reader.notes
      if let incident { document.add(incident, at: "features[\(number)]", ids: &ids) }
    }
    return document
  }
}

/// Reads one feature and notes what cannot be read.
private struct FeatureReader {
  private let feature: JSONValue
  private let properties: JSONValue
  private let number: Int
  private(set) var notes: [FeedProblem] = []

  init(_ feature: JSONValue, number: Int) {
    self.feature = feature
    self.number = number
    properties = feature["properties"] ?? .object([:])
  }

  private mutating func report(
    _ member: String, _ problem: String, _ reason: FeedReason = .badValue
  ) {
    notes.append(FeedProblem("features[\(number)]\(member)", reason, problem))
  }

  mutating func incident() -> FeedIncident? {
    guard feature.object != nil else {
      report("", "not an object", .useless)
      return nil
    }
    if properties.object == nil { report(".properties", "not an object") }
    guard let place = place() else { return nil }
    let kind = kind()
    var effect = FeedEffect()
    effect.isClosed = flag("closed", "road_closed") ?? (kind == .roadClosed)
    effect.lanesClosed = count("lanes_closed")
    effect.lanesOpen = count("lanes_open")
    effect.speedMps = speed("speed")
    effect.speedLimitMps = speed("speed_limit")
    effect.delayS = quantity("delay_s", "delay", in: 0...604_800)
    return FeedIncident(
      id: id(), kind: kind ?? (effect.isClosed ? .roadClosed : .other), impact: impact(),
      text: text("text", "description", "title"), place: place, effect: effect,
      validity: validity())
  }

  // MARK: Place

  private mutating func place() -> FeedPlace? {
    var place = FeedPlace()
    place.segments = segments()
    readReferences(into: &place)
    if let geometry = feature["geometry"] {
      do throws(GeoJSONFault) {
        for part in try GeoJSONGeometry.parts(geometry) {
          switch part {
          case .point(let at): place.points.append(at)
          case .line(let points): place.lines.append(points)
          case .area(let rings): place.areas.append(rings)
          }
        }
      } catch {
        report(
          ".geometry", error.description, place.isEmpty ? .useless : .badValue)
      }
    } else if place.isEmpty {
      report(".geometry", "missing, and there are no segments", .useless)
    }
    guard !place.isEmpty else {
      if notes.last?.reason != .useless { report(".geometry", "has no parts", .useless) }
      return nil
    }
    place.bearingDeg = quantity("bearing_deg", in: -360...360)
    readDirection(into: &place)
    place.roadNumber = text("road", "ref")
    return place
  }

  private mutating func segments() -> [SegmentReference] {
    guard let value = properties["segments"] else { return [] }
    guard let list = value.array else {
      report(".properties.segments", "not a list of [way, from, to]")
      return []
    }
    var segments: [SegmentReference] = []
    for (index, entry) in list.enumerated() {
      let parts = entry.array ?? ["way", "from", "to"].map { entry[$0] ?? .null }
      let ids = parts.compactMap { $0.number.flatMap { Int64(exactly: $0) } }
      guard parts.count == 3, ids.count == 3 else {
        report(".properties.segments[\(index)]", "not [way, from, to]")
        continue
      }
      segments.append(SegmentReference(way: ids[0], from: ids[1], to: ids[2]))
    }
    return segments
  }

  /// `openlr`: a line location in base64, or a list of them.
  private mutating func readReferences(into place: inout FeedPlace) {
    guard let value = properties["openlr"] else { return }
    for (index, entry) in (value.array ?? [value]).enumerated() {
      let member = ".properties.openlr" + (value.array == nil ? "" : "[\(index)]")
      guard let text = entry.string else {
        report(member, "incident \(id()): not a string", .badOpenLR)
        continue
      }
      do throws(FeedFault) {
        place.references.append(try OpenLRReference(base64: text))
      } catch {
        report(
          member, "incident \(id()): \(OpenLRReference.shortened(text)): \(error)",
          OpenLRReference.isLine(base64: text) ? .badOpenLR : .unsupportedLocation)
      }
    }
  }

  private mutating func readDirection(into place: inout FeedPlace) {
    guard let value = properties["direction"] else { return }
    if let number = value.number, (-360...360).contains(number) {
      place.bearingDeg = place.bearingDeg ?? number
      return
    }
    let word = value.string.map(FeedSynonyms.plain) ?? ""
    if let direction = FeedSynonyms.directions[word] {
      place.direction = direction
    } else if let bearingDeg = FeedSynonyms.bearingDeg(word) {
      place.bearingDeg = place.bearingDeg ?? bearingDeg
    } else {
      report(".properties.direction", "neither degrees nor a known direction")
    }
  }

  // MARK: Words

  private func id() -> String {
    properties["id"]?.label ?? feature["id"]?.label ?? "\(number)"
  }

  private mutating func kind() -> IncidentKind? {
    guard let (name, value) = first("kind", "type", "category") else { return nil }
    guard let kind = value.string.map(FeedSynonyms.plain).flatMap({ FeedSynonyms.kinds[$0] }) else {
      report(".properties.\(name)", "\(Self.shown(value)) is not a known kind")
      return .other
    }
    return kind
  }

  private mutating func impact() -> IncidentImpact? {
    guard let (name, value) = first("impact", "severity") else { return nil }
    guard let impact = value.string.map(FeedSynonyms.plain).flatMap({ FeedSynonyms.impacts[$0] })
    else {
      report(".properties.\(name)", "\(Self.shown(value)) is not a known impact")
      return nil
    }
    return impact
  }

  private mutating func text(_ names: String...) -> String? {
    for name in names {
      guard let value = properties[name] else { continue }
      if let text = value.label, !text.isEmpty { return text }
      if value.label == nil { report(".properties.\(name)", "not a string") }
    }
    return nil
  }

  private mutating func flag(_ names: String...) -> Bool? {
    for name in names {
      guard let value = properties[name] else { continue }
      if let flag = value.bool { return flag }
      switch value.label.map(FeedSynonyms.plain) {
      case "yes", "true", "1": return true
      case "no", "false", "0": return false
      default: report(".properties.\(name)", "\(Self.shown(value)) is neither true nor false")
      }
    }
    return nil
  }

  // MARK: Numbers and times

  private mutating func quantity(_ names: String..., in range: ClosedRange<Double>) -> Double? {
    for name in names {
      guard let value = properties[name] else { continue }
      if let number = value.number ?? value.string.flatMap({ Double($0) }), range.contains(number) {
        return number
      }
      report(
        ".properties.\(name)",
        "\(Self.shown(value)) is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return nil
  }

  private mutating func count(_ name: String) -> Int? {
    quantity(name, in: 0...20).map { Int($0) }
  }

  private mutating func speed(_ name: String) -> Double? {
    quantity("\(name)_mps", in: 0...100) ?? quantity("\(name)_kmh", in: 0...360).map { $0 / 3.6 }
  }

  private mutating func validity() -> FeedValidity {
    let from = moment("from", "start", "starttime")
    let until = moment("until", "end", "endtime")
    if let from, let until, until <= from {
      report(".properties", "it ends before it begins; only its end is used")
      return FeedValidity(until: until)
    }
    return FeedValidity(from: from, until: until)
  }

  private mutating func moment(_ names: String...) -> Instant? {
    guard let (name, value) = first(names) else { return nil }
    if let moment = FeedSynonyms.moment(value) { return moment }
    report(
      ".properties.\(name)",
      "\(Self.shown(value)) is neither RFC 3339 nor seconds or milliseconds since 1970")
    return nil
  }

  // MARK: Members

  private func first(_ names: String...) -> (String, JSONValue)? { first(names) }

  private func first(_ names: [String]) -> (String, JSONValue)? {
    for name in names {
      if let value = properties[name] { return (name, value) }
    }
    return nil
  }

  private static func shown(_ value: JSONValue) -> String {
    value.label.map { "\"\($0.prefix(60))\"" } ?? "the value"
  }
}

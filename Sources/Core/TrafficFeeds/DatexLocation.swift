import Documents
import Geodesy

/// Reads the place of a situation record: `locationReference` of version 3, `groupOfLocations` of version 2.
///
/// Reads points, lines, areas, OpenLR lines, TPEG points, and points and parts of a line string by distance. Alert-C, OpenLR
/// points and areas, predefined locations and other coordinate systems are reported as problems; the display coordinates are
/// the fallback.
struct DatexLocation {
  private let root: XMLNode?
  private let direction: FeedDirection?
  private(set) var problems: [String] = []
  /// OpenLR lines that are malformed.
  private(set) var badReferences: [String] = []
  /// Traffic lanes that the location names one by one.
  private(set) var lanes: Set<String> = []
  private(set) var originalLanes: Int?
  /// Only lanes without traffic are named, such as a hard shoulder.
  private(set) var isBesideLanes = false
  private(set) var isWholeCarriageway = false
  /// The location is a cycle track or footpath only.
  private(set) var isForOthers = false

  init(_ record: XMLNode) {
    root = record["locationReference"] ?? record["groupOfLocations"]
    direction =
      record.all("applicableForTrafficDirection").lazy
      .compactMap { Self.directions[$0.text] }.first
  }

  private static let directions: [String: FeedDirection] = [
    "aligned": .along, "opposite": .against, "bothWays": .both, "both": .both,
    "allDirections": .both,
  ]

  mutating func place() -> FeedPlace {
    guard let root else { return FeedPlace() }
    var place = FeedPlace()
    place.direction = direction
    var display: [Coordinate] = []
    read(root, into: &place, &display)
    readCarriageways(root, into: &place)
    // A line by reference may fit no path of the map; then the display coordinates are used.
    let isDrawn = !place.points.isEmpty || !place.lines.isEmpty || !place.areas.isEmpty
    if !isDrawn, let first = display.first { place.points = [first] }
    place.roadNumber = root.first("roadNumber")?.text
    return place
  }

  private mutating func read(
    _ node: XMLNode, into place: inout FeedPlace, _ display: inout [Coordinate]
  ) {
    for child in node.children {
      switch child.name {
      case "locationContainedInGroup", "location": read(child, into: &place, &display)
      case "locationContainedInItinerary": read(child, into: &place, &display)
      case "coordinatesForDisplay", "locationForDisplay":
        if let at = coordinate(child) { display.append(at) }
      case "pointByCoordinates":
        if let at = child["pointCoordinates"].flatMap({ coordinate($0) }) {
          place.points.append(at)
        }
        readBearing(child["bearing"], into: &place)
      case "gmlLineString": add(line(child), to: &place)
      case "gmlMultiPolygon": place.areas += child.all("gmlPolygon").compactMap { area($0) }
      case "linearWithinLinearElement": readPart(of: child, into: &place)
      case "pointAlongLinearElement": readPoint(on: child, into: &place)
      case "tpegPointLocation", "tpegpointLocation": readPoint(tpeg: child, into: &place)
      case "tpegLinearLocation", "tpeglinearLocation": readLine(tpeg: child, into: &place)
      case "externalReferencing" where Self.isOpenLR(child):
        read(openLR: child["externalLocationCode"]?.text ?? "", of: child.name, into: &place)
      case "openlrBinary", "base64String": read(openLR: child.text, of: child.name, into: &place)
      case "openlrLinear", "openlrExtendedLinear", "openlrLineLocationReference":
        read(openLR: child, into: &place)
      case let name:
        if let system = Self.unread(name) {
          problems.append("\(name): \(system) is not supported")
        } else if name.hasSuffix("Extension") {
          // Version 2 and some publishers put line strings into extensions.
          if let string = child.first("gmlLineString") { add(line(string), to: &place) }
          if let linear = Self.openLR.lazy.compactMap({ child.first($0) }).first {
            read(openLR: linear, into: &place)
          } else if let code = child.first("openlrBinary") {
            read(openLR: code.text, of: code.name, into: &place)
          } else if let other = Self.openLRExtensions.lazy.compactMap({ child.first($0) }).first {
            problems.append("\(other.name): \(Self.unread(other.name) ?? "") is not supported")
          }
        }
      }
    }
  }

  private static let openLR = [
    "openlrExtendedLinear", "OpenlrExtendedLinear", "openlrLinear", "openlrLineLocationReference",
  ]
  private static let openLRExtensions = ["openlrExtendedPoint", "openlrExtendedArea"]

  /// Reads a line that is written as elements.
  private mutating func read(openLR node: XMLNode, into place: inout FeedPlace) {
    let lines = DatexOpenLR(node)
    place.references += lines.references
    badReferences += lines.problems
  }

  /// Reads a line in the binary format, as base64.
  private mutating func read(openLR code: String, of element: String, into place: inout FeedPlace) {
    do throws(FeedFault) {
      place.references.append(try OpenLRReference(base64: code))
    } catch {
      let problem = "\(element): OpenLR: \(OpenLRReference.shortened(code)): \(error)"
      if OpenLRReference.isLine(base64: code) {
        badReferences.append(problem)
      } else {
        problems.append(problem)
      }
    }
  }

  /// Publishers put OpenLR's binary format in base64 into the code of an external system of that name.
  private static func isOpenLR(_ node: XMLNode) -> Bool {
    node["externalReferencingSystem"]?.text.lowercased().contains("openlr") ?? false
  }

  private static func unread(_ name: String) -> String? {
    if name.hasPrefix("alertC") { return "an Alert-C reference" }
    if name.hasPrefix("openlr") {
      return switch name {
      case let name where name.contains("Point") || name.contains("Poi"): "an OpenLR point"
      case let name where name.contains("GeoCoordinate"): "an OpenLR coordinate"
      default: "an OpenLR area"
      }
    }
    if name.hasPrefix("predefined") { return "a predefined location" }
    return ["namedArea", "tpegAreaLocation", "externalReferencing"].contains(name)
      ? "a place by name or code" : nil
  }

  // MARK: Coordinates

  private mutating func coordinate(_ node: XMLNode) -> Coordinate? {
    guard let latitude = node["latitude"].flatMap({ Double($0.text) }),
      let longitude = node["longitude"].flatMap({ Double($0.text) })
    else {
      problems.append("\(node.name) has no latitude and longitude")
      return nil
    }
    let place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    if place.isValid { return place }
    problems.append("\(node.name): \(latitude), \(longitude) is outside the valid range")
    return nil
  }

  /// A `posList`: alternating latitude and longitude, as in EPSG:4326; CRS84 has the opposite
  /// order.
  private mutating func positions(_ node: XMLNode, atLeast least: Int) -> [Coordinate]? {
    let system = node.attributes["srsName"] ?? "EPSG:4326"
    let isSwapped = system.contains("CRS84")
    guard isSwapped || ["4326", "4258", "WGS84", "WGS 84"].contains(where: { system.contains($0) })
    else {
      problems.append("\(node.name): the coordinate system \(system.prefix(40)) is not supported")
      return nil
    }
    let words = (node["posList"]?.text ?? "").split { " \n\t\r,".contains($0) }
    let numbers = words.compactMap { Double($0) }
    let step = node.attributes["srsDimension"].flatMap { Int($0) } ?? 2
    guard step == 2 || step == 3, numbers.count == words.count, numbers.count % step == 0,
      numbers.count >= least * step
    else {
      problems.append("\(node.name): its posList has fewer than \(least) places")
      return nil
    }
    let places = stride(from: 0, to: numbers.count, by: step).map { index in
      isSwapped
        ? Coordinate(latitudeDeg: numbers[index + 1], longitudeDeg: numbers[index])
        : Coordinate(latitudeDeg: numbers[index], longitudeDeg: numbers[index + 1])
    }
    guard places.allSatisfy(\.isValid) else {
      problems.append("\(node.name): its posList contains an invalid place")
      return nil
    }
    return places
  }

  private mutating func line(_ node: XMLNode) -> [Coordinate]? { positions(node, atLeast: 2) }

  /// Adds a drawn line, which replaces a line of two ends.
  private func add(_ line: [Coordinate]?, to place: inout FeedPlace) {
    guard let line else { return }
    if place.hasEndsOnly { place.lines = [] }
    place.hasEndsOnly = false
    place.lines.append(line)
  }

  private mutating func area(_ polygon: XMLNode) -> [[Coordinate]]? {
    var rings: [[Coordinate]] = []
    for node in polygon.all("exterior") + polygon.all("interior") {
      guard let ring = positions(node, atLeast: 4) else { return nil }
      rings.append(ring)
    }
    return rings.isEmpty ? nil : rings
  }

  // MARK: Linear elements

  /// The part of a line string between two distances from its start.
  private mutating func readPart(of node: XMLNode, into place: inout FeedPlace) {
    readDirection(node["directionRelativeOnLinearSection"], into: &place)
    guard let string = node.node("linearElement", "gmlLineString"), let line = line(string) else {
      problems.append(
        "linearWithinLinearElement: a linear element by code or points is not supported")
      return
    }
    let path = Polyline(line)
    let from = metres(node["fromPoint"], along: path) ?? 0
    let to = metres(node["toPoint"], along: path) ?? path.lengthM
    let part = path.slice(fromM: Double.minimum(from, to), toM: Double.maximum(from, to))
    if part.count > 1 { add(part, to: &place) } else { place.points += part }
  }

  private mutating func readPoint(on node: XMLNode, into place: inout FeedPlace) {
    readDirection(node["directionRelativeAtPoint"], into: &place)
    guard let string = node.node("linearElement", "gmlLineString"), let line = line(string),
      let metres = metres(node["distanceAlongLinearElement"], along: Polyline(line)),
      let at = Polyline(line).coordinate(atM: metres)
    else {
      problems.append(
        "pointAlongLinearElement: a linear element by code or points is not supported")
      return
    }
    place.points.append(at)
    if place.direction == .along {
      place.bearingDeg = place.bearingDeg ?? Polyline(line).bearingDeg(atM: metres)
    }
  }

  private func metres(_ node: XMLNode?, along path: Polyline) -> Double? {
    if let metres = node?["distanceAlong"].flatMap({ Double($0.text) }),
      node?.type == "DistanceFromLinearElementStart"
    {
      return Double.maximum(0, Double.minimum(path.lengthM, metres))
    }
    guard let percent = node?["percentageDistanceAlong"].flatMap({ Double($0.text) }),
      (0...100).contains(percent)
    else { return nil }
    return path.lengthM * percent / 100
  }

  // MARK: TPEG

  private mutating func readPoint(tpeg node: XMLNode, into place: inout FeedPlace) {
    let point = node["point"] ?? node["framedPoint"]
    if let at = point?["pointCoordinates"].flatMap({ coordinate($0) }) { place.points.append(at) }
    readDirection(node["tpegDirection"], into: &place)
  }

  /// A line given by its two ends; the shortest path between them is placed.
  private mutating func readLine(tpeg node: XMLNode, into place: inout FeedPlace) {
    let ends = [node["from"], node["to"]].compactMap { end in
      end?["pointCoordinates"].flatMap { coordinate($0) }
    }
    // A drawn line is more precise than its ends.
    if ends.count == 2, place.lines.isEmpty || place.hasEndsOnly {
      place.lines.append(ends)
      place.hasEndsOnly = true
    } else if ends.count == 1 {
      place.points += ends
    }
    // The order of the ends gives the direction, except for both ways.
    if node["tpegDirection"]?.text == "bothWays" { place.direction = .both }
  }

  // MARK: Direction and lanes

  private mutating func readDirection(_ node: XMLNode?, into place: inout FeedPlace) {
    guard let word = node?.text else { return }
    if let known = Self.directions[word] {
      place.direction = place.direction ?? known
    } else if let bearingDeg = FeedSynonyms.bearingDeg(FeedSynonyms.plain(word)) {
      place.bearingDeg = place.bearingDeg ?? bearingDeg
    }
  }

  private mutating func readBearing(_ node: XMLNode?, into place: inout FeedPlace) {
    guard let node else { return }
    if let bearing = Double(node.text), (0...360).contains(bearing) {
      place.bearingDeg = bearing
    } else {
      problems.append("bearing: \"\(node.text.prefix(40))\" is not 0 to 360")
    }
  }

  /// Version 3 has `carriageway` in `carriageway`, version 2 in `affectedCarriagewayAndLanes`.
  private mutating func readCarriageways(_ root: XMLNode, into place: inout FeedPlace) {
    let groups = Self.carriageways(of: root)
    let words = Set(groups.compactMap { $0["carriageway"]?.text })
    if !words.isEmpty {
      place.isSlipRoad = words.isSubset(of: DatexVocabulary.slipRoads)
      isForOthers = words.isSubset(of: DatexVocabulary.otherWays)
      if words == ["oppositeCarriageway"], place.direction == nil { place.direction = .against }
    }
    originalLanes =
      groups.lazy.compactMap { $0["originalNumberOfLanes"].flatMap { Int($0.text) } }
      .first
    var named: Set<String> = []
    for lane in groups.flatMap({ $0.all("lane") }) {
      let word = lane["laneUsage"]?.text ?? lane["laneNumber"]?.text ?? lane.text
      if !word.isEmpty { named.insert(word) }
    }
    isWholeCarriageway = named.contains("allLanesCompleteCarriageway")
    lanes = named.subtracting(DatexVocabulary.besideLanes).subtracting([
      "allLanesCompleteCarriageway"
    ])
    isBesideLanes = !named.isEmpty && lanes.isEmpty && !isWholeCarriageway
  }

  private static func carriageways(of node: XMLNode) -> [XMLNode] {
    node.children.flatMap { child in
      child["carriageway"]?.children.isEmpty == true ? [child] : carriageways(of: child)
    }
  }
}

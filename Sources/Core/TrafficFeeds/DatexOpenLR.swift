import Documents
import Geodesy

/// Reads OpenLR line locations that are written as XML elements, of DATEX II version 3 (`openlrLinear`) and version 2
/// (`openlrExtendedLinear` in an extension).
///
/// Both have a `firstDirection`, and an `oppositeDirection` where both directions are meant; early documents of version 2 have
/// one `openlrLineLocationReference`. Angles are whole degrees and lengths whole metres.
struct DatexOpenLR {
  /// The lines that could be read.
  private(set) var references: [OpenLRReference] = []
  /// For each line that could not be read, the element and its problem.
  private(set) var problems: [String] = []

  init(_ node: XMLNode) {
    let wanted = ["firstDirection", "oppositeDirection", "openlrLineLocationReference"]
    var lines = node.children.filter { wanted.contains($0.name) }
    if lines.isEmpty, node["openlrLocationReferencePoint"] != nil { lines = [node] }
    for line in lines {
      do throws(FeedFault) {
        references.append(try Self.reference(line))
      } catch {
        problems.append("\(node.name).\(line.name): OpenLR: \(error)")
      }
    }
    if lines.isEmpty { problems.append("\(node.name): OpenLR: it contains no line") }
  }

  private static func reference(_ node: XMLNode) throws(FeedFault) -> OpenLRReference {
    let nodes = node.all("openlrLocationReferencePoint")
    guard !nodes.isEmpty else { throw FeedFault("openlrLocationReferencePoint is missing") }
    guard let last = node["openlrLastLocationReferencePoint"] else {
      throw FeedFault("openlrLastLocationReferencePoint is missing")
    }
    guard nodes.count < OpenLRReference.pointLimit else {
      throw FeedFault("it has more than \(OpenLRReference.pointLimit) points")
    }
    var points: [OpenLRReference.Point] = []
    for (number, node) in (nodes + [last]).enumerated() {
      do throws(FeedFault) {
        points.append(try point(node, isLast: number == nodes.count))
      } catch {
        throw FeedFault("point \(number + 1): \(error)")
      }
    }
    var reference = OpenLRReference(points: points)
    reference.bearingToleranceDeg = 0.5
    reference.lengthToleranceM = 0.5
    let offsets = node["openlrOffsets"] ?? node
    reference.positiveOffset = try share(
      offsets["openlrPositiveOffset"], of: points[0].toNextM)
    reference.negativeOffset = try share(
      offsets["openlrNegativeOffset"], of: points[points.count - 2].toNextM)
    return reference
  }

  /// The share of a leg that corresponds to an offset in metres.
  private static func share(_ node: XMLNode?, of legM: Double) throws(FeedFault) -> Double {
    guard let node else { return 0 }
    guard let metres = Double(node.text), metres >= 0, metres.isFinite else {
      throw FeedFault("\(node.name) \"\(node.text.prefix(40))\" is not a length of 0 m or more")
    }
    guard metres == 0 || metres < legM else {
      throw FeedFault("\(node.name) of \(metres) m is not below the \(legM) m between its points")
    }
    return metres == 0 ? 0 : metres / legM
  }

  private static func point(
    _ node: XMLNode, isLast: Bool
  ) throws(FeedFault) -> OpenLRReference.Point {
    guard let place = node["openlrCoordinates"] ?? node["openlrCoordinate"] else {
      throw FeedFault("openlrCoordinates is missing")
    }
    let at = Coordinate(
      latitudeDeg: try number(place, "latitude", in: -90...90),
      longitudeDeg: try number(place, "longitude", in: -180...180))
    guard let line = node["openlrLineAttributes"] else {
      throw FeedFault("openlrLineAttributes is missing")
    }
    var point = OpenLRReference.Point(
      at: at, roadClass: try roadClass(line, "openlrFunctionalRoadClass"), form: form(line),
      bearingDeg: try number(line, "openlrBearing", in: 0...360))
    guard !isLast else { return point }
    guard let path = node["openlrPathAttributes"] else {
      throw FeedFault("openlrPathAttributes is missing")
    }
    // Version 3 writes Frc, version 2 FRC.
    let (least, old) = ("openlrLowestFrcToNextLRPoint", "openlrLowestFRCToNextLRPoint")
    point.leastClass = try roadClass(path, path[least] == nil ? old : least)
    point.toNextM = try number(path, "openlrDistanceToNextLRPoint", in: 0...100_000)
    return point
  }

  private static func number(
    _ node: XMLNode, _ name: String, in range: ClosedRange<Double>
  ) throws(FeedFault) -> Double {
    guard let text = node[name]?.text else { throw FeedFault("\(name) is missing") }
    guard let number = Double(text), range.contains(number) else {
      throw FeedFault(
        "\(name) \"\(text.prefix(40))\" is not a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
      )
    }
    return number
  }

  /// `frc3` or `FRC3`.
  private static func roadClass(_ node: XMLNode, _ name: String) throws(FeedFault) -> Int {
    guard let text = node[name]?.text else { throw FeedFault("\(name) is missing") }
    let word = text.lowercased()
    guard word.hasPrefix("frc"), let level = Int(word.dropFirst(3)), (0...7).contains(level) else {
      throw FeedFault("\(name) \"\(text.prefix(40))\" is not frc0 to frc7")
    }
    return level
  }

  /// The form of way; unknown words and a missing one count as undefined.
  private static func form(_ node: XMLNode) -> Int {
    let form: OpenLRFormOfWay =
      switch node["openlrFormOfWay"]?.text {
      case "motorway": .motorway
      case "multipleCarriageway": .multipleCarriageway
      case "singleCarriageway": .singleCarriageway
      case "roundabout": .roundabout
      case "trafficSquare": .trafficSquare
      case "slipRoad": .slipRoad
      case "other": .other
      default: .undefined
      }
    return form.rawValue
  }
}

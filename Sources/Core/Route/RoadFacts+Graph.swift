public import RoadGraph

extension RoadFacts {
  /// What the map knows of an edge, with its name in `language` (a BCP 47 tag) where there is one.
  public init(_ graph: RoadGraph, _ edge: EdgeID, language: String = "") {
    let road = graph.attributes(edge)
    let state = graph.state(road)
    let name = graph.text(road.name)
    let isOther = !road.namesByLanguage.isEmpty && !language.isEmpty
    let own =
      isOther ? Self.name(in: graph.text(road.namesByLanguage), language: language) ?? name : name
    self.init(
      name: own, number: graph.text(road.number), roadClass: road.roadClass,
      speedLimitMps: road.speedLimitMps, isTunnel: road.flags.contains(.tunnel),
      isBridge: road.flags.contains(.bridge), isToll: road.flags.contains(.toll),
      isFerry: road.flags.contains(.ferry), isUnpaved: road.flags.contains(.unpaved),
      isRoundabout: road.flags.contains(.roundabout), isLink: road.flags.contains(.link),
      isLeftHand: road.flags.contains(.leftHand), country: road.country,
      state: state?.name, stateCode: state?.code,
      isCarPool: road.flags.contains(.carPool),
      toward: Self.list(graph.text(road.destination)),
      localName: own == name || name.isEmpty ? nil : name,
      numberLevel: road.number.isEmpty ? nil : road.numberLevel,
      numberDirection: road.numberDirection.isEmpty ? nil : graph.text(road.numberDirection),
      surface: road.surface)
  }

  /// The parts of a text that OSM separates by semicolons.
  public static func list(_ text: String) -> [String] {
    let bytes = text.utf8
    if bytes.isEmpty { return [] }
    // Nearly all have one part and no spaces around it.
    let space = UInt8(ascii: " ")
    if bytes.first != space, bytes.last != space, !bytes.contains(UInt8(ascii: ";")) {
      return [text]
    }
    return text.split(separator: ";").map { part in
      var part = part[...]
      while part.first == " " { part.removeFirst() }
      while part.last == " " { part.removeLast() }
      return String(part)
    }.filter { !$0.isEmpty }
  }

  // Lines `xx=Name`; the tag's first part decides.
  private static func name(in lines: String, language: String) -> String? {
    let wanted = language.prefix { $0 != "-" && $0 != "_" }
    for line in lines.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "="), line[..<equals] == wanted else { continue }
      return String(line[line.index(after: equals)...])
    }
    return nil
  }
}

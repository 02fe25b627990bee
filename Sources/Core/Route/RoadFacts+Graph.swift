public import RoadGraph
import RoadNumbering

extension RoadFacts {
  /// The attributes of an edge in the map, with its name in `language` (a BCP 47 tag) if there is
  /// one.
  public init(_ graph: RoadGraph, _ edge: EdgeID, language: String = "") {
    let road = graph.attributes(edge)
    let state = graph.state(road)
    let name = graph.text(road.name)
    let own = Self.name(of: road, graph, language: language)
    let routes = RouteRelationNumber.decode(
      road.numberRoutes.isEmpty ? "" : graph.text(road.numberRoutes))
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
      numberDirection: routes.first?.direction, surface: road.surface,
      isCrossing: road.flags.contains(.footCrossing),
      isDismount: road.access(.bicycle) == .dismount, isIndoor: road.flags.contains(.indoor),
      numbers: Self.numbers(graph, road, stateCode: state?.code, language: language))
  }

  /// Name of a road in `language` (a BCP 47 tag) if the map contains it, otherwise the local name.
  public static func name(
    of road: RoadAttributes, _ graph: RoadGraph, language: String
  ) -> String {
    let isOther = !road.namesByLanguage.isEmpty && !language.isEmpty
    let other = isOther ? name(in: graph.text(road.namesByLanguage), language: language) : nil
    return other ?? graph.text(road.name)
  }

  /// The parts of a text that OSM separates by semicolons.
  public static func list(_ text: String) -> [String] { RoadNumber.split(text) }

  /// The numbers of an edge if the map contains more about them than `number`; nil otherwise.
  private static func numbers(
    _ graph: RoadGraph, _ road: RoadAttributes, stateCode: String?, language: String
  ) -> [RoadNumber]? {
    if road.number.isEmpty { return nil }
    let other =
      language.isEmpty || road.namesByLanguage.isEmpty
      ? nil : name(in: graph.text(road.namesByLanguage), language: "ref:\(language)")
    guard other != nil || !road.numberRoutes.isEmpty else { return nil }
    let routes = RouteRelationNumber.decode(graph.text(road.numberRoutes))
    func numbers(_ text: String, language: String?) -> [RoadNumber] {
      RoadNumber.list(
        RoadNumber.split(text), country: road.country, state: stateCode,
        classLevel: road.roadClass.numberLevel, routes: routes, language: language)
    }
    let local = numbers(graph.text(road.number), language: nil)
    let main = String(language.prefix { $0 != "-" && $0 != "_" })
    return (other.map { numbers($0, language: main) } ?? []) + local
  }

  // Lines `xx=Name`, or `ref:xx=Number` for a language with a `ref:` prefix; the tag's first part
  // decides.
  private static func name(in lines: String, language: String) -> String? {
    let wanted = language.prefix { $0 != "-" && $0 != "_" }
    for line in lines.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "="), line[..<equals] == wanted else { continue }
      return String(line[line.index(after: equals)...])
    }
    return nil
  }
}

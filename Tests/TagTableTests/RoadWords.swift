import DrawnMaps
import MapMaking
import RoadGraph
import Route

@testable import Routing

/// The words in which the table reports what a map says of a road.
///
/// Each word is `name: value`, or a plain word for what holds or does not.
enum RoadWords {
  /// Access, speed, limit, cost and rules of a mode on an edge; `access: no` where there is none.
  static func mode(_ mode: TravelMode, _ edge: EdgeID?, _ metric: RoadMetric) -> [String] {
    guard let edge else { return ["access: no"] }
    let graph = metric.network.graph
    let road = graph.attributes(edge)
    let rules = timed(mode, road, graph)
    guard metric.network.isUsable(edge) else { return ["access: no"] + rules }
    var words = ["access: \(word(road.access(mode)))"]
    words.append("speed: \(Int((road.freeFlowMps(mode) * 3.6).rounded())) km/h")
    if let limit = limit(mode, road) { words.append("limit: \(limit)") }
    if mode.isMotorised, road.advisoryLimitKmh > 0 {
      words.append("advised: \(road.advisoryLimitKmh) km/h")
    }
    if road.difficulty(mode) > 0 { words.append("difficulty: \(road.difficulty(mode))") }
    let cost = Double(metric.costMS[edge.index]) / Double(metric.latestMS[edge.index])
    let hundredths = Int((cost * 100).rounded())
    if metric.pricing.isRefused(edge.index) {
      words.append(refused)
    } else if hundredths != 100 {
      words.append("cost: × \(VehicleSign.text(Double(hundredths) / 100))")
    }
    if road.tollModes.contains(mode) { words.append("pays toll") }
    if road.boardingS > 0 { words.append("waits: \(Int(road.boardingS)) s") }
    if road.crossingS > 0 { words.append("takes: \(road.crossingS) s") }
    return words + rules
  }

  /// The word of the legend for an access.
  static func word(_ access: Access) -> String { "\(access)" }

  private static func limit(_ mode: TravelMode, _ road: RoadAttributes) -> String? {
    let own: UInt8 =
      switch mode {
      case .truck: road.truckSpeedLimitKmh
      case .bus: road.busSpeedLimitKmh
      default: 0
      }
    guard mode.isMotorised else { return nil }
    switch own == 0 ? road.speedLimitKmh : own {
    case 0: return nil
    case 255: return "none"
    case let kmh: return "\(kmh) km/h"
    }
  }

  /// Rules and signs that concern the mode.
  private static func timed(
    _ mode: TravelMode, _ road: RoadAttributes, _ graph: RoadGraph
  ) -> [String] {
    graph.text(road.rules).split(separator: "\n").compactMap { line in
      if let sign = VehicleSign(line: line), sign.modes.contains(mode) {
        return "\(sign.measure.rawValue): ≤ \(VehicleSign.text(sign.most))"
      }
      guard let rule = RoadRule(line: line), rule.modes.contains(mode) else { return nil }
      // A rule of opening hours holds outside of them.
      let when = line.hasPrefix("closed") ? "outside \(rule.when)" : rule.when
      return switch rule.effect {
      case .access(let access): "\(word(access)) @ \(when)"
      case .limit(let kmh): "limit \(kmh.map { "\(Int($0)) km/h" } ?? "none") @ \(when)"
      case .carPool(let isOnly): "\(isOnly ? "car pools only" : "not only car pools") @ \(when)"
      case .boarding(let seconds): "waits \(Int(seconds)) s @ \(when)"
      case .crossing(let factor): "takes × \(VehicleSign.text(factor)) @ \(when)"
      }
    }
  }

  // MARK: The road

  /// What concerns no mode alone: class, surface, sizes, flags, names, lanes.
  static func general(_ roads: [RoadAttributes], _ graph: RoadGraph) -> [String] {
    let all = roads.map { words($0, graph) }
    guard let along = all.first else { return ["no road"] }
    guard all.count > 1, let against = all.last else { return along }
    // What holds in one direction only says so.
    return along.map { against.contains($0) ? $0 : "along: \($0)" }
      + against.filter { !along.contains($0) }.map { "against: \($0)" }
  }

  private static func words(_ road: RoadAttributes, _ graph: RoadGraph) -> [String] {
    var words = ["class: \(road.roadClass.word)"]
    func add(_ name: String, _ value: String) {
      if !value.isEmpty { words.append("\(name): \(value.replacing("\n", with: " · "))") }
    }
    func most(_ name: String, _ hundredths: UInt16, _ unit: String) {
      if hundredths > 0 {
        words.append("\(name): ≤ \(VehicleSign.text(Double(hundredths) / 100)) \(unit)")
      }
    }
    if let surface = road.surface.word { words.append("surface: \(surface)") }
    most("height", road.maxHeightCm, "m")
    most("width", road.maxWidthCm, "m")
    most("length", road.maxLengthCm, "m")
    most("weight", road.maxWeight10Kg, "t")
    most("axle load", road.maxAxleLoad10Kg, "t")
    if road.layer != 0 { words.append("layer: \(road.layer)") }
    if road.laneCount > 0 { words.append("lanes: \(road.laneCount)") }
    add("lanes lead", graph.text(road.turnLanes))
    add("of the lanes", graph.text(road.laneDetails))
    add("name", graph.text(road.name))
    add("number", graph.text(road.number))
    add("other names", graph.text(road.namesByLanguage))
    add("signpost", graph.text(road.destination))
    add("number on the signpost", graph.text(road.destinationNumber))
    add("symbol on the signpost", graph.text(road.destinationSymbol))
    add("exit", graph.text(road.exitNumber))
    add("country", road.country ?? "")
    add("state", graph.text(road.stateName))
    return words + flagWords(road.flags.rawValue, roadFlags)
  }

  /// In the order of the bits; those that follow from the drawing (islands, dead ends) are left out.
  private static let roadFlags: [String?] = [
    "one-way", "roundabout", "ramp", "tunnel", "bridge", "toll road", "ferry", "unpaved",
    "traffic on the left", "car-pool road", "no crossings (controlled access)",
    "carriageway of a divided road", nil, "no through road", "school zone", "lit", "built-up",
    "aisle of a car park", "driveway", "direction changes with time", "traffic calming",
    "circular", "variable limit", "no hazardous goods", "alternating", "signs face away",
    "low-emission zone", "walkers have a path of their own", "cyclists have a path of their own",
    "crossing of a carriageway", "indoor",
  ]

  private static let nodeFlags: [String?] = [
    "traffic signals", "stop sign", "give-way sign", "crossing", "railway crossing", "toll booth",
    "motorway junction", "mini roundabout", "barrier", "border", "speed camera",
    "traffic calming", "turning circle", "gate", "only for traffic along the way",
    "only for traffic against the way", "sign of danger",
  ]

  private static func flagWords(_ bits: UInt32, _ names: [String?]) -> [String] {
    (0..<32).compactMap { bit in
      guard bits >> UInt32(bit) & 1 == 1 else { return nil }
      return bit < names.count ? names[bit] : "flag \(bit)"
    }
  }

  // MARK: The node and the report

  /// What is at the node b, where the map has one.
  static func node(_ map: DrawnMap) -> [String] {
    guard let node = try? map.node("b") else { return [] }
    let graph = map.graph
    var words = flagWords(graph.columns.nodeFlags[node.index].rawValue & 0x1_FFFF, nodeFlags)
    if let junction = graph.junction(node) {
      let texts = [junction.number, junction.name, junction.exitTo].filter { !$0.isEmpty }
      if !texts.isEmpty { words.append("junction: \(texts.joined(separator: " · "))") }
    }
    guard let barrier = graph.barrier(at: node) else { return words }
    var modes: [(access: Access, modes: TravelModes)] = []
    for mode in TravelMode.allCases {
      let access = barrier.access(mode)
      guard access.isUsable, access != .yes else { continue }
      if let k = modes.firstIndex(where: { $0.access == access }) {
        modes[k].modes.insert(TravelModes(mode))
      } else {
        modes.append((access, TravelModes(mode)))
      }
    }
    words += modes.map { "\(word($0.access)) (\(TagEffect(modes: $0.modes, text: "").modeWords))" }
    words += Self.words(barrier, graph).filter { $0.contains("≤") || $0 == "no hazardous goods" }
    for sign in graph.text(barrier.rules).split(separator: "\n").compactMap({
      VehicleSign(line: $0)
    }) {
      let modes = TagEffect(modes: sign.modes, text: "").modeWords
      words.append("\(sign.measure.rawValue): ≤ \(VehicleSign.text(sign.most)) (\(modes))")
    }
    return words
  }

  /// What the build reports of the tags.
  static func report(_ map: DrawnMap) -> [String] {
    var words: [String] = []
    if map.report.areas > 0 { words.append("walked across by lines of sight") }
    if map.report.areasUnconnected > 0 { words.append("area to which nothing leads") }
    if map.report.places > 0 { words.append("a place that is found by name") }
    for key in map.report.unreadableValues.keys.sorted() { words.append("unreadable: \(key)") }
    for key in map.report.unreadableKeys.keys.sorted() { words.append("unreadable: \(key)") }
    for reason in map.report.restrictionsDropped.keys.sorted() {
      words.append("dropped: \(reason)")
    }
    return words
  }

  // MARK: Differences

  /// The words that are new, and what has ended.
  static func changes(_ after: [String], _ before: [String]) -> [String] {
    guard after != before else { return [] }
    if after == ["no road"] || before == ["no road"] { return after }
    let names = Set(after.map(name))
    let new = after.filter { !before.contains($0) }
    // A road that is closed has no speed: that goes without saying.
    if after.contains("access: no") { return new.map(shown) }
    let gone = before.filter {
      !after.contains($0) && !names.contains(name($0)) && $0 != "access: no"
    }
    return new.map(shown) + gone.map(ended)
  }

  /// What a word is about: values of one name replace each other.
  private static func name(_ word: String) -> String {
    var rest = word[...]
    for direction in ["along: ", "against: "] where rest.hasPrefix(direction) {
      rest = rest.dropFirst(direction.count)
    }
    if rest.hasPrefix("cannot pass") { return "cannot pass" }
    // Time on a road that is not taken has no cost of its own.
    if rest == refused { return "cost" }
    return rest.split(separator: ":").first.map(String.init) ?? word
  }

  private static let refused = "only where nothing else leads there"

  /// Access and speed are plain without their names.
  private static func shown(_ word: String) -> String {
    for name in ["access: ", "speed: "] where word.hasPrefix(name) {
      return String(word.dropFirst(name.count))
    }
    return word
  }

  private static func ended(_ word: String) -> String {
    switch word {
    case "cannot pass": return "can pass"
    case "pays toll": return "pays no toll"
    default: return word.contains(": ") ? "no fixed \(name(word))" : "not \(word)"
    }
  }
}

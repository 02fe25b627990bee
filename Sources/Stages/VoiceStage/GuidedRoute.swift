import Speech

/// What voice needs of the active route.
struct GuidedRoute: Codable, Hashable, Sendable {
  var id: String
  var isOnFoot: Bool
  /// A bicycle is slow whatever the limit for cars.
  var isBicycle: Bool
  /// From the departure to the arrival.
  var maneuvers: [GuidedManeuver]

  /// How a section ends: `.arrive` or `.arriveOffRoad`; nil for a section that there is none of.
  func arrival(ofSection section: Int) -> SpokenAction? {
    let arrivals = maneuvers.lazy.map(\.words.action).filter { action in
      switch action {
      case .arrive, .arriveOffRoad: true
      default: false
      }
    }
    return arrivals.dropFirst(max(0, section)).first
  }

  func index(ofKey key: String) -> Int? { maneuvers.firstIndex { $0.key == key } }
}

/// One maneuver of the route, ready to be said.
struct GuidedManeuver: Codable, Hashable, Sendable {
  /// The same place and action have the same key on every route that leads over it, so that a
  /// refreshed or better route repeats nothing; passes of one place are told apart from the end.
  var key: String
  var words: ManeuverWords
  var isDeparture: Bool
  /// The road that one is on after it.
  var road: RoadName { words.onto }
  /// Metres from the start of the route.
  var offsetM: Double
}

extension GuidedRoute {
  /// Keys by place and action: `4710000,950000,right#0`, the number counted from the route's end.
  static func keys(of places: [String]) -> [String] {
    var passes: [String: Int] = [:]
    return Array(
      places.reversed().map { place in
        let pass = passes[place, default: 0]
        passes[place] = pass + 1
        return "\(place)#\(pass)"
      }.reversed())
  }
}

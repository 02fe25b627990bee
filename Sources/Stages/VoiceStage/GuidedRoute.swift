import Speech

/// What voice needs of the active route.
struct GuidedRoute: Codable, Hashable, Sendable {
  var id: String
  var isOnFoot: Bool
  /// A bicycle is slow whatever the limit for cars.
  var isBicycle: Bool
  /// Traffic has closed a road of it, and not only where it ends.
  var isClosed = false
  /// From the departure to the arrival.
  var maneuvers: [GuidedManeuver]
  /// Where it is in tunnels, metres from its start; nil where the route does not tell.
  var tunnels: [ClosedRange<Double>]?

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
  /// The road that most of the way to the next maneuver bears; unknown where none does.
  var along: RoadName
  /// That way is by ferry.
  var isAboard = false
  /// Metres from the start of the route.
  var offsetM: Double
  /// Direction of travel after it, clockwise from true north.
  var bearingDeg: Double
  /// Metres before it at which other exits of a roundabout are passed in which the route begins; nil elsewhere.
  var exitsBeforeM: [Double]?
  /// How a departure goes on from the stop before it; nil elsewhere.
  var leaving: Leaving?

  /// The way on after a stop, compared to the way to it.
  enum Leaving: String, Codable, Hashable, Sendable {
    case straight
    /// Onto another road at the stop, or round a corner.
    case aside
    /// Back over the road to the stop.
    case back
  }

  /// The kinds of announcements that are worth a sentence; nil: all that the listener wants.
  ///
  /// A road that goes on under another name is no turn, and aboard a ferry there is nothing to get ready for.
  func kinds(of wanted: Set<AnnouncementKind>) -> Set<AnnouncementKind>? {
    let worth: Set<AnnouncementKind>
    switch words.action {
    case .follow: worth = [.range, .distance]
    case .leaveFerry: worth = [.action]
    default: return nil
    }
    return worth.isDisjoint(with: wanted) ? nil : worth
  }

  /// Whether it may share a sentence with the maneuver before or after it.
  var mayJoin: Bool {
    switch words.action {
    case .follow, .leaveFerry: false
    default: true
    }
  }

  /// The words at a distance from it: within a roundabout the exits that are still to be passed are counted.
  func words(atM remainingM: Double?) -> ManeuverWords {
    guard let exitsBeforeM, let remainingM else { return words }
    var counted = words
    counted.action = .roundaboutExit(1 + exitsBeforeM.count { $0 <= remainingM })
    return counted
  }
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

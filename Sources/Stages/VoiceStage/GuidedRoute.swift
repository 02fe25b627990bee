import Speech

/// The data of the active route that voice needs.
struct GuidedRoute: Codable, Hashable, Sendable {
  var id: String
  var isOnFoot: Bool
  /// A bicycle is slow whatever the limit for cars is.
  var isBicycle: Bool
  /// Whether traffic has closed a road of the route, other than at its end.
  var isClosed = false
  /// The maneuvers from the departure to the arrival.
  var maneuvers: [GuidedManeuver]
  /// Tunnels of the route, in metres from its start; nil if the route contains no spans.
  var tunnels: [ClosedRange<Double>]?

  /// Returns how a section ends: `.arrive` or `.arriveOffRoad`; nil if there is no such section.
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

  /// Returns the last maneuver before the one at `index` that is announced; nil if there is none.
  func announced(before index: Int) -> GuidedManeuver? {
    maneuvers[..<index].last { !$0.isPlain }
  }
}

/// One maneuver of the route with the data for its announcements.
struct GuidedManeuver: Codable, Hashable, Sendable {
  /// Key of the place and action, the same on every route that contains them.
  ///
  /// Therefore a refreshed or better route repeats nothing. Repeated passes of one place are
  /// numbered from the end.
  var key: String
  var words: SpokenManeuver
  var isDeparture: Bool
  /// Name and number of most of the stretch to the next maneuver; unknown if there is none.
  var along: RoadName
  /// Whether the maneuver is a change of name that is obvious to drivers and therefore not
  /// announced.
  var isPlain = false
  /// Metres before the maneuver over which the route already follows the road onto which it leads;
  /// nil if unknown.
  var keepsRoadM: Double?
  /// Whether that stretch is by ferry.
  var isAboard = false
  /// Metres from the start of the route.
  var offsetM: Double
  /// Direction of travel after the maneuver, in degrees clockwise from true north.
  var bearingDeg: Double
  /// Distances before the maneuver at which other exits are passed, in metres.
  ///
  /// The value is nil unless the route begins in the roundabout.
  var exitsBeforeM: [Double]?
  /// Direction in which a departure leaves the preceding stop; nil for other maneuvers.
  var leaving: Leaving?

  /// Direction of the route after a stop, compared with the direction before it.
  enum Leaving: String, Codable, Hashable, Sendable {
    case straight
    /// Onto another road at the stop, or around a corner.
    case aside
    /// Back along the road that led to the stop.
    case back
  }

  /// Kinds of announcements that are useful for this maneuver; nil: all wanted kinds.
  ///
  /// A road that continues under another name is no turn, and leaving a ferry needs no preparation.
  func kinds(of wanted: Set<AnnouncementKind>) -> Set<AnnouncementKind>? {
    let worth: Set<AnnouncementKind>
    switch words.action {
    case .follow: worth = [.range, .distance]
    case .leaveFerry: worth = [.action]
    default: return nil
    }
    return worth.isDisjoint(with: wanted) ? nil : worth
  }

  /// Whether the maneuver may share a sentence with the maneuver before or after it.
  var mayJoin: Bool {
    switch words.action {
    case .follow, .leaveFerry: false
    default: true
    }
  }

  /// Words for the maneuver at a distance before it, in metres.
  ///
  /// Within a roundabout, the exits that are still to be passed are counted. The vehicle stays on a road only if
  /// it is on that road already.
  func words(atM remainingM: Double?) -> SpokenManeuver {
    guard let remainingM else { return words }
    var here = words
    if let exitsBeforeM {
      here.action = .roundaboutExit(1 + exitsBeforeM.count { $0 <= remainingM })
    }
    if let keepsRoadM, keepsRoadM < remainingM - Self.nearM { here.staysOnRoad = false }
    return here
  }

  /// A road that begins this soon after an announcement counts as the road of the vehicle, metres.
  private static let nearM = 50.0
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

import Speech

/// The occasion of an announcement, kept from the request until it is spoken.
struct AnnouncementContext: Codable, Hashable, Sendable {
  var kind: Kind
  var maneuver: AboutManeuver?
  /// The threshold that was reached, or the event that happened.
  var rule: String

  /// `rule` describes briefly why the announcement is made now.
  init(_ kind: Kind, maneuver: AboutManeuver? = nil, rule: String) {
    self.kind = kind
    self.maneuver = maneuver
    self.rule = rule
  }

  struct AboutManeuver: Codable, Hashable, Sendable {
    var routeID: String
    var index: Int
    var wording: ManeuverDetail
    var joinedIndex: Int?
  }

  enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case range
    case reminder
    case distance
    case action
    case continueFor = "continue"
    case depart
    case arrive
    case offRoad = "off_road"
    case deviation
    case reroute
    case betterRoute = "better_route"
    case speed
    case warning
    case locationLost = "location_lost"
    case locationFound = "location_found"
    case tunnel
    case repetition = "repeat"

    init(_ kind: AnnouncementKind) {
      switch kind {
      case .range: self = .range
      case .reminder: self = .reminder
      case .distance: self = .distance
      case .action: self = .action
      }
    }

    var priority: Priority {
      switch self {
      case .action, .repetition: .urgent
      case .distance, .depart, .arrive, .offRoad, .deviation, .reroute, .speed, .warning: .high
      case .range, .reminder, .betterRoute: .normal
      case .continueFor, .locationLost, .locationFound, .tunnel: .low
      }
    }

    /// Rule for when an announcement of this kind repeats a recent one.
    var repetition: Repetition {
      switch self {
      case .action, .depart, .arrive, .offRoad: .never
      case .range, .reminder, .distance, .continueFor: .bySubject
      case .deviation, .reroute, .betterRoute, .speed, .warning, .locationLost, .locationFound,
        .tunnel, .repetition:
        .byText
      }
    }

    /// Whether the announcement may wait until after an action that is due soon.
    var mayWait: Bool {
      switch self {
      case .speed, .warning, .tunnel, .betterRoute, .locationLost, .locationFound: true
      default: false
      }
    }

    /// Seconds after which the announcement is obsolete.
    var lifeS: Double {
      switch self {
      case .action: 6
      case .distance, .warning, .speed, .tunnel: 6
      case .deviation, .reroute, .locationLost, .repetition: 8
      case .range, .reminder, .continueFor, .depart: 15
      case .arrive, .offRoad, .betterRoute, .locationFound: 20
      }
    }
  }
}

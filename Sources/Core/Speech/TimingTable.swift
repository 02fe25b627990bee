/// The four announcements that a maneuver may get, from the earliest to the most urgent.
public enum AnnouncementKind: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
  case range
  case reminder
  case distance
  case action

  private var urgency: Int {
    switch self {
    case .range: 0
    case .reminder: 1
    case .distance: 2
    case .action: 3
    }
  }

  public static func < (a: Self, b: Self) -> Bool { a.urgency < b.urgency }
}

/// The amount of detail in the announcements of a maneuver.
public enum AnnouncementStyle: String, Codable, Hashable, Sendable, CaseIterable {
  /// Earlier announcements contain more details; the last one contains only the action.
  case standard
  /// The first announcement names the road to follow until the maneuver, and the action names the street.
  case talkative

  public func wording(of kind: AnnouncementKind) -> ManeuverDetail {
    switch kind {
    case .range, .reminder: .full
    case .distance: .shortened
    case .action: self == .talkative ? .named : .terse
    }
  }

  /// The kinds that are announced if none are selected.
  public var defaultKinds: [AnnouncementKind] {
    self == .talkative ? AnnouncementKind.allCases : [.reminder, .distance, .action]
  }

  /// Seconds from the end of the action announcement to the maneuver if none are configured.
  ///
  /// With a street the sentence takes about 3 s, so a talkative one begins about 10 s before the
  /// maneuver.
  public var defaultActionS: Double { self == .talkative ? 7 : 5 }
}

/// The situations with separate distances.
public enum TimingProfile: String, Codable, Hashable, Sendable, CaseIterable {
  /// A limit below 60 km/h.
  case slow
  /// From 60 to below 100 km/h.
  case regular
  case fast
  case pedestrian

  /// The profile of a vehicle under `speedLimitMps` (m/s; infinite if there is none).
  public init(drivingUnder speedLimitMps: Double) {
    switch speedLimitMps * 3.6 {
    case ..<59.99: self = .slow
    case ..<99.99: self = .regular
    default: self = .fast
    }
  }
}

/// The trigger of each kind: a distance or a time, whichever comes first.
public struct TimingRow: Codable, Hashable, Sendable {
  /// Metres and seconds before the maneuver; both 0 for `range`: as soon as it is the next
  /// maneuver.
  public struct Trigger: Codable, Hashable, Sendable {
    public var distanceM: Double
    public var timeS: Double

    public init(distanceM: Double, timeS: Double) {
      self.distanceM = distanceM
      self.timeS = timeS
    }
  }

  public var range = Trigger(distanceM: 0, timeS: 0)
  public var reminder: Trigger
  public var distance: Trigger
  public var action: Trigger
  /// Maneuvers at most this far apart are joined into one sentence, metres.
  public var doubleM: Double
  /// From this distance to the next maneuver on, an instruction to continue is given, metres.
  public var continueM: Double

  public init(
    reminder: Trigger, distance: Trigger, action: Trigger, doubleM: Double, continueM: Double
  ) {
    self.reminder = reminder
    self.distance = distance
    self.action = action
    self.doubleM = doubleM
    self.continueM = continueM
  }

  public subscript(kind: AnnouncementKind) -> Trigger {
    get {
      switch kind {
      case .range: range
      case .reminder: reminder
      case .distance: distance
      case .action: action
      }
    }
    set {
      switch kind {
      case .range: range = newValue
      case .reminder: reminder = newValue
      case .distance: distance = newValue
      case .action: action = newValue
      }
    }
  }
}

/// Why a row of the table was rejected.
public enum TimingError: Error, Codable, Hashable, Sendable {
  /// A value that is not finite, is negative, or is 0 where only a range may be 0.
  case badValue(TimingProfile, AnnouncementKind)
  /// The earlier kind would not come before the later one.
  case badOrder(TimingProfile, AnnouncementKind, AnnouncementKind)

  public var message: String {
    switch self {
    case .badValue(let profile, let kind):
      "announcement times: \(profile.rawValue) \(kind.rawValue) must be above 0 (only range may be 0)"
    case .badOrder(let profile, let early, let late):
      "announcement times: \(profile.rawValue) \(early.rawValue) must lie before \(late.rawValue)"
    }
  }
}

/// The rows of all profiles; an invalid row is rejected and the old one is kept.
public struct TimingTable: Codable, Hashable, Sendable {
  private var rows: [TimingProfile: TimingRow]

  /// The defaults: reminder 40 s, distance 18 s, action 5 s before, with metres by profile.
  public init() {
    rows = Dictionary(
      uniqueKeysWithValues: TimingProfile.allCases.map { ($0, Self.defaultRow(for: $0)) })
  }

  private static func defaultRow(for profile: TimingProfile) -> TimingRow {
    func row(
      reminderM: Double, distanceM: Double, actionM: Double, doubleM: Double, continueM: Double
    ) -> TimingRow {
      TimingRow(
        reminder: .init(distanceM: reminderM, timeS: 40),
        distance: .init(distanceM: distanceM, timeS: 18),
        action: .init(distanceM: actionM, timeS: 5), doubleM: doubleM, continueM: continueM)
    }
    return switch profile {
    case .slow:
      row(reminderM: 600, distanceM: 300, actionM: 50, doubleM: 150, continueM: 2000)
    case .regular:
      row(reminderM: 800, distanceM: 300, actionM: 100, doubleM: 250, continueM: 2500)
    case .fast:
      row(reminderM: 2300, distanceM: 1300, actionM: 400, doubleM: 750, continueM: 5000)
    case .pedestrian:
      row(reminderM: 500, distanceM: 100, actionM: 10, doubleM: 20, continueM: 1000)
    }
  }

  public subscript(profile: TimingProfile) -> TimingRow {
    rows[profile] ?? Self.defaultRow(for: profile)
  }

  /// Sets `row` for `profile`, or rejects it as a whole.
  public mutating func set(_ row: TimingRow, for profile: TimingProfile) throws(TimingError) {
    for kind in AnnouncementKind.allCases {
      let trigger = row[kind]
      let isFinite = trigger.distanceM.isFinite && trigger.timeS.isFinite
      let least = kind == .range ? 0 : Double.leastNormalMagnitude
      guard isFinite, trigger.distanceM >= least, trigger.timeS >= least else {
        throw .badValue(profile, kind)
      }
    }
    var order: [AnnouncementKind] = [.reminder, .distance, .action]
    if row.range.distanceM > 0 || row.range.timeS > 0 { order.insert(.range, at: 0) }
    for (early, late) in zip(order, order.dropFirst()) {
      guard row[early].distanceM > row[late].distanceM, row[early].timeS >= row[late].timeS else {
        throw .badOrder(profile, early, late)
      }
    }
    guard row.doubleM.isFinite, row.doubleM >= 0, row.continueM > 0 else {
      throw .badValue(profile, .action)
    }
    rows[profile] = row
  }
}

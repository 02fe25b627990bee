public import Messages

/// Observations of a stack, in addition to the lists of its broker and the status of its nodes.
///
/// They are messages that were received during a short time, and the calls that programs need.
public struct Evidence: Sendable {
  /// The last stack clock that was received; nil if none was.
  public var clock: StackClock?
  /// The last session (drive) of each vehicle.
  public var sessions: [String: Session] = [:]
  /// Counts of received locations by vehicle, with the reasons for those without a match.
  public var matched: [String: MatchedCount] = [:]
  /// Counters of the broker.
  public var counters: [String: UInt64] = [:]
  /// The last malformed topic name that the broker reported.
  public var invalidTopic: String?
  /// By process: the last swap or change of scale of its node, where that was not carried out.
  public var failedOrders: [String: String] = [:]
  /// Name of the stack, where a launcher reported it.
  public var stack: String?
  /// The processes of the stack, where a launcher reported them.
  public var processes: [WireStackProcess] = [] {
    didSet {
      for process in processes {
        failedOrders[process.name] = process.failedOrder.map {
          "\($0)\(moment(process.failedOrderWallNs))"
        }
      }
    }
  }
  /// Now, by the clock of the machine in nanoseconds since 1970; nil if ages are not known.
  public var wallNS: Int64?
  /// Calls that each program makes, by the name of the program.
  public var calls: [String: [String]] = [:]

  /// Number of received locations, and the reasons why some were not matched to a road.
  public struct MatchedCount: Hashable, Sendable {
    public var all = 0
    public var reasons: [String: Int] = [:]
    /// Latitude of the last unmatched location, degrees.
    public var latDeg: Double?
    /// Longitude of the last unmatched location, degrees.
    public var lonDeg: Double?

    public init() {}

    /// The number of locations without a match.
    var unmatched: Int { reasons.values.reduce(0, +) }

    /// The reason that all locations share; nil if there is none, or fewer than three locations.
    var commonReason: String? {
      guard all >= 3, let most = reasons.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
        most.value == all
      else { return nil }
      return most.key
    }
  }

  /// Whether messages were collected for a short time, so that a missing one was not published.
  public var hasListened = false

  public init() {}

  /// Records a received message.
  public mutating func ingest(_ vehicle: String?, _ leaf: String, _ payload: [UInt8]) {
    guard !payload.isEmpty else { return }
    switch leaf {
    case StackClock.topic: clock = try? StackClock(decoding: payload)
    case Session.topic:
      guard let vehicle, let session = try? Session(decoding: payload) else { return }
      sessions[vehicle] = session
    case LocationMatched.topic:
      guard let vehicle, let location = try? LocationMatched(decoding: payload), !location.estimated
      else { return }
      var count = matched[vehicle] ?? MatchedCount()
      count.all += 1
      if location.state == .noMatch {
        count.reasons[location.reason?.rawValue ?? "no reason", default: 0] += 1
        count.latDeg = location.raw?.latDeg ?? count.latDeg
        count.lonDeg = location.raw?.lonDeg ?? count.lonDeg
      }
      matched[vehicle] = count
    default: break
    }
  }
}

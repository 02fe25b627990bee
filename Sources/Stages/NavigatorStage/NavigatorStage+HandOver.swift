import Foundations
import Guidance
import Messages
import RoadAhead
public import Stage

extension NavigatorStage {
  /// The state that a successor needs to continue guidance with the next location.
  private struct VehicleSnapshot: Codable {
    static let version = 9

    var navigator: Navigator
    var location: [UInt8]?
    var calls: [UInt64: CallKind]
    var clock: EventClock
    var sessions: Int
    var session: [UInt8]?
    var routeBytes: [UInt8]?
    var ahead: RoadAheadMonitor
    var incidents: IncidentsAhead
  }

  public var handOverState: [UInt8]? {
    HandoverCoding.encode(
      VehicleSnapshot(
        navigator: navigator, location: location?.encoded(), calls: calls, clock: clock,
        sessions: sessions, session: session?.encoded(), routeBytes: routeBytes, ahead: ahead,
        incidents: incidents),
      version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    do {
      location = try whole.location.map { (bytes) throws(DecodeError) in
        try LocationMatched(decoding: bytes)
      }
      session = try whole.session.map { (bytes) throws(DecodeError) in
        try Session(decoding: bytes)
      }
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the transferred state: \(error.message)")
    }
    navigator.goOn(from: whole.navigator)
    calls = whole.calls
    clock = whole.clock
    sessions = whole.sessions
    routeBytes = whole.routeBytes
    ahead = whole.ahead
    incidents = whole.incidents
    proposals.keep(navigator.memory)
  }
}

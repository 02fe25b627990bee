import Foundations
import Guidance
import Messages
import RouteWire
public import Stage

extension DynamicRoutingStage {
  /// The state that a successor needs to continue watching.
  private struct VehicleSnapshot: Codable {
    static let version = 6

    var poller: RoutePoller
    var underWay: Check?
    var clock: EventClock
    var nextToken: UInt64
  }

  public var handOverState: [UInt8]? {
    HandoverCoding.encode(
      VehicleSnapshot(poller: poller, underWay: underWay, clock: clock, nextToken: nextToken),
      version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    // The poller settings belong to this process.
    let settings = poller.settings
    poller = whole.poller
    poller.settings = settings
    underWay = whole.underWay
    clock = whole.clock
    nextToken = whole.nextToken
    plannedBytes = poller.planned?.wire.encoded()
  }
}

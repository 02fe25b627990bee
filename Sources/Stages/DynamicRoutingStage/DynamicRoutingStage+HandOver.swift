import EventTime
import Guidance
import MessagePack
import Messages
import RouteWire
public import Stage

extension DynamicRoutingStage {
  /// The state that a successor needs to continue watching.
  private struct Whole: Codable {
    static let version = 6

    var poller: RoutePoller
    var underWay: Check?
    var clock: EventClock
    var nextToken: UInt64
  }

  public var handOverState: [UInt8]? {
    HandOver.encode(
      Whole(poller: poller, underWay: underWay, clock: clock, nextToken: nextToken),
      version: Whole.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandOver.decode(Whole.self, from: state, version: Whole.version)
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

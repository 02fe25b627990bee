import Foundations
import Positioning
public import Stage

extension LocationStage {
  /// The state that a successor needs to publish the next fix exactly as this stage would.
  private struct VehicleSnapshot: Codable {
    static let version = 3

    var now: Instant
    var run: UInt64
    var rate: Double
    var isPaused: Bool
    var hasStarted: Bool
    var wasRestored: Bool
    var isHeld: Bool
    var isHeard: Bool
    var nextSimulated: Instant
    var nextTick: Instant
    var line: FixTimeline
    var lag: FixLagDetector?
    var drive: RouteSimulator.Drive?
    var receiver: NoisyReceiver?
    /// Index of the next fix of a recording.
    var nextFix: Int?
  }

  public var handOverState: [UInt8]? {
    var whole = VehicleSnapshot(
      now: now, run: run, rate: rate, isPaused: isPaused, hasStarted: hasStarted,
      wasRestored: wasRestored, isHeld: isHeld, isHeard: isHeard, nextSimulated: nextSimulated,
      nextTick: nextTick, line: line, lag: lag)
    switch source {
    case .simulator(let simulator, let receiver):
      whole.drive = simulator.drive
      whole.receiver = receiver
    case .replay(let replay): whole.nextFix = replay.next
    case .external: break
    }
    return HandoverCoding.encode(whole, version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    switch source {
    case .simulator(var simulator, let own):
      guard let drive = whole.drive, var receiver = whole.receiver else { throw Self.isOther }
      simulator.goOn(with: drive)
      receiver.settings = own.settings
      source = .simulator(simulator, receiver)
    case .replay(var replay):
      guard let next = whole.nextFix else { throw Self.isOther }
      replay.goOn(with: next)
      source = .replay(replay)
    case .external:
      guard whole.drive == nil, whole.nextFix == nil else { throw Self.isOther }
    }
    now = whole.now
    run = whole.run
    rate = whole.rate
    isPaused = whole.isPaused
    hasStarted = whole.hasStarted
    wasRestored = whole.wasRestored
    isHeld = whole.isHeld
    isHeard = whole.isHeard
    nextSimulated = whole.nextSimulated
    nextTick = whole.nextTick
    line = whole.line
    lag = whole.lag
  }

  private static let isOther = Refusal(
    reason: "other_source", message: "the transferred state belongs to another kind of source")
}

import Foundations
import Messages
import Stage

/// Sets the stack's clock and admits vehicles.
///
/// Vehicles leave by themselves: which vehicles drive at a moment depends only on that moment.
struct Dispatcher: Sendable {
  var settings: FleetSettings
  private var now: Instant?
  private var nextTick = Instant(nanoseconds: 0)
  /// The number of the newest admitted vehicle.
  private var newest = 0
  private var wasRestored = false
  /// Number of vehicles that may join by now, with the fraction carried over.
  private var allowance = 0.0

  /// A tenth of a second: new vehicles come in small groups.
  static let tickS = 0.1

  init(settings: FleetSettings) { self.settings = settings }

  mutating func wake(at woken: Instant) -> [StageOutput] {
    let before = now
    var outputs: [StageOutput] = []
    if let before {
      now = max(before, woken)
    } else {
      // The machine's time carries no information about a stack that has just started.
      now = settings.start
    }
    // Other clocks continued while this stage was down; the reported time must not be earlier than
    // theirs.
    if wasRestored, let last = before, woken > last { now = woken }
    wasRestored = false
    guard let now else { return [] }
    if now >= nextTick {
      nextTick = now.advanced(bySeconds: 1)
      outputs.append(.setClock(now: now, rate: settings.rate, isPaused: false, run: 1))
    }
    outputs += joiners(at: now, elapsedS: before.map { now.seconds(since: $0) } ?? Self.tickS)
    outputs.append(.wake(at: now.advanced(bySeconds: Self.tickS)))
    return outputs
  }

  private mutating func joiners(at now: Instant, elapsedS: Double) -> [StageOutput] {
    let wanted = settings.driving(at: now)
    newest = max(newest, wanted.lowerBound - 1)
    // Unused admissions are not saved up: a long wait must not end in a rush.
    allowance =
      allowance.truncatingRemainder(dividingBy: 1)
      + Double.minimum(elapsedS, 1) * settings.joinsPerS
    let count = min(Int(allowance), wanted.upperBound - newest)
    guard count > 0 else { return [] }
    let joining = (newest + 1)...(newest + count)
    newest += count
    return [.count("vehicles_joined", count)] + joining.map { .admit(vehicle: settings.name($0)) }
  }

  // MARK: State

  var saved: [UInt8]? {
    now.map { WireFleetState(nowNs: $0.nanoseconds).encoded() }
  }

  mutating func restore(_ state: [UInt8]) throws(Refusal) {
    now = Instant(nanoseconds: try WireFleetState(savedState: state).nowNs)
    wasRestored = true
  }
}

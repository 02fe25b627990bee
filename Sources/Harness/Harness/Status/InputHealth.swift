import Foundations
import Messages
import Stage

/// The health of a node's inputs, by the rates in message headers and in Protocols/.
///
/// It is judged in event time: a drive at ten times the speed has the same result, and nothing ages
/// while the clock is paused. Silence must also last a second of the machine's time, so that a fast
/// drive on a busy machine is not a fault. It has no clock of its own: times are passed in.
struct InputHealth {
  typealias Verdict = WireSubscriptionStatus.Health

  /// The state of one input at a moment.
  struct Finding: Hashable {
    /// nil if nothing is expected of it.
    var verdict: Verdict?
    var rateHz: Double?
    var expectHz: Double?
    var silenceS: Double?
    /// The problem, in words that stay the same while the verdict does; nil if there is none.
    var why: String?
  }

  /// An input is slow if its rate is below this share of the promised one.
  static let slowShare = 0.8
  /// Seconds of event time after which an input that never arrived is missing.
  static let patienceS = 5.0
  static let patienceNS: Int64 = 2_000_000_000
  /// Minimum silence in the machine's time, in nanoseconds.
  static let silenceNS: Int64 = 1_000_000_000
  /// Maximum number of vehicles that are judged singly.
  ///
  /// For more, and for vehicles that join and leave, only silence of all is judged.
  static let maximumVehicles = 100

  private struct Input {
    var expectS: Double
    var staleS: Double
    var isPausing: Bool
    var paces: [String: InputTiming] = [:]
    var refusedSince = false
    /// The reported verdict, and its description.
    var reported: (verdict: Verdict?, why: String?) = (nil, nil)
  }

  /// Inputs without which the node cannot do its work.
  let required: Set<String>
  private let isOpen: Bool
  private var inputs: [String: Input] = [:]
  /// The time at which stack time became known.
  private var began: (stack: Instant, at: Int64)?

  /// `vehicles` is the number of vehicles that the node serves; 0 for any.
  init(inputs leaves: [String], required: [String], vehicles: Int, wiring: Wiring = Wiring()) {
    self.required = Set(required)
    isOpen = vehicles == 0 || vehicles > Self.maximumVehicles
    for leaf in leaves {
      guard let topic = Topics.declaration(of: wiring.inStage(leaf)), let hz = topic.expectHz,
        hz > 0, let staleS = topic.staleS
      else { continue }
      inputs[leaf] = Input(expectS: 1 / hz, staleS: staleS, isPausing: topic.isPausing)
    }
  }

  /// Whether any input has a rate.
  var isEmpty: Bool { inputs.isEmpty }

  /// Records a message that the node could use; `nextMS` is the promise in its header.
  mutating func heard(
    _ leaf: String, vehicle: String?, stamp: Instant, nextMS: UInt32?, stackNow: Instant?,
    atNS: Int64
  ) {
    guard var input = inputs.removeValue(forKey: leaf) else { return }
    defer { inputs[leaf] = input }
    let nextS = nextMS.map { $0 == 0 ? nil : Double($0) / 1_000 } ?? input.expectS
    let key = isOpen ? "" : vehicle ?? ""
    let stackNow = stackNow ?? stamp
    if var pace = input.paces.removeValue(forKey: key) {
      pace.ingest(stamp: stamp, nextS: nextS, stackNow: stackNow, atNS: atNS)
      input.paces[key] = pace
    } else {
      input.paces[key] = InputTiming(stamp: stamp, nextS: nextS, stackNow: stackNow, atNS: atNS)
    }
    input.refusedSince = false
  }

  /// Records a message that the node could not use.
  mutating func refused(_ leaf: String) { inputs[leaf]?.refusedSince = true }

  /// Forgets earlier messages, because the clock was set.
  mutating func reset() {
    began = nil
    for leaf in inputs.keys { inputs[leaf]?.paces = [:] }
  }

  /// Judges each input with a rate; `vehicles` are those that the node serves.
  ///
  /// They are ignored if the node serves any vehicle.
  mutating func judge(
    _ vehicles: [String], stackNow: Instant?, atNS: Int64
  ) -> [String: Finding] {
    if began == nil, let stackNow { began = (stackNow, atNS) }
    var findings: [String: Finding] = [:]
    for leaf in inputs.keys {
      findings[leaf] = judge(leaf, isOpen ? [""] : vehicles, stackNow, atNS)
    }
    return findings
  }

  private mutating func judge(
    _ leaf: String, _ vehicles: [String], _ stackNow: Instant?, _ atNS: Int64
  ) -> Finding {
    guard let input = inputs[leaf] else { return Finding() }
    var worst = Finding()
    for vehicle in vehicles {
      var finding = self.finding(input, vehicle, stackNow, atNS)
      if vehicles.count > 1, let why = finding.why { finding.why = "\(why), vehicle \(vehicle)" }
      if vehicle == vehicles.first || Self.rank(finding) > Self.rank(worst) { worst = finding }
    }
    if worst.why != nil, input.refusedSince {
      worst.verdict = .invalid
      worst.why = "invalid (its messages are refused)"
    }
    // The description of a problem stays the same, so that new figures are not reported as news.
    if worst.verdict == input.reported.verdict, worst.why != nil, let why = input.reported.why {
      worst.why = why
    }
    inputs[leaf]?.reported = (worst.verdict, worst.why)
    return worst
  }

  private func finding(
    _ input: Input, _ key: String, _ stackNow: Instant?, _ atNS: Int64
  ) -> Finding {
    guard let pace = input.paces[key] else { return absence(input, stackNow, atNS) }
    var finding = Finding(verdict: .ok, expectHz: pace.nextS.map { 1 / $0 })
    // The stamps of different vehicles give no rate, so only their silence is judged.
    if !isOpen, let rates = pace.rates {
      finding.rateHz = rates.hz
      finding.expectHz = rates.promisedHz
    }
    let silenceS = max(0, stackNow?.seconds(since: pace.heard.stack) ?? 0)
    finding.silenceS = silenceS
    if let nextS = pace.nextS {
      // As many messages may be missing as at the rate of the topic's declaration.
      let limitS = max(input.staleS, nextS * input.staleS / input.expectS)
      if silenceS > limitS, atNS - pace.heard.at > Self.silenceNS {
        guard !input.isPausing else { return Finding() }
        finding.verdict = .stale
        finding.why =
          "stale (no message for \(Self.text(limitS)) s, expected every \(Self.text(nextS)) s)"
        return finding
      }
    }
    if let hz = finding.rateHz, let promisedHz = finding.expectHz,
      hz < Self.slowShare * promisedHz
    {
      finding.verdict = .slow
      finding.why = "slow (\(Self.text(hz)) of \(Self.text(promisedHz)) Hz)"
    }
    return finding
  }

  private func absence(_ input: Input, _ stackNow: Instant?, _ atNS: Int64) -> Finding {
    guard !input.isPausing else { return Finding() }
    var finding = Finding(verdict: .never, expectHz: 1 / input.expectS)
    // If any vehicle is served, none is missing before its first message.
    if !isOpen, let began, let stackNow, atNS - began.at > Self.patienceNS,
      stackNow.seconds(since: began.stack) > max(Self.patienceS, input.staleS)
    {
      finding.why = "missing (no message yet)"
    }
    return finding
  }

  /// The rank of a finding; the highest one is reported if vehicles differ.
  private static func rank(_ finding: Finding) -> Int {
    switch finding.verdict {
    case .stale where finding.why != nil: 4
    case .slow: 3
    case .never where finding.why != nil: 2
    case .never: 1
    default: 0
    }
  }

  /// A figure for people: about three digits, without trailing zeros after the decimal point.
  static func text(_ value: Double) -> String {
    guard value < 100 else { return "\(Int(value.rounded()))" }
    let tenths = (value * 10).rounded() / 10
    if value < 1 { return "\((value * 100).rounded() / 100)" }
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

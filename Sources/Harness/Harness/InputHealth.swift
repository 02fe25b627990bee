import EventTime
import Messages
import Stage

/// How the inputs of a node are, by the rates that messages and Protocols/ tell.
///
/// Judged in event time: a drive at ten times the speed is judged the same, and while the clock
/// stands nothing grows old. Silence must also last a second of the machine's time, since a fast
/// drive must not make a fault of a busy machine. No clock of its own: times come in.
struct InputHealth {
  typealias Verdict = WireSubscriptionStatus.Health

  /// What is known of one input at a moment.
  struct Finding: Hashable {
    /// nil where nothing is to be expected of it.
    var verdict: Verdict?
    var rateHz: Double?
    var expectHz: Double?
    var silenceS: Double?
    /// What is the matter, in words that hold as long as the verdict does; nil where all is well.
    var why: String?
  }

  /// An input is slow that has less than this share of what was promised.
  static let slowShare = 0.8
  /// What has never come is missed after so many seconds of event time.
  static let patienceS = 5.0
  static let patienceNS: Int64 = 2_000_000_000
  /// Silence counts from so much of the machine's time.
  static let silenceNS: Int64 = 1_000_000_000
  /// Vehicles that are judged one by one; of more, and of vehicles that come and go, only whether
  /// any is heard.
  static let maximumVehicles = 100

  private struct Input {
    var expectS: Double
    var staleS: Double
    var isPausing: Bool
    var paces: [String: InputPace] = [:]
    var refusedSince = false
    /// The verdict that was told, and its words.
    var told: (verdict: Verdict?, why: String?) = (nil, nil)
  }

  /// Inputs without which the node cannot do its work.
  let required: Set<String>
  private let isOpen: Bool
  private var inputs: [String: Input] = [:]
  /// When time was known first.
  private var began: (stack: Instant, at: Int64)?

  /// `vehicles`: how many the node was told to serve; 0 for any.
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

  /// Takes note of a message that the node could use; `nextMS` is what its header promises.
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
      pace.hear(stamp: stamp, nextS: nextS, stackNow: stackNow, atNS: atNS)
      input.paces[key] = pace
    } else {
      input.paces[key] = InputPace(stamp: stamp, nextS: nextS, stackNow: stackNow, atNS: atNS)
    }
    input.refusedSince = false
  }

  /// Takes note of a message that the node could not use.
  mutating func refused(_ leaf: String) { inputs[leaf]?.refusedSince = true }

  /// The clock was set: what was heard before says nothing of now.
  mutating func reset() {
    began = nil
    for leaf in inputs.keys { inputs[leaf]?.paces = [:] }
  }

  /// What is to be said now of each input with a rate; `vehicles` are those that the node serves,
  /// which do not count where it was told to serve any.
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
      worst.why = "invalid (what comes is refused)"
    }
    // One trouble has one wording, or each new figure of it would be news.
    if worst.verdict == input.told.verdict, worst.why != nil, let why = input.told.why {
      worst.why = why
    }
    inputs[leaf]?.told = (worst.verdict, worst.why)
    return worst
  }

  private func finding(
    _ input: Input, _ key: String, _ stackNow: Instant?, _ atNS: Int64
  ) -> Finding {
    guard let pace = input.paces[key] else { return absence(input, stackNow, atNS) }
    var finding = Finding(verdict: .ok, expectHz: pace.nextS.map { 1 / $0 })
    // Between the stamps of different vehicles there is no rate; of those only silence is judged.
    if !isOpen, let rates = pace.rates {
      finding.rateHz = rates.hz
      finding.expectHz = rates.promisedHz
    }
    let silenceS = max(0, stackNow?.seconds(since: pace.heard.stack) ?? 0)
    finding.silenceS = silenceS
    if let nextS = pace.nextS {
      // As many messages may fail as may at the page's rate.
      let limitS = max(input.staleS, nextS * input.staleS / input.expectS)
      if silenceS > limitS, atNS - pace.heard.at > Self.silenceNS {
        guard !input.isPausing else { return Finding() }
        finding.verdict = .stale
        finding.why =
          "stale (nothing for \(Self.text(limitS)) s, expected each \(Self.text(nextS)) s)"
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
    // Where any vehicle is served none is missed before it has come.
    if !isOpen, let began, let stackNow, atNS - began.at > Self.patienceNS,
      stackNow.seconds(since: began.stack) > max(Self.patienceS, input.staleS)
    {
      finding.why = "missing (nothing has ever come)"
    }
    return finding
  }

  /// Which of two findings is told where vehicles differ.
  private static func rank(_ finding: Finding) -> Int {
    switch finding.verdict {
    case .stale where finding.why != nil: 4
    case .slow: 3
    case .never where finding.why != nil: 2
    case .never: 1
    default: 0
    }
  }

  /// A figure as people write it: three digits, no zeros behind the point.
  static func text(_ value: Double) -> String {
    guard value < 100 else { return "\(Int(value.rounded()))" }
    let tenths = (value * 10).rounded() / 10
    if value < 1 { return "\((value * 100).rounded() / 100)" }
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

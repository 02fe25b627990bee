import MessagePack
public import StackFile

/// An observed message, reduced to what a check needs.
public struct ObservedMessage: Hashable, Sendable {
  /// Topic with the vehicle.
  public var topic: String
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  public var stampNS: Int64
  /// Whether it was repeated, and is therefore no evidence of a gap.
  public var isLatched: Bool
  public var payload: [UInt8]

  public init(
    topic: String, source: String, run: UInt64, sequence: UInt64, stampNS: Int64,
    isLatched: Bool = false, payload: [UInt8] = []
  ) {
    self.topic = topic
    self.source = source
    self.run = run
    self.sequence = sequence
    self.stampNS = stampNS
    self.isLatched = isLatched
    self.payload = payload
  }
}

/// Checks the messages observed on the bus against what a stack file expects.
public struct Expectations: Hashable, Sendable {
  /// The result of one expectation.
  public struct Verdict: Hashable, Sendable {
    /// Topic with the vehicle.
    public var topic: String
    /// What was expected: `ego/location/matched rate >= 0.5 Hz`.
    public var text: String
    public var isMet: Bool
    /// What was observed: `0.21 Hz`, `no message`.
    public var seen: String
  }

  struct Watch: Hashable, Sendable {
    var expectation: Expectation
    var topic: String
    var fields: [(String, MessagePackValue)] {
      expectation.fields.map { ($0.key.value, $0.value.messagePack) }
    }
    var count = 0
    var firstAtS: Double?
    var lastAtS: Double?
    var firstStampNS: Int64?
    var lost = 0
    var numbers: [Writer: UInt64] = [:]
  }

  struct Writer: Hashable, Sendable {
    var source: String
    var run: UInt64
  }

  private var watches: [Watch]
  private var until: Watch?
  private let startS: Double
  private var newestStampNS = Int64.min

  /// `startS` is the time from which `within` and the check's duration count.
  public init(
    _ expectations: [Expectation], until: Expectation? = nil, vehicle: String, startS: Double
  ) {
    let watch = { (expectation: Expectation) in
      Watch(
        expectation: expectation,
        topic: Self.topic(of: expectation, vehicle: vehicle))
    }
    watches = expectations.map(watch)
    self.until = until.map(watch)
    self.startS = startS
  }

  static func topic(of expectation: Expectation, vehicle: String) -> String {
    let topic = expectation.topic.value
    return topic.hasPrefix("_") ? topic : "\(expectation.vehicle ?? vehicle)/\(topic)"
  }

  /// Topics to subscribe to.
  public var topics: Set<String> { Set((watches + (until.map { [$0] } ?? [])).map(\.topic)) }

  /// Handles a message that arrived at `now`.
  public mutating func observe(_ sighting: ObservedMessage, atS now: Double) {
    newestStampNS = max(newestStampNS, sighting.stampNS)
    for index in watches.indices { watches[index].observe(sighting, now) }
    until?.observe(sighting, now)
  }

  /// Whether the condition for an early end is met and all expectations hold.
  public func isFulfilled(atS now: Double) -> Bool {
    guard let until, until.isCounted else { return false }
    return verdicts(atS: now).allSatisfy(\.isMet)
  }

  /// One verdict for each expected figure, in the order of the file.
  public func verdicts(atS now: Double) -> [Verdict] {
    var verdicts = watches.flatMap { $0.verdicts(now, startS, newestStampNS) }
    if let until { verdicts += until.verdicts(now, startS, newestStampNS) }
    return verdicts
  }
}

extension Expectations.Watch {
  mutating func observe(_ sighting: ObservedMessage, _ now: Double) {
    guard sighting.topic == topic else { return }
    let writer = Expectations.Writer(source: sighting.source, run: sighting.run)
    if !sighting.isLatched {
      if let last = numbers[writer], sighting.sequence > last + 1 {
        lost += Int(clamping: sighting.sequence - last - 1)
      }
      numbers[writer] = max(numbers[writer] ?? 0, sighting.sequence)
    }
    guard matches(sighting.payload) else { return }
    count += 1
    firstAtS = firstAtS ?? now
    lastAtS = now
    firstStampNS = firstStampNS ?? sighting.stampNS
  }

  private func matches(_ payload: [UInt8]) -> Bool {
    let fields = fields
    guard !fields.isEmpty else { return true }
    guard let message = try? MessagePackValue(decoding: payload) else { return false }
    return fields.allSatisfy { path, wanted in message.has(wanted, at: path) }
  }

  var isCounted: Bool {
    (expectation.count ?? Bound(.atLeast, 1, .messages)).holds(for: Double(count))
  }

  func verdicts(_ now: Double, _ startS: Double, _ newestNS: Int64) -> [Expectations.Verdict] {
    var verdicts: [Expectations.Verdict] = []
    let name = topic + expectation.fields.map { " \($0.key.value)=\($0.value.text ?? "")" }.joined()
    let add = { (text: String, isMet: Bool, seen: String) in
      verdicts.append(
        Expectations.Verdict(
          topic: topic, text: "\(name) \(text)", isMet: isMet,
          seen: count == 0 ? "no message" : seen))
    }
    let messages = count == 1 ? "1 message" : "\(count) messages"
    let hasOther = expectation.rate ?? expectation.age ?? expectation.lost != nil
    if expectation.count != nil || !hasOther && expectation.withinS == nil {
      let bound = expectation.count ?? Bound(.atLeast, 1, .messages)
      add("count \(bound.text)", isCounted, messages)
    }
    if let limit = expectation.withinS {
      let cameS = firstAtS.map { $0 - startS }
      add(
        "within \(Figures.duration(seconds: limit))", cameS.map { $0 <= limit } ?? false,
        "the first after \(Figures.duration(seconds: cameS ?? 0))")
    }
    if let bound = expectation.rate {
      let rate = rateHz(newestNS)
      add("rate \(bound.text)", count > 0 && bound.holds(for: rate), "\(Figures.plain(rate)) Hz")
    }
    if let bound = expectation.age {
      let age = lastAtS.map { now - $0 } ?? .infinity
      add("age \(bound.text)", bound.holds(for: age), "\(Figures.plain(age)) s")
    }
    if let bound = expectation.lost {
      add("lost \(bound.text)", count > 0 && bound.holds(for: Double(lost)), "\(lost) lost")
    }
    return verdicts
  }

  /// Messages per second of event time, from the first to the newest moment observed on the bus.
  private func rateHz(_ newestNS: Int64) -> Double {
    guard count > 1, let first = firstStampNS, newestNS > first else { return 0 }
    return Double(count - 1) / (Double(newestNS - first) / 1e9)
  }
}

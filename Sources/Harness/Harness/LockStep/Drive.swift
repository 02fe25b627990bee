import Foundations
public import MessagePack
import Messages
import NodeKit
import Stage

/// A stack's drive from its first call to its end, the same for each conductor.
public struct Drive: Sendable {
  /// A call that is made at the start.
  public struct Call: Sendable {
    public var name: String
    public var payload: [UInt8]
    /// nil for the first vehicle of the stack.
    public var vehicle: String?

    public init(name: String, payload: [UInt8], vehicle: String? = nil) {
      self.name = name
      self.payload = payload
      self.vehicle = vehicle
    }
  }

  /// The messages that end the drive.
  public struct End: Sendable {
    /// Topic without the vehicle.
    public var topic: String
    /// nil for any vehicle.
    public var vehicle: String?
    /// Required fields of the payload, with their values; a path leads into maps:
    /// `position.lat_deg`.
    public var fields: [MessagePackValue.Entry]
    /// The number of such messages that ends the drive.
    public var count: Int

    public init(
      topic: String, vehicle: String? = nil, fields: [MessagePackValue.Entry] = [], count: Int = 1
    ) {
      self.topic = topic
      self.vehicle = vehicle
      self.fields = fields
      self.count = count
    }

    func matches(_ message: PublishedMessage) -> Bool {
      let isOfSystem = topic.hasPrefix("_")
      guard message.topic == topic,
        isOfSystem || vehicle == nil || vehicle == message.vehicle
      else { return false }
      guard !fields.isEmpty else { return true }
      guard let payload = try? MessagePackValue(decoding: message.payload) else { return false }
      return fields.allSatisfy { payload.has($0.value, at: $0.key) }
    }
  }

  public var start: [Call]
  /// nil for a drive that ends when no events are left.
  public var until: End?
  /// Seconds of stack time, from the first position on, after which the drive has failed.
  public var limitS: Double

  public init(start: [Call] = [], until: End? = nil, limitS: Double = 14_400) {
    self.start = start
    self.until = until
    self.limitS = limitS
  }

  /// Conducts the drive to its end; returns nil if it ended as intended, or a sentence.
  ///
  /// `isStopped` is called at each message; true ends the drive.
  public func run(_ conductor: Conductor, isStopped: @escaping () -> Bool = { false }) -> String? {
    // A driver knows the traffic before departure, so stages first publish what they know by
    // themselves.
    var length = DriveLength()
    var count = 0
    let take = { (message: PublishedMessage) in
      length.record(message)
      if let until, until.matches(message) { count += 1 }
    }
    if !start.isEmpty, let end = conductor.settleStart(onMessage: take) {
      return Self.sentence(of: end)
    }
    var failure: String?
    for call in start {
      conductor.call(call.name, payload: call.payload, vehicle: call.vehicle) { outcome in
        guard case .failed(let error) = outcome, failure == nil else { return }
        failure = "\(call.name): \(error.code): \(error.message)"
      }
    }
    let end = conductor.run { message in
      take(message)
      if let until, count >= until.count { return true }
      return failure != nil || length.seconds > limitS || isStopped()
    }
    if let failure { return failure }
    if let sentence = Self.sentence(of: end) { return sentence }
    guard let until, count < until.count else { return nil }
    let seen = until.count > 1 ? " \(until.count) times, but \(count) times" : ""
    return "\(until.topic) did not arrive\(seen) (the run ended: \(end))"
  }

  /// The reason why a run ended too early; nil for an end that may be intended.
  private static func sentence(of end: Conductor.End) -> String? {
    switch end {
    case .lost(let lost): "\(lost.node) was lost: \(lost.reason)"
    case .stuck: "the stages keep sending each other messages while time stands still"
    case .condition, .timeLimit, .idle: nil
    }
  }
}

/// Measures the stack time since the first position in seconds, across restarts of the clock.
private struct DriveLength {
  private(set) var seconds = 0.0
  private var last: Instant?
  private var hasClock = false

  /// Longest step in seconds that counts; a longer one is a pause in a recording.
  private static let leapS = 3_600.0

  mutating func record(_ message: PublishedMessage) {
    let isClock = message.topic == Contract.clockTopic
    hasClock = hasClock || isClock
    guard let last else {
      if message.topic == LocationRaw.topic { self.last = message.stamp }
      return
    }
    // Other messages may have stamps of the clock's previous run.
    guard isClock || !hasClock else { return }
    let stepS = message.stamp.seconds(since: last)
    if stepS > 0, stepS <= Self.leapS { seconds += stepS }
    if stepS > 0 || isClock { self.last = message.stamp }
  }
}

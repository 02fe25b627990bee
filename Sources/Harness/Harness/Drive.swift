import EventTime
public import MessagePack
import Messages
import NodeKit
import Stage

/// A stack's drive from its first call to its end, the same under each conductor.
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

  /// The message that ends the drive.
  public struct End: Sendable {
    /// Topic without the vehicle.
    public var topic: String
    /// nil for any vehicle.
    public var vehicle: String?
    /// Fields that the payload must have, with their values.
    public var fields: [MessagePackValue.Entry]

    public init(topic: String, vehicle: String? = nil, fields: [MessagePackValue.Entry] = []) {
      self.topic = topic
      self.vehicle = vehicle
      self.fields = fields
    }

    func takes(_ message: PublishedMessage) -> Bool {
      guard message.topic == topic, vehicle == nil || vehicle == message.vehicle,
        let payload = try? MessagePackValue(decoding: message.payload)
      else { return false }
      return fields.allSatisfy { payload[$0.key] == $0.value }
    }
  }

  public var start: [Call]
  /// nil for a drive that ends when nothing is left to happen.
  public var until: End?
  /// Seconds of stack time, from the first position on, after which the drive has gone wrong.
  public var limitS: Double

  public init(start: [Call] = [], until: End? = nil, limitS: Double = 14_400) {
    self.start = start
    self.until = until
    self.limitS = limitS
  }

  /// Conducts the drive to its end; nil where it ended as it should, or a sentence.
  ///
  /// `isStopped` is asked at each message; true ends the drive.
  public func run(_ conductor: Conductor, isStopped: @escaping () -> Bool = { false }) -> String? {
    // A driver knows the traffic when setting out: stages first publish what they know by themselves.
    var length = DriveLength()
    if !start.isEmpty, let end = conductor.settleStart(onMessage: { length.take($0) }) {
      return Self.sentence(of: end)
    }
    var failure: String?
    for call in start {
      conductor.call(call.name, payload: call.payload, vehicle: call.vehicle) { outcome in
        guard case .failed(let error) = outcome, failure == nil else { return }
        failure = "\(call.name): \(error.code): \(error.message)"
      }
    }
    var seen = until == nil
    let end = conductor.run { message in
      length.take(message)
      if let until, until.takes(message) {
        seen = true
        return true
      }
      return failure != nil || length.seconds > limitS || isStopped()
    }
    if let failure { return failure }
    if let sentence = Self.sentence(of: end) { return sentence }
    guard seen else { return "\(until?.topic ?? "the end") did not come (the run ended: \(end))" }
    return nil
  }

  /// Why a run ended too early; nil for an end that may be meant.
  private static func sentence(of end: Conductor.End) -> String? {
    switch end {
    case .lost(let lost): "\(lost.node) was lost: \(lost.reason)"
    case .stuck: "the stages keep each other busy without time going on"
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

  mutating func take(_ message: PublishedMessage) {
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

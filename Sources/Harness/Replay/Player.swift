public import BusProtocol
import Foundations
import Messages
import NodeKit

/// Plays recordings onto a bus: their messages, at their original pace, and the clock.
///
/// It has no thread and never waits: the caller plays what is due.
public final class Player {
  public struct Options: Sendable {
    /// Recorded seconds per second of the machine; nil for as fast as the bus allows.
    public var rate: Double? = 1
    /// Seconds from the recording's start.
    public var startS = 0.0
    /// Seconds from there to the end; nil for everything.
    public var durationS: Double?
    public var isLooping = false
    public var isPaused = false
    /// Replaced topic names without the vehicle.
    public var remap: [String: String] = [:]
    /// Replaced names of vehicles.
    public var vehicles: [String: String] = [:]
    /// Whether a topic, with its vehicle, and its writer take part.
    public var isWanted: @Sendable (_ topic: String) -> Bool = { _ in true }
    /// Sources whose messages are withheld, because live nodes publish them.
    public var replaced: Set<String> = []

    public init() {}
  }

  /// Name under which the clock is published.
  public static let name = "player"

  public private(set) var options: Options
  /// Messages played so far.
  public private(set) var played = 0
  /// Seconds from the recording's start.
  public private(set) var positionS = 0.0
  public private(set) var isOver = false
  public let lengthS: Double

  private let paths: [String]
  private let survey: RecordingSurvey
  private let publish: (Frame) throws -> Void
  private var recording: MergedRecording
  private var pending: MergedRecording.Entry?
  private var startNS: Int64 = 0
  private var endNS: Int64 = .max
  /// Moment of the machine's clock at which a moment of the recording is due.
  private var anchor = (machine: MonotonicTime.now, tapeNS: Int64(0))
  private var clock: RecordingClock
  private let firstRun: UInt64
  private var turns: UInt64 = 0
  private var clockSequence: UInt64 = 0
  private var nextClock = MonotonicTime.now

  /// Opens the recordings, and publishes what was latched at the start.
  ///
  /// - Throws: `ReplayProblem` if one is not a recording.
  public init(
    _ paths: [String], _ survey: RecordingSurvey, _ options: Options, run: UInt64,
    publish: @escaping (Frame) throws -> Void
  ) throws {
    self.paths = paths
    self.survey = survey
    self.options = options
    self.publish = publish
    firstRun = run
    clock = RecordingClock(isDrawn: survey.isConducted)
    lengthS = Double(survey.lastNS - survey.firstNS) / 1e9
    recording = try Self.recording(paths, survey, options)
    startNS = survey.firstNS.addingSaturating(Int64(saturating: options.startS * 1e9))
    if let durationS = options.durationS {
      endNS = startNS.addingSaturating(Int64(saturating: durationS * 1e9))
    }
    try seek(toNS: startNS)
  }

  private static func recording(
    _ paths: [String], _ survey: RecordingSurvey, _ options: Options
  ) throws(ReplayProblem) -> MergedRecording {
    try MergedRecording(paths, isConducted: survey.isConducted) { topic in
      topic == Contract.clockTopic
        || (!topic.hasPrefix("_") && survey.isPlayable(topic) && options.isWanted(topic))
    }
  }

  /// Time of the next message by the machine's clock; nil while time is paused.
  public var due: MonotonicTime? {
    guard let pending, !options.isPaused else { return nil }
    guard let rate = options.rate else { return .now }
    let elapsed = Double(pending.atNS - anchor.tapeNS) / rate
    return MonotonicTime(
      nanoseconds: anchor.machine.nanoseconds.addingSaturating(Int64(saturating: elapsed)))
  }

  /// Plays what is due, at most `limit` messages; the clock once a second.
  public func playDue(limit: Int = 64) throws {
    if nextClock <= .now { try publishClock() }
    for _ in 0..<limit {
      guard let due, due <= .now else { return }
      try step()
    }
  }

  /// Plays the next message, whether it is due or not.
  public func step() throws {
    guard let entry = pending else { return }
    positionS = Double(entry.atNS - survey.firstNS) / 1e9
    if options.isPaused || options.rate == nil { anchor = (.now, entry.atNS) }
    if entry.frame.topic == Contract.clockTopic {
      try handleClockUpdate(entry)
    } else {
      clock.ingest(stampNS: entry.frame.header.stampNS, atNS: entry.atNS)
      try say(entry.frame)
    }
    try readNext()
    guard pending == nil else { return }
    guard options.isLooping else {
      isOver = true
      return
    }
    try seek(toNS: startNS)
  }

  public func togglePause() throws {
    if let pending, !options.isPaused {
      // The position is that of the time, not that of the next message.
      anchor = (.now, min(pending.atNS, tapeNow))
    } else {
      anchor.machine = .now
    }
    options.isPaused.toggle()
    try publishClock()
  }

  /// Moves forward by `seconds`, or back if they are negative.
  public func seek(byS seconds: Double) throws {
    let target = survey.firstNS.addingSaturating(
      Int64(saturating: (positionS + seconds) * 1e9))
    try seek(toNS: min(max(target, startNS), min(endNS, survey.lastNS)))
  }

  private var tapeNow: Int64 {
    guard !options.isPaused, let rate = options.rate else { return anchor.tapeNS }
    let elapsed = Double(MonotonicTime.now.nanoseconds - anchor.machine.nanoseconds)
    return anchor.tapeNS.addingSaturating(Int64(saturating: elapsed * rate))
  }

  /// Moves to a time, with a new run of the clock; first publishes what was latched by then.
  private func seek(toNS target: Int64) throws {
    recording = try Self.recording(paths, survey, options)
    clock = RecordingClock(isDrawn: survey.isConducted)
    turns += 1
    isOver = false
    struct Name: Hashable {
      var topic: String
      var key: String
    }
    var latched: [Name: (place: Int, frame: Frame)] = [:]
    var place = 0
    pending = nil
    while let entry = try recording.next() {
      guard entry.atNS < target else {
        pending = entry
        break
      }
      place += 1
      if entry.frame.topic == Contract.clockTopic {
        clock.ingest(entry.frame, atNS: entry.atNS)
        continue
      }
      clock.ingest(stampNS: entry.frame.header.stampNS, atNS: entry.atNS)
      guard Contract.isState(TopicName.split(entry.frame.topic).leaf) else { continue }
      latched[Name(topic: entry.frame.topic, key: entry.frame.header.key ?? "")] =
        (place, entry.frame)
    }
    anchor = (.now, target)
    positionS = Double(target - survey.firstNS) / 1e9
    try publishClock()
    for value in latched.values.sorted(by: { $0.place < $1.place }) { try say(value.frame) }
    if let pending, pending.atNS > endNS { self.pending = nil }
    isOver = pending == nil
  }

  private func readNext() throws {
    pending = try recording.next()
    if let pending, pending.atNS > endNS { self.pending = nil }
    if let pending,
      pending.atNS.subtractingReportingOverflow(anchor.tapeNS).overflow
        || pending.atNS - max(anchor.tapeNS, tapeNow) > Self.longestPauseNS
    {
      anchor = (.now, pending.atNS)
    }
  }

  /// Longer pauses between two messages are skipped: the clock of the recording was set in between.
  private static let longestPauseNS: Int64 = 366 * 86_400 * 1_000_000_000

  // MARK: What is said

  private func say(_ recorded: Frame) throws {
    guard !options.replaced.contains(recorded.header.source) else { return }
    var frame = recorded
    frame.topic = renamed(recorded.topic)
    // Uses a run that differs from the recorded one and from the last turn: readers would ignore
    // old ones.
    frame.header.run = firstRun + turns
    frame.header.isLatched = false
    frame.header.wallNS = wallClockNS()
    // Only messages have a run.
    if let cause = frame.header.cause, cause.sequence > 0 {
      frame.header.cause?.run = firstRun + turns
    }
    try publish(frame)
    played += 1
  }

  private func renamed(_ topic: String) -> String {
    let (vehicle, leaf) = TopicName.split(topic)
    let name = options.remap[leaf] ?? leaf
    guard let vehicle else { return options.remap[topic] ?? topic }
    return "\(options.vehicles[vehicle] ?? vehicle)/\(name)"
  }

  private func handleClockUpdate(_ entry: MergedRecording.Entry) throws {
    clock.ingest(entry.frame, atNS: entry.atNS)
    try publishClock()
  }

  /// Publishes the time in the recording, once it is known.
  private func publishClock() throws {
    nextClock = MonotonicTime.now.advanced(byMS: 1_000)
    guard !options.replaced.contains(where: survey.setsClock), let now = clock.now(atNS: tapeNow)
    else { return }
    clockSequence += 1
    let payload = Contract.clockPayload(
      now: Instant(nanoseconds: now), rate: clock.rate * (options.rate ?? 1),
      isPaused: options.isPaused, run: firstRun + turns)
    try publish(
      Frame(
        topic: Contract.clockTopic,
        header: Header(
          sequence: clockSequence, stampNS: now, source: Self.name, run: firstRun,
          schema: StackClock.schema, wallNS: wallClockNS()), payload: payload))
  }
}

/// Event time in the recording: from its clock, or from the stamps if it has none.
private struct RecordingClock {
  /// Whether the recording's own time is event time.
  let isDrawn: Bool
  private var base: (nowNS: Int64, atNS: Int64)?
  private var hasSource = false
  private(set) var rate = 1.0

  init(isDrawn: Bool) { self.isDrawn = isDrawn }

  mutating func ingest(_ frame: Frame, atNS: Int64) {
    guard let reported = try? StackClock(decoding: frame.payload) else { return }
    hasSource = true
    base = (reported.nowNs, atNS)
    rate = reported.paused ? 0 : isDrawn ? 1 : reported.rate
  }

  mutating func ingest(stampNS: Int64, atNS: Int64) {
    guard !hasSource, stampNS > now(atNS: atNS) ?? .min else { return }
    base = (stampNS, atNS)
  }

  func now(atNS: Int64) -> Int64? {
    base.map {
      $0.nowNS.addingSaturating(
        Int64(
          saturating: Double(max(0, atNS.subtractingReportingOverflow($0.atNS).partialValue)) * rate
        ))
    }
  }
}

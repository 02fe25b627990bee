import BusProtocol
public import Foundations
public import Harness
import Messages
import NodeKit
import Stage

/// Drives one or several live stages through a recording, and compares their outputs with it.
///
/// The recording is read in its order, which is that of the bus. The live stages get all input from
/// other nodes, answers to their calls of other nodes, and the calls that were made to them. Their
/// recorded outputs are withheld. Messages between live stages are delivered at the positions in
/// the recording, so that no order changes without need.
public final class LiveStageReplay {
  private let conductor: Conductor
  private let live: Set<String>
  private let comparison: Comparison
  private let run: RecordedRun
  private var held: [String: HeldBack] = [:]
  private var asked: [CallKey: [String]] = [:]
  private var answers: [CallKey: [EncodedOutcome]] = [:]
  private var callers: [String: CallKey] = [:]
  private var waitsForClock: Bool

  /// - Parameters:
  ///   - nodes: the live stages, in the order of the stack.
  ///   - survey: the contents of the recording, from a first pass through it.
  ///   - run: the recording.
  ///   - isCompared: selects the topics, with their vehicle, that are compared.
  public init(
    _ nodes: [any ConductedNode], _ survey: RecordingSurvey, _ run: RecordedRun,
    where isCompared: @escaping (String) -> Bool = { _ in true }
  ) {
    live = Set(nodes.map(\.name))
    self.run = run
    conductor = Conductor(vehicles: survey.vehicles)
    let names = live
    comparison = Comparison { frame in
      frame.topic.hasPrefix("call ")
        || names.contains(frame.header.source) && Comparison.isSpoken(frame)
          && !frame.topic.hasPrefix("_state/") && isCompared(frame.topic)
    }
    waitsForClock = survey.hasClock
    for node in nodes { conductor.add(node) }
    conductor.hasOutsideClock = !nodes.contains { $0.facts.setsClock }
    conductor.tap = { [unowned self] message in
      comparison.addCurrent(message.frame())
      tap?(message, conductor.now)
    }
    conductor.holdsBack = { [unowned self] message in holdBack(message) }
    conductor.answersOutside = { [unowned self] id, call in reply(id, call) }
  }

  /// Receives the outputs of the live stages, with stack time.
  public var tap: ((PublishedMessage, Instant) -> Void)?

  /// Receives the lines that the live stages log.
  public var log: ((Conductor.LogLine) -> Void)? {
    get { conductor.log }
    set { conductor.log = newValue }
  }

  /// Replays the whole recording.
  ///
  /// - Throws: `ReplayProblem` if the recording is damaged, or a live stage was lost.
  public func play() throws(ReplayProblem) -> Comparison {
    while let frame = try run.next() { try replay(frame) }
    try settle()
    releaseAll()
    try settle()
    comparison.finish()
    return comparison
  }

  private func settle() throws(ReplayProblem) {
    guard let end = conductor.settled() else { return }
    throw Self.problem(end)
  }

  private static func problem(_ end: Conductor.End) -> ReplayProblem {
    switch end {
    case .lost(let lost): ReplayProblem("\(lost.node) was lost: \(lost.reason)")
    default:
      ReplayProblem("the live stages keep sending each other messages while time stands still")
    }
  }

  private func replay(_ frame: Frame) throws(ReplayProblem) {
    let message = PublishedMessage(frame)
    if message.topic.hasPrefix("_svc/") { return try replayCall(message) }
    guard message.topic == Contract.clockTopic || !message.topic.hasPrefix("_") else { return }
    try advance(to: RecordingSurvey.moment(of: frame))
    if live.contains(message.source) {
      comparison.addRecorded(frame)
      if message.topic != Contract.clockTopic { release(message.name) }
    } else if message.topic == Contract.clockTopic {
      updateClock(frame)
    } else {
      conductor.give(message, isLatched: frame.header.isLatched)
    }
    try settle()
  }

  // MARK: Time

  private func advance(to moment: Instant) throws(ReplayProblem) {
    if !conductor.isTimeKnown, conductor.hasOutsideClock {
      guard !waitsForClock else { return }
      conductor.setClock(now: moment, isPaused: false, run: 1)
    }
    if let end = conductor.advance(to: moment) { throw Self.problem(end) }
  }

  private func updateClock(_ frame: Frame) {
    guard let clock = try? StackClock(decoding: frame.payload) else { return }
    conductor.setClock(
      now: Instant(nanoseconds: clock.nowNs), isPaused: clock.paused, run: clock.run)
  }

  // MARK: What live stages say to each other

  /// Messages of a topic from live stages, and positions in the recording that wait for one.
  private struct HeldBack {
    var messages: [PublishedMessage] = []
    var places = 0
  }

  private func holdBack(_ message: PublishedMessage) -> Bool {
    guard message.topic != Contract.clockTopic else { return false }
    guard held[message.name, default: HeldBack()].places == 0 else {
      held[message.name]?.places -= 1
      return false
    }
    held[message.name, default: HeldBack()].messages.append(message)
    return true
  }

  private func release(_ topic: String) {
    guard let first = held[topic, default: HeldBack()].messages.first else {
      // The message comes late, if at all; it is then passed on immediately.
      held[topic, default: HeldBack()].places += 1
      return
    }
    held[topic]?.messages.removeFirst()
    conductor.give(first)
  }

  private func releaseAll() {
    for (topic, waiting) in held.sorted(by: { $0.key < $1.key }) {
      for message in waiting.messages { conductor.give(message) }
      held[topic] = nil
    }
  }

  // MARK: Calls

  private func replayCall(_ message: PublishedMessage) throws(ReplayProblem) {
    guard let mirror = try? CallMirror(decoding: message.payload) else { return }
    if message.run == 1 { try advance(to: message.stamp) }
    let key = CallKey(mirror)
    switch mirror.phase {
    case .request:
      callers[mirror.id] = key
      guard !live.contains(key.caller) else {
        guard !live.contains(mirror.server ?? "") else { return }
        return comparison.addRecorded(key.frame("requests", message.stamp, mirror.payload ?? []))
      }
      // Only calls that a live stage serves are repeated.
      conductor.ask(mirror.call, payload: mirror.payload ?? [], vehicle: mirror.vehicle) {
        [comparison, conductor] outcome in
        comparison.addCurrent(key.frame("receives", conductor.now, outcome.bytes))
      }
    case .reply:
      let own = callers.removeValue(forKey: mirror.id) ?? key
      let outcome = mirror.outcome
      guard live.contains(own.caller) else {
        if live.contains(mirror.server ?? "") {
          comparison.addRecorded(own.frame("receives", message.stamp, outcome.bytes))
        }
        break
      }
      guard !live.contains(mirror.server ?? "") else { break }
      if let id = asked[own]?.first {
        asked[own]?.removeFirst()
        conductor.endCall(id, outcome)
      } else {
        answers[own, default: []].append(outcome)
      }
    }
    try settle()
  }

  /// Answers a live stage's call with the recorded answer, if the recording has it.
  private func reply(_ id: String, _ call: CallRecord) -> Bool {
    let key = CallKey(caller: call.caller, name: call.name, vehicle: call.vehicle)
    if case .asked(let payload) = call.phase {
      comparison.addCurrent(key.frame("requests", call.stamp, payload))
    }
    if let outcome = answers[key]?.first {
      answers[key]?.removeFirst()
      conductor.endCall(id, outcome)
    } else {
      asked[key, default: []].append(id)
    }
    return true
  }
}

import Dispatch
import Foundation
import Foundations
import Harness
import Messages
import Speech
import Stage
import Synchronization

/// Speaks the announcements of the voice stage one after another, and reports their durations.
///
/// It speaks for the vehicle that the node was started for.
final class SpeechSink: NodeAttachment {
  /// Maximum number of waiting announcements; above it, the oldest is dropped.
  private static let longestQueue = 3

  private struct Job: Sendable {
    var announcement: VoiceAnnouncement
    var message: PublishedMessage
    var number: Int
    var asked: ContinuousClock.Instant
  }

  private struct State {
    var node: (any NodeHandle)?
    /// Path of the program; nil if it is missing.
    var program: String?
    var waiting: [Job] = []
    var current: SpeechProcess?
    var isBusy = false
    var nextNumber = 1
    var trouble: String?
  }

  private let engine: SpeechEngine
  private let state = Mutex(State())
  private let mouth = DispatchQueue(label: "speech")

  init(_ engine: SpeechEngine) { self.engine = engine }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    let program = Self.path(of: engine.program)
    var number = 1
    if case .files(_, let folder) = engine {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw StageFailure("wav_dir: the folder \(folder) cannot be created")
      }
      number = Self.nextNumber(in: folder)
    }
    state.withLock { [number] state in
      state.node = node
      state.program = program
      state.nextNumber = number
    }
    if program == nil { report(trouble: engine.missing) }
  }

  func didPublish(_ message: PublishedMessage) {
    guard message.topic == VoiceAnnouncement.topic,
      let node = state.withLock({ $0.node }), message.vehicle == node.vehicle,
      let announcement = try? VoiceAnnouncement(decoding: message.payload)
    else { return }
    let (dropped, begins) = state.withLock { state -> ([Job], Bool) in
      var dropped: [Job] = []
      if announcement.interrupts {
        dropped = state.waiting
        state.waiting = []
        state.current?.cut()
      }
      state.waiting.append(
        Job(
          announcement: announcement, message: message, number: state.nextNumber,
          asked: ContinuousClock.now))
      state.nextNumber += 1
      if state.waiting.count > Self.longestQueue { dropped.append(state.waiting.removeFirst()) }
      let begins = !state.isBusy
      state.isBusy = true
      return (dropped, begins)
    }
    for job in dropped { report(job, .dropped, text: "replaced by a newer announcement") }
    if begins { mouth.async { self.speakAll() } }
  }

  func stop() {
    state.withLock { state in
      state.waiting = []
      state.current?.cut()
    }
  }

  private func speakAll() {
    while true {
      let process = SpeechProcess()
      let next = state.withLock { state -> Job? in
        guard !state.waiting.isEmpty else {
          state.isBusy = false
          state.current = nil
          return nil
        }
        state.current = process
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      speak(next, process)
    }
  }

  private func speak(_ job: Job, _ process: SpeechProcess) {
    guard let program = state.withLock({ $0.program }) else {
      return report(job, .failed, text: engine.missing)
    }
    let file = file(for: job)
    let part = file.map { $0 + ".part" }
    let ending: SpeechProcess.Ending
    do {
      ending = try process.run(
        program, engine.arguments(for: job.announcement, file: part),
        environment: engine.environment(for: job.announcement), input: job.announcement.text + "\n")
    } catch {
      let why = "\(program) cannot be started: announcements are published as text only"
      report(trouble: why)
      return report(job, .failed, text: why)
    }
    if ending.wasCut {
      if let part { try? FileManager.default.removeItem(atPath: part) }
      return report(job, .interrupted, durationS: ending.tookS)
    }
    if let file, let part {
      write(job, from: part, to: file, ending)
    } else {
      finish(job, ending)
    }
  }

  /// Takes a WAV file that is complete, and reports its duration.
  private func write(
    _ job: Job, from part: String, to file: String, _ ending: SpeechProcess.Ending
  ) {
    let bytes = FileManager.default.contents(atPath: part).map { [UInt8]($0) } ?? []
    guard ending.exitCode == 0, let durationS = WaveHeader.durationS(of: bytes),
      rename(part, file) == 0
    else {
      try? FileManager.default.removeItem(atPath: part)
      let why = "\(engine.name) wrote no WAV file \(file): \(ending.complaint)"
      report(trouble: why)
      return report(job, .failed, text: why)
    }
    report(trouble: nil)
    report(job, .written, durationS: durationS)
  }

  private func finish(_ job: Job, _ ending: SpeechProcess.Ending) {
    // espeak-ng exits with 0 without a sound device, but it writes an error, and ends far too soon.
    let isTooSoon = ending.tookS < 0.3 * job.announcement.expectedDurationS
    if ending.exitCode != 0 || (isTooSoon && !ending.complaint.isEmpty) {
      let why =
        isTooSoon && ending.exitCode == 0
        ? "\(engine.name) found no sound device (\(ending.complaint)); give wav_dir, or sink: none"
        : "\(engine.name) failed with exit code \(ending.exitCode): \(ending.complaint)"
      report(trouble: why)
      return report(job, .failed, text: why)
    }
    report(trouble: nil)
    report(job, .spoken, durationS: ending.tookS)
  }

  private func report(
    _ job: Job, _ outcome: VoiceSpoken.Outcome, durationS: Double? = nil, text: String? = nil
  ) {
    guard let node = state.withLock({ $0.node }) else { return }
    let waited = job.asked.duration(to: .now).components
    let waitedS = Double(waited.seconds) + Double(waited.attoseconds) / 1e18
    let latencyS = outcome == .spoken || outcome == .written
    let spoken = VoiceSpoken(
      key: job.announcement.key, outcome: outcome, durationS: durationS,
      latencyS: latencyS ? max(0, waitedS - (outcome == .spoken ? durationS ?? 0 : 0)) : nil,
      sink: engine.name, text: text)
    node.count("speech_\(outcome.rawValue)", by: 1)
    node.publish(
      topic: VoiceSpoken.topic, stamp: node.now ?? job.message.stamp, payload: spoken.encoded(),
      key: nil, ttlMS: nil, cause: job.message.inbound.cause, vehicle: node.vehicle)
  }

  /// Reports a problem once, and its end once.
  private func report(trouble: String?) {
    let node = state.withLock { state -> (any NodeHandle)? in
      guard state.trouble != trouble else { return nil }
      state.trouble = trouble
      return state.node
    }
    node?.setDegraded(trouble)
  }

  private func file(for job: Job) -> String? {
    guard case .files(_, let folder) = engine else { return nil }
    let key = job.announcement.key.prefix(80).map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
        ? character : "_"
    }
    let digits = String(job.number)
    let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "\(folder)/\(number)-\(String(key)).wav"
  }

  /// One more than the highest number at the start of a file name in `folder`.
  private static func nextNumber(in folder: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.compactMap { Int($0.prefix { $0.isNumber }) }
    return (numbers.max() ?? 0) + 1
  }

  private static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(
      separator: ":")
    return folders.map { "\($0)/\(program)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}

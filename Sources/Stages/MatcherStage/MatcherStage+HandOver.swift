import EventTime
import Foundation
import MapMatching
import Positioning
public import Stage

extension MatcherStage {
  /// All that a successor needs to match the next fix as this value would.
  private struct Whole: Codable {
    static let version = 4

    var line: TimeLine
    var lastTime: Instant?
    var arbiter: SourceArbiter
    var receiver: CheckedReceiver?
    var lastFix: Fix?
    var filteredRun: OutcomeRun
    var smoothedRun: OutcomeRun
    var anchor: DeadReckoning.Anchor?
    var course: RouteCourse?
    var silence: Silence
    var frames: FrameStream
    var rendererRates: FrameRates?
    var lattice: Tape
    /// Of the matcher that smooths on its own, where there is one.
    var smoothing: Tape?
  }

  /// A lattice and what goes with it: integers, numbers (64 bits each, little end first), texts.
  private struct Tape: Codable {
    var integers: Data
    var numbers: Data
    var texts: [String]

    init(_ memory: MatcherMemory) {
      integers = Self.data(memory.integers.map { UInt64(bitPattern: $0) })
      numbers = Self.data(memory.numbers.map(\.bitPattern))
      texts = memory.texts
    }

    var memory: MatcherMemory {
      MatcherMemory(
        integers: Self.words(integers).map { Int64(bitPattern: $0) },
        numbers: Self.words(numbers).map { Double(bitPattern: $0) }, texts: texts)
    }

    private static func data(_ words: [UInt64]) -> Data {
      words.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }

    private static func words(_ data: Data) -> [UInt64] {
      data.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map {
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
        }
      }
    }
  }

  public var handOverState: [UInt8]? {
    HandOver.encode(
      Whole(
        line: line, lastTime: gate.lastTime, arbiter: arbiter, receiver: receiver,
        lastFix: lastFix,
        filteredRun: filteredRun,
        smoothedRun: smoothedRun, anchor: reckoning.anchor, course: reckoning.course,
        silence: silence, frames: frames, rendererRates: rendererRates,
        lattice: Tape(matcher.memory),
        smoothing: smoother.map { Tape($0.memory) }),
      version: Whole.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandOver.decode(Whole.self, from: state, version: Whole.version)
    let isSameMap: Bool
    var (matcher, smoother) = (matcher, smoother)
    do {
      // Over another map the lattice is of no use, and the drive is matched anew.
      isSameMap = try matcher.recall(whole.lattice.memory)
      if let smoothing = whole.smoothing { _ = try smoother?.recall(smoothing.memory) }
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the lattice that is handed over is damaged")
    }
    (self.matcher, self.smoother) = (matcher, smoother)
    line = whole.line
    gate = FixGate(lastTime: whole.lastTime)
    arbiter = whole.arbiter
    receiver = whole.receiver ?? CheckedReceiver()
    lastFix = whole.lastFix
    filteredRun = whole.filteredRun
    smoothedRun = whole.smoothedRun
    let goesOn = isSameMap && reckoning.goOn(from: whole.anchor, course: whole.course)
    silence = goesOn ? whole.silence : Silence()
    frames.goOn(from: whole.frames)
    rendererRates = whole.rendererRates
  }
}

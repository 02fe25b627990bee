import Foundation
import Foundations
import MapMatching
import Positioning
public import Stage

extension MatcherStage {
  /// The state that a successor needs to match the next fix exactly as this stage would.
  private struct VehicleSnapshot: Codable {
    static let version = 5

    var line: FixTimeline
    var lastTime: Instant?
    var arbiter: SourceArbiter
    var receiver: CheckedReceiver?
    var lastFix: Fix?
    var filteredRun: OutcomeRun
    var smoothedRun: OutcomeRun
    var anchor: DeadReckoning.Anchor?
    var course: RouteCourse?
    var silence: FixGap
    var frames: FrameStream
    var rendererRates: FrameRates?
    var lattice: PackedSnapshot
    /// State of the separate smoother, if there is one.
    var smoothing: PackedSnapshot?
  }

  /// The state of a lattice: integers, numbers and texts.
  ///
  /// Integers have seven bits per byte, low ones first, with the sign in the lowest bit, since most
  /// are small. Numbers have 64 bits each, in little-endian order.
  private struct PackedSnapshot: Codable {
    var integers: Data
    var numbers: Data
    var texts: [String]

    init(_ memory: MatcherSnapshot) {
      integers = Self.packed(memory.integers)
      numbers = memory.numbers.map { $0.bitPattern.littleEndian }.withUnsafeBytes { Data($0) }
      texts = memory.texts
    }

    var memory: MatcherSnapshot {
      MatcherSnapshot(
        integers: Self.unpacked(integers),
        numbers: Self.words(numbers).map { Double(bitPattern: $0) }, texts: texts)
    }

    private static func packed(_ integers: [Int64]) -> Data {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(2 * integers.count)
      for integer in integers {
        var rest = UInt64(bitPattern: (integer << 1) ^ (integer >> 63))
        while rest >= 0x80 {
          bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
          rest >>= 7
        }
        bytes.append(UInt8(rest))
      }
      return Data(bytes)
    }

    /// Decodes integers; truncated data yields too few of them, which the matcher detects.
    private static func unpacked(_ data: Data) -> [Int64] {
      var integers: [Int64] = []
      integers.reserveCapacity(data.count)
      var (word, shift): (UInt64, UInt64) = (0, 0)
      for byte in data {
        if shift < 64 { word |= UInt64(byte & 0x7f) << shift }
        shift += 7
        guard byte & 0x80 == 0 else { continue }
        integers.append(Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1))
        (word, shift) = (0, 0)
      }
      return integers
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
    HandoverCoding.encode(
      VehicleSnapshot(
        line: line, lastTime: gate.lastTime, arbiter: arbiter, receiver: receiver,
        lastFix: lastFix,
        filteredRun: filteredRun,
        smoothedRun: smoothedRun, anchor: reckoning.anchor, course: reckoning.course,
        silence: silence, frames: frames, rendererRates: rendererRates,
        lattice: PackedSnapshot(matcher.memory),
        smoothing: smoother.map { PackedSnapshot($0.memory) }),
      version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    let isSameMap: Bool
    var (matcher, smoother) = (matcher, smoother)
    do {
      // The lattice is useless on another map, and the drive is matched anew.
      isSameMap = try matcher.recall(whole.lattice.memory)
      if let smoothing = whole.smoothing { _ = try smoother?.recall(smoothing.memory) }
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the transferred lattice is damaged")
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
    silence = goesOn ? whole.silence : FixGap()
    frames.goOn(from: whole.frames)
    rendererRates = whole.rendererRates
  }
}

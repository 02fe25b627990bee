import Bag
import BusProtocol
import Foundation
import Foundations
import Harness
import Messages
import Replay
import Stage
import Testing

/// Live drives are played again by the journals of their nodes.
@Suite struct JournalReplayTests {
  private let start = Instant(seconds: 1_700_000_000)
  private func at(_ seconds: Double) -> Instant { start.advanced(bySeconds: seconds) }

  /// A recording as a live stack makes one: what `doubling` was given comes before what it said.
  private struct Tape {
    var frames: [Frame] = []
    var numbers: [String: UInt64] = [:]

    mutating func add(
      _ topic: String, by source: String, at stamp: Instant, schema: String = "",
      _ payload: [UInt8]
    ) {
      numbers[topic, default: 0] += 1
      frames.append(
        Frame(
          topic: topic,
          header: Header(
            sequence: numbers[topic] ?? 1, stampNS: stamp.nanoseconds, source: source, run: 77,
            schema: schema), payload: payload))
    }

    mutating func record(_ entry: NodeJournal, at stamp: Instant) {
      add("_journal/doubling", by: "doubling", at: stamp, entry.encoded())
    }

    /// A number that `saying` says, that `doubling` asks about, and what it then says.
    mutating func round(_ number: UInt8, at stamp: Instant, replyAt: Instant) {
      add("ego/toy/in", by: "saying", at: stamp, [number])
      record(
        NodeJournal(
          event: .message, vehicle: "ego", stampNs: stamp.nanoseconds, topic: "toy/in",
          source: "saying", run: 77, seq: UInt64(number)), at: stamp)
      let asked = CallMirror(
        phase: .request, id: "c\(number)", call: "toy/add", vehicle: "ego", source: "doubling",
        server: "adding", payload: [number &* 2])
      add("_svc/toy/add", by: "bus", at: stamp, asked.encoded())
      record(
        NodeJournal(
          event: .reply, vehicle: "ego", stampNs: replyAt.nanoseconds, token: UInt64(number),
          ok: true, payload: [number &* 2 &+ 1]), at: replyAt)
      add("ego/toy/out", by: "doubling", at: replyAt, [number &* 2 &+ 1])
    }

    func written() throws -> String {
      let path = FileManager.default.temporaryDirectory.appending(
        path: "journal-\(UUID().uuidString).mcap"
      ).path
      let writer = try FrameWriter(path: path)
      for (index, frame) in frames.enumerated() { try writer.write(frame, logTimeNS: Int64(index)) }
      try writer.close()
      return path
    }
  }

  private func tape(wakeAt: Instant) -> Tape {
    var tape = Tape()
    tape.record(NodeJournal(event: .admit, vehicle: "ego"), at: start)
    tape.record(
      NodeJournal(event: .wake, vehicle: "ego", stampNs: wakeAt.nanoseconds), at: wakeAt)
    tape.add("ego/toy/tick", by: "doubling", at: at(0.0123), [])
    for number: UInt8 in 1...5 {
      tape.round(number, at: at(Double(number)), replyAt: at(Double(number) + 0.3))
    }
    return tape
  }

  private func play(_ tape: Tape, factor: Int = 2) throws -> Comparison {
    let path = try tape.written()
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try RecordingSurvey(paths: [path]).journals == ["doubling"])
    let node = LocalNode(DoublingStage.self, name: "doubling", shared: factor)
    return try JournalReplay([node], try RecordedRun(path: path)).play()
  }

  @Test func `a stage that is the same says the same, at the live drive's odd times, BUS-7`() throws
  {
    let comparison = try play(tape(wakeAt: at(0.0123)))
    #expect(comparison.isEqual, "\(comparison.text)")
    #expect(comparison.counts["ego/toy/out"]?.equal == 5)
    #expect(comparison.counts["ego/toy/tick"]?.equal == 1)
    #expect(comparison.counts["call toy/add of ego: doubling requests"]?.equal == 5)
  }

  @Test func `a stage that is another differs, and the first place is named, BUS-7`() throws {
    let comparison = try play(tape(wakeAt: at(0.0123)), factor: 3)
    #expect(comparison.counts["call toy/add of ego: doubling requests"]?.different == 5)
    #expect(comparison.first?.topic == "call toy/add of ego: doubling requests")
    #expect(comparison.counts["ego/toy/tick"]?.isEqual == true)
  }

  @Test func `what a node says besides its stage is not compared, BUS-7`() throws {
    var tape = tape(wakeAt: at(0.0123))
    tape.record(NodeJournal(event: .aside, vehicle: "ego", topic: "toy/out"), at: at(7))
    tape.add("ego/toy/out", by: "doubling", at: at(7), [99])
    #expect(try play(tape).isEqual)
  }

  @Test func `a gap, a missing message, a map and words without a journal end it, BUS-7`() throws {
    var gap = tape(wakeAt: at(0.0123))
    gap.frames.removeAll { $0.topic == "_journal/doubling" && $0.header.sequence == 4 }
    #expect(try problem(gap) == "the journal of doubling has a gap: 4 is missing before 5")

    var less = tape(wakeAt: at(0.0123))
    less.frames.removeAll { $0.topic == "ego/toy/in" && $0.header.sequence == 3 }
    #expect(
      try problem(less) == "doubling read toy/in 3 of saying, which is not in the recording")

    var map = tape(wakeAt: at(0.0123))
    map.record(NodeJournal(event: .map, vehicle: "ego"), at: at(8))
    #expect(try problem(map) == "doubling cannot be replayed further: its map was replaced")

    var silent = tape(wakeAt: at(0.0123))
    silent.frames.insert(
      Frame(
        topic: "ego/toy/out",
        header: Header(sequence: 1, stampNS: 1, source: "doubling", run: 76, schema: ""),
        payload: [1]), at: 0)
    #expect(try problem(silent) == "doubling has published ego/toy/out without a journal")
  }

  private func problem(_ tape: Tape) throws -> String {
    do throws(ReplayProblem) {
      let path: String
      do {
        path = try tape.written()
      } catch {
        return "\(error)"
      }
      defer { try? FileManager.default.removeItem(atPath: path) }
      let node = LocalNode(DoublingStage.self, name: "doubling", shared: 2)
      _ = try JournalReplay([node], try RecordedRun(path: path)).play()
      return "none"
    } catch {
      return error.description
    }
  }
}

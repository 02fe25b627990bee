import BusProtocol
import Foundations
import NodeKit
import Testing

@Suite struct StackTimeTests {
  private func at(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(seconds * 1e9))
  }
  private func moment(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  @Test func `time goes on at the clock's rate, and stands still when it is paused`() {
    var time = StackTime()
    #expect(time.now(at: at(0)) == nil)
    #expect(
      time.ingest(now: moment(1_000), rate: 10, isPaused: false, run: 1, at: at(5))
        == .began(moment(1_000)))
    #expect(time.now(at: at(7)) == moment(1_020))
    #expect(time.arrival(of: moment(1_030)).map { $0.nanoseconds / 1_000 } == 8_000_000)
    #expect(time.ingest(now: moment(1_020), rate: 10, isPaused: true, run: 1, at: at(7)) == .none)
    #expect(time.now(at: at(100)) == moment(1_020))
    #expect(time.arrival(of: moment(1_030)) == nil)
  }

  @Test func `time never goes back within a run, and is set by a new one`() {
    var time = StackTime()
    _ = time.ingest(now: moment(100), rate: 1, isPaused: false, run: 1, at: at(0))
    #expect(time.now(at: at(2)) == moment(102))
    #expect(time.ingest(now: moment(101), rate: 1, isPaused: false, run: 1, at: at(2)) == .none)
    #expect(time.now(at: at(2.5)) == moment(102))
    #expect(time.now(at: at(4)) == moment(103))
    #expect(
      time.ingest(now: moment(50), rate: 1, isPaused: false, run: 2, at: at(5))
        == .reset(moment(50)))
    #expect(time.now(at: at(6)) == moment(51))
  }

  @Test func `what time it was does not change by what was reported since`() {
    var time = StackTime()
    #expect(time.past(at: at(0)) == nil)
    _ = time.ingest(now: moment(100), rate: 2, isPaused: false, run: 1, at: at(5))
    #expect(time.now(at: at(9)) == moment(108))
    #expect(time.past(at: at(7)) == moment(104))
    #expect(time.past(at: at(4)) == moment(98))
  }

  @Test func `without a clock time is the last stamp and the time since`() {
    var time = StackTime()
    #expect(time.ingest(stamp: moment(10), at: at(0)) == .began(moment(10)))
    #expect(time.ingest(stamp: moment(5), at: at(1)) == .none)
    #expect(time.now(at: at(1)) == moment(11))
    _ = time.ingest(stamp: moment(20), at: at(2))
    #expect(time.now(at: at(3)) == moment(21))
    // A clock that appears makes that time void.
    #expect(
      time.ingest(now: moment(7), rate: 1, isPaused: false, run: 1, at: at(4)) == .reset(moment(7)))
    #expect(time.ingest(stamp: moment(99), at: at(5)) == .none)
    #expect(time.now(at: at(5)) == moment(8))
  }

  @Test func `one vehicle with a wrong clock does not move time, BUS-2`() {
    var time = StackTime()
    _ = time.ingest(stamp: moment(0), of: "a", at: at(0))
    for second in 1...30 {
      let now = Double(second)
      // Ten messages of the vehicle whose clock is two hours ahead, and one of another vehicle.
      for part in 0..<10 {
        _ = time.ingest(stamp: moment(7_200 + now), of: "b", at: at(now + 0.05 * Double(part)))
      }
      _ = time.ingest(stamp: moment(now), of: "a", at: at(now + 0.6))
      #expect(time.now(at: at(now + 0.6)) == moment(now + 0.6))
    }
  }

  @Test func `one vehicle with an old clock does not hold time back, BUS-2`() {
    var time = StackTime()
    _ = time.ingest(stamp: moment(0), of: "old", at: at(0))
    for second in 1...4 {
      let now = Double(second)
      for vehicle in ["a", "b", "c"] {
        _ = time.ingest(stamp: moment(7_200 + now), of: vehicle, at: at(now))
      }
      // Its stamps run a little ahead of the machine's clock.
      _ = time.ingest(stamp: moment(now + 0.01 * now), of: "old", at: at(now))
    }
    #expect(time.now(at: at(4.5)) == moment(7_204.5))
  }

  @Test func `time follows a leap of the only vehicle after two seconds`() {
    var time = StackTime()
    _ = time.ingest(stamp: moment(0), of: "a", at: at(0))
    for second in 1...2 {
      _ = time.ingest(stamp: moment(7_200 + Double(second)), of: "a", at: at(Double(second)))
    }
    #expect(time.now(at: at(2)) == moment(2))
    _ = time.ingest(stamp: moment(7_203), of: "a", at: at(3))
    #expect(time.now(at: at(3)) == moment(7_203))
    _ = time.ingest(stamp: moment(7_204), of: "a", at: at(4))
    #expect(time.now(at: at(4.5)) == moment(7_204.5))
  }
}

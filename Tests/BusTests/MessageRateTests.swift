import Testing

@testable import BusProtocol
@testable import ZMQ

/// A loop waits for company only where messages come singly and in thousands.
@Suite struct MessageRateTests {
  /// The pauses of a loop that has `batch` messages each `everyUS` for `seconds`, after `quietS`.
  private func pauses(batch: Int, everyUS: Int64, seconds: Int64, quietS: Int64 = 10) -> [UInt32] {
    var rate = MessageRate()
    let begin = quietS * 1_000_000_000
    return stride(from: 0, to: seconds * 1_000_000, by: Int(everyUS)).map { us in
      rate.count(batch, at: MonotonicTime(nanoseconds: begin + Int64(us) * 1_000))
      return rate.pauseUS(after: batch)
    }
  }

  @Test func `a fleet's messages are let come together, after a twentieth of a second`() {
    let pauses = pauses(batch: 1, everyUS: 50, seconds: 1)
    #expect(pauses.prefix(900).allSatisfy { $0 == 0 })
    #expect(pauses.suffix(18_000).allSatisfy { $0 > 0 })
  }

  @Test func `the pause grows with the rate, to a millisecond`() {
    let five = pauses(batch: 1, everyUS: 200, seconds: 1).last ?? 0
    let ten = pauses(batch: 1, everyUS: 100, seconds: 1).last ?? 0
    #expect((300...320).contains(five))
    #expect((610...630).contains(ten))
    #expect(pauses(batch: 1, everyUS: 50, seconds: 1).last == 1_000)
    #expect(pauses(batch: 1, everyUS: 20, seconds: 1).last == 1_000)
  }

  @Test func `a vehicle's messages never wait, nor what they lead to`() {
    // 25 messages within 10 ms, each second, each in a turn of its own.
    var rate = MessageRate()
    for second in 1...60 as ClosedRange<Int64> {
      for message in 0..<25 as Range<Int64> {
        rate.count(
          1, at: MonotonicTime(nanoseconds: second * 1_000_000_000 + message * 400_000))
        #expect(rate.pauseUS(after: 1) == 0)
      }
    }
    #expect(pauses(batch: 1, everyUS: 1_000, seconds: 2).allSatisfy { $0 == 0 })
  }

  @Test func `a flood is not made longer, nor a turn that had many, nor one that had none`() {
    #expect(pauses(batch: 10, everyUS: 10, seconds: 1).allSatisfy { $0 == 0 })
    #expect(pauses(batch: 64, everyUS: 1_000, seconds: 1).allSatisfy { $0 == 0 })
    var rate = MessageRate()
    for turn in 1...20_000 as ClosedRange<Int64> {
      rate.count(1, at: MonotonicTime(nanoseconds: turn * 50_000))
    }
    #expect(rate.pauseUS(after: 1) > 0)
    #expect(rate.pauseUS(after: 0) == 0)
  }

  @Test func `the first messages after a rest do not wait`() {
    var rate = MessageRate()
    for turn in 1...20_000 as ClosedRange<Int64> {
      rate.count(1, at: MonotonicTime(nanoseconds: turn * 50_000))
    }
    rate.count(1, at: MonotonicTime(nanoseconds: 5_000_000_000))
    #expect(rate.pauseUS(after: 1) == 0)
  }

  @Test func `what comes in at 150,000 a second is a flood, and ends as one`() {
    var rate = MessageRate()
    for turn in 1...100 as ClosedRange<Int64> {
      rate.count(1_000, at: MonotonicTime(nanoseconds: turn * 5_000_000))
    }
    #expect(rate.isFlood)
    rate.count(10, at: MonotonicTime(nanoseconds: 600_000_000))
    #expect(!rate.isFlood)
  }
}

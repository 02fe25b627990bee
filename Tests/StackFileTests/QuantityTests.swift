import StackFile
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [("5s", 5.0), ("500 ms", 0.5), ("2 min", 120), ("1h", 3_600), ("0", 0)])
  func `durations are read`(text: String, seconds: Double) {
    #expect(Quantity.durationS(text) == seconds)
  }

  @Test(arguments: ["", "5", "s", "-5s", "5 parsecs", "1e999s", "5 s s"])
  func `what is no duration is refused`(text: String) {
    #expect(Quantity.durationS(text) == nil)
  }

  @Test func `sizes are read`() {
    #expect(Quantity.bytes("1GiB") == 1 << 30)
    #expect(Quantity.bytes("10 kB") == 10_000)
    #expect(Quantity.bytes("10") == nil)
    #expect(Quantity.bytes("1e300 GiB") == nil)
  }

  @Test func `bounds hold or not`() {
    #expect(Bound(">= 0.5 Hz", .hertz)?.holds(for: 0.5) == true)
    #expect(Bound("<= 300 ms", .seconds)?.holds(for: 0.31) == false)
    #expect(Bound("0", .messages) == Bound(.equal, 0, .messages))
    #expect(Bound("> 1.5", .messages) == nil)
  }
}

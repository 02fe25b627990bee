import MessagePack
import StackFile
import Supervision
import Testing

@Suite struct ExpectationsTests {
  private func expectations(_ lines: String, until: String? = nil) throws -> Expectations {
    let (stack, problems) = StackFile.parse(
      "stack: s\nnodes: {a: {run: x}}\nexpect: [\(lines)]\n"
        + (until.map { "until: \($0)\n" } ?? ""))
    try #require(problems.isEmpty, "\(problems)")
    let read = try #require(stack)
    return Expectations(read.expectations, until: read.until, vehicle: "ego", startS: 100)
  }

  private func sighting(
    _ number: UInt64, run: UInt64 = 1, atS: Double = 0, latched: Bool = false,
    _ fields: [MessagePackValue.Entry] = []
  ) -> ObservedMessage {
    ObservedMessage(
      topic: "ego/a/b", source: "x", run: run, sequence: number, stampNS: Int64(atS * 1e9),
      isLatched: latched, payload: MessagePackValue.map(fields).encoded())
  }

  private func isMet(_ expectations: Expectations, atS now: Double = 110) -> [Bool] {
    expectations.verdicts(atS: now).map(\.isMet)
  }

  @Test func `nothing seen meets nothing`() throws {
    let book = try expectations(
      "{topic: a/b}, {topic: a/b, rate: \">= 0 Hz\"}, {topic: a/b, age: <= 3 s}, "
        + "{topic: a/b, lost: 0}, {topic: a/b, within: 5s}")
    let verdicts = book.verdicts(atS: 110)
    #expect(verdicts.count == 5)
    #expect(verdicts.allSatisfy { !$0.isMet && $0.seen == "no message" })
  }

  @Test func `the rate is one of event time, to the newest moment on the bus`() throws {
    var book = try expectations("{topic: a/b, rate: \">= 1 Hz\"}")
    for number in 1...11 { book.observe(sighting(UInt64(number), atS: Double(number)), atS: 101) }
    #expect(isMet(book) == [true])
    // The topic is silent while time goes on.
    book.observe(
      ObservedMessage(topic: "_clock", source: "p", run: 1, sequence: 1, stampNS: 20_000_000_000),
      atS: 102)
    #expect(isMet(book) == [false])
  }

  @Test func `missing numbers are lost, a new run and a latched message are not`() throws {
    var book = try expectations("{topic: a/b, lost: 0}")
    book.observe(sighting(7, latched: true), atS: 101)
    book.observe(sighting(9), atS: 101)
    book.observe(sighting(10), atS: 101)
    book.observe(sighting(1, run: 2), atS: 101)
    #expect(isMet(book) == [true])
    book.observe(sighting(4, run: 2), atS: 101)
    #expect(book.verdicts(atS: 110)[0].seen == "2 lost")
  }

  @Test func `age and the first moment count in the launcher's time`() throws {
    var book = try expectations("{topic: a/b, age: <= 3 s}, {topic: a/b, within: 5s}")
    book.observe(sighting(1), atS: 104)
    #expect(isMet(book, atS: 107) == [true, true])
    #expect(isMet(book, atS: 107.1) == [false, true])
  }

  @Test func `only messages with the fields count`() throws {
    var book = try expectations("{topic: a/b, where: {kind: jam, n: 2}, count: \">= 1\"}")
    book.observe(sighting(1, [.init("kind", .string("jam")), .init("n", .int(1))]), atS: 101)
    #expect(isMet(book) == [false])
    book.observe(sighting(2, [.init("kind", .string("jam")), .init("n", .double(2))]), atS: 101)
    #expect(isMet(book) == [true])
  }

  @Test func `garbage meets no fields and stops nothing`() throws {
    var book = try expectations("{topic: a/b, where: {kind: jam}}")
    var broken = sighting(1)
    broken.payload = [0xc1, 0xff]
    book.observe(broken, atS: 101)
    #expect(isMet(book) == [false])
  }

  @Test func `the end comes early when all holds and its sign has come`() throws {
    var book = try expectations(
      "{topic: a/b, count: \">= 2\"}", until: "{topic: a/b, where: {end: true}}")
    book.observe(sighting(1, [.init("end", .bool(true))]), atS: 101)
    #expect(!book.isFulfilled(atS: 101))
    book.observe(sighting(2), atS: 102)
    #expect(book.isFulfilled(atS: 102))
  }
}

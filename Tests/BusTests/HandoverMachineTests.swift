import Foundations
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol

@Suite struct HandoverMachineTests {
  private static let from = HandoverMachine.Party(identity: [1], name: "matcher", run: 10)
  private static let to = HandoverMachine.Party(identity: [2], name: "matcher", run: 20)
  private static let old = Writer(source: "matcher", run: 10)
  private static let new = Writer(source: "matcher", run: 20)

  private static func at(_ ms: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0).advanced(byMS: ms)
  }

  private var machine = HandoverMachine(
    token: 1, from: from, to: to, slots: nil, deadline: at(2_000))

  private typealias Action = HandoverMachine.Action

  private func failure(_ actions: [Action]) -> String? {
    for case .end(let code, _) in actions { return code }
    return nil
  }

  private func kinds(_ actions: [Action]) -> String {
    actions.map { action in
      switch action {
      case .give: "give"
      case .release: "release"
      case .commit: "commit"
      case .retire: "retire"
      case .resume: "resume"
      case .dismiss: "dismiss"
      case .revoke: "revoke"
      case .end(let code, _): code.isEmpty ? "done" : code
      }
    }.joined(separator: " ")
  }

  private mutating func drain() -> [Action] {
    let waiting = machine.frozen(ok: true, sequence: 5, state: [7], reason: "")
    return waiting + machine.published(Self.old, sequence: 5)
  }

  private mutating func release() -> [Action] { drain() + machine.imported(ok: true, reason: "") }

  @Test mutating func `state goes over when all outputs are in, and the new one begins`() {
    #expect(machine.frozen(ok: true, sequence: 5, state: [7], reason: "") == [])
    #expect(machine.published(Self.old, sequence: 4) == [])
    #expect(machine.published(Writer(source: "other", run: 10), sequence: 5) == [])
    #expect(machine.published(Self.old, sequence: 5) == [.give([7])])
    #expect(machine.published(Self.new, sequence: 1) == [], "it has not been released")
    #expect(machine.imported(ok: true, reason: "") == [.release])
    #expect(kinds(machine.published(Self.new, sequence: 1)) == "commit retire done")
    #expect(machine.gone([1]) == [] && machine.tick(now: Self.at(9_000)) == [])
    #expect(machine.gone([2]) == [], "what happens later is no matter of the handover")
  }

  @Test mutating func `outputs may come before the state`() {
    #expect(machine.published(Self.old, sequence: 5) == [])
    #expect(machine.frozen(ok: true, sequence: 5, state: [7], reason: "") == [.give([7])])
  }

  @Test mutating func `whoever cannot give its state goes on`() {
    let actions = machine.frozen(ok: false, sequence: 0, state: [], reason: "busy")
    #expect(kinds(actions) == "resume dismiss refused")
    #expect(machine.imported(ok: true, reason: "") == [])
  }

  @Test mutating func `a state that is too large is not handed over`() {
    let state = [UInt8](repeating: 0, count: HandoverMachine.maximumStateBytes + 1)
    let actions = machine.frozen(ok: true, sequence: 1, state: state, reason: "")
    #expect(kinds(actions) == "resume dismiss too_much")
  }

  @Test mutating func `a state that is refused leaves all as it was`() {
    _ = drain()
    #expect(kinds(machine.imported(ok: false, reason: "gap")) == "resume dismiss refused")
  }

  @Test(arguments: 0...3)
  mutating func `the limit ends it at every step, and never twice`(step: Int) {
    if step == 1 { _ = machine.frozen(ok: true, sequence: 5, state: [], reason: "") }
    if step == 2 { _ = drain() }
    if step == 3 { _ = release() }
    #expect(machine.tick(now: Self.at(1_999)) == [])
    let wanted = step == 3 ? "revoke resume dismiss late" : "resume dismiss late"
    #expect(kinds(machine.tick(now: Self.at(2_000))) == wanted)
    #expect(machine.tick(now: Self.at(3_000)) == [])
    #expect(machine.published(Self.new, sequence: 1) == [], "what comes after it is void")
  }

  @Test(arguments: 0...3)
  mutating func `the new one's death lets the old one go on at every step`(step: Int) {
    if step == 1 { _ = machine.frozen(ok: true, sequence: 5, state: [], reason: "") }
    if step == 2 { _ = drain() }
    if step == 3 { _ = release() }
    #expect(
      kinds(machine.gone([2])) == (step == 3 ? "revoke resume dismiss gone" : "resume dismiss gone")
    )
  }

  @Test(arguments: 0...1)
  mutating func
    `the old one's death before all is there ends it, and it is reported should it live`(
      step: Int
    )
  {
    if step == 1 { _ = machine.frozen(ok: true, sequence: 5, state: [], reason: "") }
    #expect(kinds(machine.gone([1])) == "resume dismiss gone")
  }

  @Test(arguments: 2...3)
  mutating func `the old one's death afterwards does not keep the new one`(step: Int) {
    _ = step == 2 ? drain() : release()
    #expect(machine.gone([1]) == [])
    if step == 2 { #expect(machine.imported(ok: true, reason: "") == [.release]) }
    #expect(kinds(machine.published(Self.new, sequence: 1)) == "commit done")
  }

  @Test mutating func `a shadow gets the state, and the old one goes on at once`() {
    machine = HandoverMachine(
      token: 1, from: Self.from, to: Self.to, slots: nil, deadline: Self.at(2_000),
      isShadow: true)
    _ = machine.frozen(ok: true, sequence: 5, state: [7], reason: "")
    #expect(kinds(machine.published(Self.old, sequence: 5)) == "resume give")
    #expect(kinds(machine.imported(ok: true, reason: "")) == "release done")
    #expect(machine.published(Self.new, sequence: 1) == [] && machine.gone([1]) == [])
  }

  @Test mutating func `a shadow that refuses is dismissed, and nobody is resumed twice`() {
    machine = HandoverMachine(
      token: 1, from: Self.from, to: Self.to, slots: nil, deadline: Self.at(2_000),
      isShadow: true)
    _ = drain()
    #expect(kinds(machine.imported(ok: false, reason: "gap")) == "dismiss refused")
  }

  @Test mutating func `both gone, the end is the same`() {
    _ = release()
    _ = machine.gone([1])
    #expect(kinds(machine.gone([2])) == "revoke resume dismiss gone")
  }

  @Test mutating func `a party may come back over another connection`() {
    machine.moved(from: [1], to: [3])
    #expect(machine.gone([1]) == [])
    #expect(kinds(machine.gone([3])) == "resume dismiss gone")
  }
}

@Suite struct HandoverBufferTests {
  private func frame(_ topic: String, _ sequence: UInt64, run: UInt64 = 1) -> Frame {
    Frame(
      topic: topic,
      header: Header(sequence: sequence, stampNS: 0, source: "gps", run: run, schema: ""),
      payload: [])
  }

  private func mark(_ topic: String, _ sequence: UInt64, run: UInt64 = 1) -> InputMark {
    InputMark(topic, Writer(source: "gps", run: run), sequence)
  }

  private let now = MonotonicTime(nanoseconds: 0)

  @Test func `what follows without a gap is without fault`() {
    var hold = HandoverBuffer(token: 1, slots: nil, own: [mark("ego/a", 4)])
    for sequence: UInt64 in [4, 5, 6, 7] { hold.append(frame("ego/a", sequence), now: now) }
    hold.append(frame("ego/b", 3), now: now)
    hold.append(frame("ego/a", 1, run: 2), now: now)
    hold.append(frame("ego/a", 2, run: 2), now: now)
    #expect(hold.fault(after: [mark("ego/a", 4)]) == nil)
  }

  @Test func `a gap, old input that never came, and too much of it are faults`() throws {
    var hold = HandoverBuffer(token: 1, slots: nil, own: [mark("ego/a", 4)])
    hold.append(frame("ego/a", 6), now: now)
    let gap = try #require(hold.fault(after: [mark("ego/a", 4)]))
    #expect(gap.contains("ego/a 5 of gps"))
    let behind = try #require(hold.fault(after: [mark("ego/a", 3)]))
    #expect(behind.contains("has not received ego/a 4"))
    var large = frame("ego/a", 5)
    large.payload = [UInt8](repeating: 0, count: HandoverBuffer.maximumBytes)
    hold.append(large, now: now)
    #expect(hold.fault(after: [mark("ego/a", 5)])?.contains("64 MiB") == true)
  }

  @Test func `only the slots that move are held`() {
    let hold = HandoverBuffer(
      token: 1, slots: SlotSet([SlotSet.slot(of: "ego".utf8)]), own: [])
    #expect(hold.holds("ego/a") && !hold.holds("_clock"))
    #expect(!hold.holds("car1/a"))
  }
}

@Suite struct SlotTableTests {
  @Test func `the checksum is zlib's`() {
    #expect(CRC32.checksum("123456789".utf8) == 0xcbf4_3926)
    #expect(CRC32.checksum([]) == 0)
    #expect(SlotSet.slot(of: "123456789".utf8) == 0x26)
  }

  @Test func `slots are written as runs and read back`() {
    let set = SlotSet([0, 1, 2, 64, 200, 255])
    #expect(set.runs == [0, 2, 64, 64, 200, 200, 255, 255])
    #expect(SlotSet(runs: set.runs) == set)
    #expect(SlotSet(runs: [3, 2]) == nil && SlotSet(runs: [0, 256]) == nil)
    #expect(SlotSet(runs: [0]) == nil)
    #expect(SlotSet.all.runs == [0, 255])
  }

  private func apply(_ table: inout SlotTable, _ lanes: [Int]) -> Int {
    let moves = table.moves(to: lanes)
    for move in moves { table.give(move.slots, to: move.to) }
    return moves.reduce(0) { $0 + $1.slots.elements.count }
  }

  @Test func `an empty table becomes equal runs`() {
    var table = SlotTable()
    #expect(table.moves(to: [1, 2, 3, 4]).allSatisfy { $0.from == nil })
    #expect(apply(&table, [1, 2, 3, 4]) == 256)
    #expect(table.slots(of: 1).runs == [0, 63] && table.slots(of: 4).runs == [192, 255])
  }

  @Test func `4 to 6 to 3 moves as few slots as can be`() {
    var table = SlotTable()
    _ = apply(&table, [1, 2, 3, 4])
    // Two new lanes get their shares, and nothing else moves: 2 * 42 of 4 * 43 + 2 * 42.
    #expect(apply(&table, [1, 2, 3, 4, 5, 6]) == 84)
    #expect(table.counts == [1: 43, 2: 43, 3: 43, 4: 43, 5: 42, 6: 42])
    #expect(table.moves(to: [1, 2, 3, 4, 5, 6]) == [])
    #expect(apply(&table, [1, 2, 3]) == 256 - 3 * 43)
    #expect(table.counts == [1: 86, 2: 85, 3: 85])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `any series of lanes leaves every slot with one, in equal shares`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = SlotTable()
    for _ in 0..<20 {
      let lanes = (1...63).shuffled(using: &random).prefix(Int.random(in: 1...63, using: &random))
      let before = table.counts
      let moved = apply(&table, Array(lanes))
      let counts = table.counts
      #expect(Set(counts.keys) == Set(lanes))
      let least = counts.values.min() ?? 0
      #expect(counts.values.reduce(0, +) == 256 && (counts.values.max() ?? 0) - least <= 1)
      let kept = lanes.reduce(0) { $0 + min(before[$1] ?? 0, counts[$1] ?? 0) }
      #expect(moved == 256 - kept, "no slot leaves a lane that may keep it")
    }
  }
}

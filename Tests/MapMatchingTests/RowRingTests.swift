import Foundations
import Positioning
import Testing

@testable import MapMatching

/// Rows in a ring, compared with separate lists.
@Suite struct RowRingTests {
  /// The rows of some steps in a ring, and their expected contents.
  private struct Steps {
    var ring = RowRing<Int32>()
    var known: [(first: Int, rows: [Int32])] = []
    var layings = 0

    mutating func add(_ rows: [Int32]) {
      known.append((0, rows))
      if let first = ring.push(rows.count, filler: -1) {
        known[known.count - 1].first = first
      } else {
        layings += 1
        let ranges = known.dropLast().map { $0.first..<$0.first + $0.rows.count }
        let firsts = ring.layOut(ranges + [0..<0], more: rows.count, filler: -1)
        for (index, first) in firsts.enumerated() { known[index].first = first }
      }
      rows.withUnsafeBufferPointer { ring.write($0, at: known[known.count - 1].first) }
    }

    mutating func forget(_ count: Int) {
      known.removeFirst(count)
      if let next = known.first {
        ring.drop(before: next.first)
      } else {
        ring.removeAll(keepingRoom: true)
      }
    }

    var areWhole: Bool {
      known.allSatisfy { Array(ring.rows[$0.first..<$0.first + $0.rows.count]) == $0.rows }
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `no row is overwritten while its step exists`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var steps = Steps()
    for number in 0..<4000 as Range<Int32> {
      let count = random.next() % 4 == 0 ? 0 : Int(random.next() % 7)
      steps.add((0..<Int32(count)).map { 10 * number + $0 })
      #expect(steps.areWhole)
      while steps.known.count > 9 || (!steps.known.isEmpty && random.next() % 3 == 0) {
        steps.forget(1)
      }
    }
    // Later steps reuse the capacity.
    #expect(steps.layings < 30)
  }

  @Test func `reserved capacity is filled on demand`() {
    var steps = Steps()
    steps.ring.reserve(1000)
    let held = steps.ring.byteCount
    for number in 0..<100 as Range<Int32> { steps.add(Array(repeating: number, count: 10)) }
    #expect(steps.layings == 0 && steps.areWhole && steps.ring.byteCount == held)
    for number in 100..<140 as Range<Int32> { steps.add(Array(repeating: number, count: 10)) }
    // The capacity grows by a quarter.
    #expect((1...3).contains(steps.layings) && steps.areWhole)
    steps.forget(steps.known.count)
    #expect(steps.ring.rows.count >= 1400)
    steps.ring.removeAll(keepingRoom: false)
    #expect(steps.ring.byteCount == 0)
  }
}

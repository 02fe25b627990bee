import Testing

@testable import MapMatching

/// A list that cannot be copied, compared with an array.
@Suite struct ArenaTests {
  private func elements(_ arena: borrowing Arena<Int>) -> [Int] {
    arena.withElements { Array($0) }
  }

  @Test func `elements stay while the list grows`() {
    var arena = Arena<Int>(capacity: 1)
    var expected: [Int] = []
    for number in 0..<1_000 {
      arena.append(number * number)
      expected.append(number * number)
      if number % 100 == 0 { arena.reserve(2 * number) }
    }
    #expect(elements(arena) == expected)
    arena[17] = -1
    arena[18] += 5
    expected[17] = -1
    expected[18] += 5
    #expect(elements(arena) == expected)
    arena.withMutableElements { $0[3] = 7 }
    #expect(arena[3] == 7)
  }

  @Test func `filling adds the missing elements, and removes none`() {
    var arena = Arena<Int>(capacity: 2)
    arena.append(1)
    arena.fill(to: 5, with: 9)
    arena.fill(to: 2, with: 4)
    #expect(elements(arena) == [1, 9, 9, 9, 9])
  }

  @Test func `removed elements are gone, and the memory stays`() {
    var arena = Arena<Int>()
    arena.fill(to: 100, with: 3)
    let capacity = arena.capacity
    arena.removeAll(from: 60)
    arena.removeAll(from: 80)
    let left = arena.count
    #expect(left == 60)
    arena.removeAll()
    let isEmpty = arena.isEmpty
    #expect(isEmpty && elements(arena) == [] && arena.capacity == capacity)
  }

  @Test func `the remaining elements keep their order, and each is tested once`() {
    var arena = Arena<Int>()
    for number in 0..<20 { arena.append(number) }
    var asked: [Int] = []
    arena.keep { number in
      asked.append(number)
      return number % 3 == 1
    }
    #expect(asked == Array(0..<20))
    #expect(elements(arena) == [1, 4, 7, 10, 13, 16, 19])
  }
}

/// Elements of one kind in memory of its own: they are added one by one, stay where they are found by their number,
/// and are forgotten all at once.
///
/// A list that cannot be copied: no write asks whether somebody else holds it, too, which costs as much as many of the writes here.
struct Arena<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 16) {
    self.capacity = max(1, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> Element {
    @inline(__always) get { base[checked(index)] }
    @inline(__always) _modify { yield &base[checked(index)] }
  }

  @inline(__always) mutating func append(_ element: Element) {
    if count == capacity { move(to: 2 * capacity) }
    base[count] = element
    count += 1
  }

  /// Adds `element` as often as it needs to hold `count` elements.
  @inline(__always) mutating func fill(to count: Int, with element: Element) {
    guard count > self.count else { return }
    if count > capacity { move(to: max(count, 2 * capacity)) }
    (base + self.count).initialize(repeating: element, count: count - self.count)
    self.count = count
  }

  /// Forgets the elements from the one numbered `count` on, and keeps their memory.
  @inline(__always) mutating func removeAll(from count: Int = 0) {
    self.count = min(self.count, max(0, count))
  }

  /// Forgets the elements that `isKept` is false of, asked for each in its turn, and moves the others together.
  @inline(__always) mutating func keep(where isKept: (Element) -> Bool) {
    var kept = 0
    for index in 0..<count where isKept(base[index]) {
      base[kept] = base[index]
      kept += 1
    }
    count = kept
  }

  /// Keeps address space for that many elements: what is not written costs no memory, and nothing has to be moved before they are more.
  mutating func reserve(_ capacity: Int) {
    if capacity > self.capacity { move(to: capacity) }
  }

  /// Lets `body` read the elements where they lie.
  @inline(__always) func withElements<Result>(
    _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result { body(UnsafeBufferPointer(start: base, count: count)) }

  /// Lets `body` write the elements where they lie.
  @inline(__always) mutating func withMutableElements<Result>(
    _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result { body(UnsafeMutableBufferPointer(start: base, count: count)) }

  private mutating func move(to capacity: Int) {
    let wider = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    wider.moveInitialize(from: base, count: count)
    base.deallocate()
    base = wider
    self.capacity = capacity
  }

  @inline(__always) private func checked(_ index: Int) -> Int {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such element")
    return index
  }
}

/// A growable buffer of elements of one kind, which are found by their index and removed all at
/// once.
///
/// The type is noncopyable, so that writes need no uniqueness check. That check would cost as much
/// as many of the writes here.
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

  /// Appends `element` until the buffer holds `count` elements.
  @inline(__always) mutating func fill(to count: Int, with element: Element) {
    guard count > self.count else { return }
    if count > capacity { move(to: max(count, 2 * capacity)) }
    (base + self.count).initialize(repeating: element, count: count - self.count)
    self.count = count
  }

  /// Removes the elements from index `count` on and keeps their memory.
  @inline(__always) mutating func removeAll(from count: Int = 0) {
    self.count = min(self.count, max(0, count))
  }

  /// Removes the elements for which `isKept` is false, tested in order, and compacts the others.
  @inline(__always) mutating func keep(where isKept: (Element) -> Bool) {
    var kept = 0
    for index in 0..<count where isKept(base[index]) {
      base[kept] = base[index]
      kept += 1
    }
    count = kept
  }

  /// Reserves address space for `capacity` elements: unwritten pages use no memory, and no element
  /// moves until the capacity is exceeded.
  mutating func reserve(_ capacity: Int) {
    if capacity > self.capacity { move(to: capacity) }
  }

  /// Calls `body` with the elements in place, for reading.
  @inline(__always) func withElements<Result>(
    _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result { body(UnsafeBufferPointer(start: base, count: count)) }

  /// Calls `body` with the elements in place, for writing.
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

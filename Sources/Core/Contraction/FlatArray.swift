import RoadGraph

/// Records in memory of their own that loops reach without checks and reference counts.
///
/// Written while it is made, by workers that each own a part, and never after it has been handed on.
final class FlatArray<Element: BitwiseCopyable>: Sendable {
  private let column: Column<Element>
  var buffer: UnsafeMutableBufferPointer<Element> {
    @inline(__always) get { UnsafeMutableBufferPointer(mutating: column.records) }
  }
  var count: Int { column.count }

  init(repeating value: Element, count: Int) {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    memory.initialize(repeating: value)
    column = Column(records: UnsafeBufferPointer(memory), owner: FlatMemory(memory))
  }

  init(copying other: FlatArray) {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: other.count)
    _ = memory.initialize(from: other.buffer)
    column = Column(records: UnsafeBufferPointer(memory), owner: FlatMemory(memory))
  }

  init(_ array: [Element]) { column = Column(array) }

  @inline(__always) subscript(index: Int) -> Element {
    get { buffer[index] }
    set { buffer[index] = newValue }
  }
}

private final class FlatMemory<Element: BitwiseCopyable> {
  private let memory: UnsafeMutableBufferPointer<Element>
  init(_ memory: UnsafeMutableBufferPointer<Element>) { self.memory = memory }
  deinit { memory.deallocate() }
}

/// Runs `body` for each number below a count, at once where there are processors; returns when all are done.
///
/// A pure room owns no threads: whoever calls brings them.
public typealias InParallel = (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

/// One after the other.
public func oneByOne(_ count: Int, _ body: @Sendable (Int) -> Void) {
  for number in 0..<count { body(number) }
}

import RoadGraph

/// Records in their own memory, which loops access without checks and reference counting.
///
/// Written during construction, by workers that each own a part, and never after it has been passed
/// on.
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

/// Runs `body` for each number below a count, concurrently if there are processors; returns when
/// all are done.
///
/// This module owns no threads: the caller provides them.
public typealias InParallel = (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

/// Runs `body` sequentially.
public func oneByOne(_ count: Int, _ body: @Sendable (Int) -> Void) {
  for number in 0..<count { body(number) }
}

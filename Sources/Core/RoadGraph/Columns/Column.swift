/// A column of a road graph: consecutive records of equal size in memory that never changes.
///
/// The memory is either a copy of an array or a part of a mapped file; `owner` keeps it alive.
@frozen
public struct Column<Element: BitwiseCopyable>: @unchecked Sendable {
  // Sendable without the compiler's proof: the memory is never written after `init`, and the
  // owner that frees it is kept by every copy.
  public let records: UnsafeBufferPointer<Element>
  public let owner: AnyObject?

  /// A column of memory that `owner` keeps alive and that is never written.
  @inlinable public init(records: UnsafeBufferPointer<Element>, owner: AnyObject?) {
    self.records = records
    self.owner = owner
  }

  /// A column that contains a copy of `array`.
  public init(_ array: [Element]) {
    let storage = ColumnStorage<Element>(array)
    self.init(records: UnsafeBufferPointer(storage.buffer), owner: storage)
  }

  /// A column of `count` records that `fill` writes; nil if `fill` returns false.
  init?(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    let storage = ColumnStorage<Element>(count: count)
    guard fill(UnsafeMutableRawBufferPointer(storage.buffer)) else { return nil }
    self.init(records: UnsafeBufferPointer(storage.buffer), owner: storage)
  }

  @inlinable public var count: Int { records.count }

  /// The record at `index`.
  ///
  /// The index is checked: maps come from files, and a wrong index must trap here rather than read
  /// other memory.
  @inlinable public subscript(index: Int) -> Element {
    precondition(
      index >= 0 && index < records.count,
      "an index is outside its column: the graph was not validated"
    )
    return records[index]
  }
}

private final class ColumnStorage<Element: BitwiseCopyable> {
  let buffer: UnsafeMutableBufferPointer<Element>

  init(_ array: [Element]) {
    buffer = .allocate(capacity: array.count)
    _ = buffer.initialize(from: array)
  }

  /// Space for `count` records, with all bits zero.
  init(count: Int) {
    buffer = .allocate(capacity: count)
    let bytes = UnsafeMutableRawBufferPointer(buffer)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { buffer.deallocate() }
}

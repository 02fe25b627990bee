/// A column of a road graph: equal records one behind the other in memory that nobody changes.
///
/// The memory is either an array's copy or a part of a mapped file; `owner` keeps it alive.
@frozen
public struct Column<Element: BitwiseCopyable>: @unchecked Sendable {
  // Sendable without the compiler's proof: the memory is never written after `init`, and the
  // owner that frees it is kept by every copy.
  public let records: UnsafeBufferPointer<Element>
  public let owner: AnyObject?

  /// A column of memory that `owner` keeps alive and nobody writes.
  @inlinable public init(records: UnsafeBufferPointer<Element>, owner: AnyObject?) {
    self.records = records
    self.owner = owner
  }

  /// A column that holds a copy of `array`.
  public init(_ array: [Element]) {
    let storage = ColumnStorage<Element>(array)
    self.init(records: UnsafeBufferPointer(storage.buffer), owner: storage)
  }

  /// A column of `count` records that `fill` writes; nil where it says that it could not.
  init?(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    let storage = ColumnStorage<Element>(count: count)
    guard fill(UnsafeMutableRawBufferPointer(storage.buffer)) else { return nil }
    self.init(records: UnsafeBufferPointer(storage.buffer), owner: storage)
  }

  @inlinable public var count: Int { records.count }

  /// The record at `index`.
  ///
  /// Checked: maps come from files, and a wrong index must trap at its place rather than read elsewhere.
  @inlinable public subscript(index: Int) -> Element {
    precondition(
      index >= 0 && index < records.count, "an index beyond its column: the graph was not validated"
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

  /// Room for `count` records, all bits zero.
  init(count: Int) {
    buffer = .allocate(capacity: count)
    let bytes = UnsafeMutableRawBufferPointer(buffer)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { buffer.deallocate() }
}

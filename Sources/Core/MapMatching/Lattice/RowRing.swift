/// Ring buffer for the rows of a column: the rows of each step are contiguous.
///
/// They follow those of the previous step or, near the end, start again at the front. Nothing is
/// moved while there is space, and the space of removed rows is reused. It is a value: two windows
/// share no rows.
struct RowRing<Row: BitwiseCopyable & Sendable>: Sendable {
  /// The rows; those of no step contain stale values.
  private(set) var rows: [Row] = []
  /// Start of the first step's rows, and end of the last step's rows.
  ///
  /// The end precedes the start if the last rows are at the front.
  private var head = 0
  private(set) var tail = 0

  /// Bytes of memory allocated.
  var byteCount: Int { rows.capacity * MemoryLayout<Row>.stride }

  /// Reserves space for the rows of the next step and returns its start; nil if the rows must be
  /// laid out anew first.
  ///
  /// Unwritten rows contain `filler` or stale values.
  @inline(__always) mutating func push(_ count: Int, filler: @autoclosure () -> Row) -> Int? {
    if tail < head {
      // One row stays free: equal ends mean that the content is contiguous.
      guard tail + count < head else { return nil }
    } else if tail + count > rows.count {
      if count < head {
        tail = 0
      } else if tail + count <= rows.capacity {
        extend(to: tail + count, with: filler())
      } else {
        return nil
      }
    }
    defer { tail += count }
    return tail
  }

  /// Initializes some of the reserved memory, up to a quarter more than is initialized.
  private mutating func extend(to count: Int, with filler: Row) {
    let wanted = min(rows.capacity, max(count, rows.count + rows.count / 4))
    rows.append(contentsOf: repeatElement(filler, count: wanted - rows.count))
  }

  /// Removes the steps before the one whose rows start at `first`.
  @inline(__always) mutating func drop(before first: Int) { head = first }

  /// Removes all rows and optionally keeps the memory.
  mutating func removeAll(keepingRoom: Bool) {
    if !keepingRoom { rows = [] }
    (head, tail) = (0, 0)
  }

  /// Lays out the rows of steps one after the other, with a quarter of extra capacity, and returns
  /// where the rows of each step start.
  ///
  /// The last step has `more` rows, which are still to be written and contain `filler` until then.
  mutating func layOut(_ steps: [Range<Int>], more: Int = 0, filler: Row? = nil) -> [Int] {
    let count = steps.reduce(more) { $0 + $1.count }
    var laid: [Row] = []
    laid.reserveCapacity(count + count / 4)
    var firsts: [Int] = []
    for step in steps {
      firsts.append(laid.count)
      laid.append(contentsOf: rows[step])
    }
    rows = laid
    (head, tail) = (0, count)
    if let filler { extend(to: count, with: filler) }
    return firsts
  }

  /// Reserves address space for this many rows: unwritten pages use no memory.
  mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

  /// Writes rows, the first of them at `first`.
  @inline(__always) mutating func write(_ written: UnsafeBufferPointer<Row>, at first: Int) {
    rows.withUnsafeMutableBufferPointer { rows in
      _ = UnsafeMutableBufferPointer(rebasing: rows[first..<first + written.count])
        .update(fromContentsOf: written)
    }
  }

  /// Calls `body` with the rows in place, for writing.
  @inline(__always) mutating func withMutableRows<Result>(
    _ body: (UnsafeMutableBufferPointer<Row>) -> Result
  ) -> Result { rows.withUnsafeMutableBufferPointer { body($0) } }

  /// Calls `body` with the rows in place, for reading.
  @inline(__always) func withRows<Result>(_ body: (UnsafeBufferPointer<Row>) -> Result) -> Result {
    rows.withUnsafeBufferPointer(body)
  }
}

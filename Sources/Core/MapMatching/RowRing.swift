/// Rows of a column in a ring: the rows of each step lie together, behind those of the step before or, where the end is near, at the front
/// again.
///
/// Nothing is moved while there is room, and what is forgotten leaves its room to what comes. A value: two windows share no rows.
struct RowRing<Row: BitwiseCopyable & Sendable>: Sendable {
  /// Those of no step hold what is left from others.
  private(set) var rows: [Row] = []
  /// Where the rows of the first step begin, and where those of the last end; the end lies before the beginning where the last are at the
  /// front.
  private var head = 0
  private(set) var tail = 0

  /// Bytes of memory held.
  var byteCount: Int { rows.capacity * MemoryLayout<Row>.stride }

  /// Makes room for the rows of the next step, and tells where it begins; nil where all must be laid out anew for it.
  ///
  /// What is not written holds `filler`, or what is left from others.
  @inline(__always) mutating func push(_ count: Int, filler: @autoclosure () -> Row) -> Int? {
    if tail < head {
      // One row stays free: where the ends meet all is in one piece.
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

  /// Fills some of the memory that is kept, as much as a quarter of what is filled.
  private mutating func extend(to count: Int, with filler: Row) {
    let wanted = min(rows.capacity, max(count, rows.count + rows.count / 4))
    rows.append(contentsOf: repeatElement(filler, count: wanted - rows.count))
  }

  /// Forgets the steps before the one whose rows begin at `first`.
  @inline(__always) mutating func drop(before first: Int) { head = first }

  /// Forgets all, and keeps the memory or not.
  mutating func removeAll(keepingRoom: Bool) {
    if !keepingRoom { rows = [] }
    (head, tail) = (0, 0)
  }

  /// Lays the rows of steps out behind each other, with room for a quarter as many again; where the rows of each begin then.
  ///
  /// Of the last step there are `more`, which are still to be written and hold `filler` till then.
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

  /// Keeps address space for so many rows: what is not written costs no memory.
  mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

  /// Writes rows, the first of them at `first`.
  @inline(__always) mutating func write(_ written: UnsafeBufferPointer<Row>, at first: Int) {
    rows.withUnsafeMutableBufferPointer { rows in
      _ = UnsafeMutableBufferPointer(rebasing: rows[first..<first + written.count])
        .update(fromContentsOf: written)
    }
  }

  /// Lets `body` write the rows where they lie.
  @inline(__always) mutating func withMutableRows<Result>(
    _ body: (UnsafeMutableBufferPointer<Row>) -> Result
  ) -> Result { rows.withUnsafeMutableBufferPointer { body($0) } }

  /// Lets `body` read the rows where they lie.
  @inline(__always) func withRows<Result>(_ body: (UnsafeBufferPointer<Row>) -> Result) -> Result {
    rows.withUnsafeBufferPointer(body)
  }
}

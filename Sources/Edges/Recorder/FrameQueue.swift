import Synchronization
import ZMQ

/// A queue of messages from the broker, which must not wait, to the thread that writes them.
///
/// Their bytes are stored one after the other in blocks of 1 MiB. Adding a message therefore costs
/// a copy of its bytes and no allocation. When all blocks together are full, messages are dropped
/// and counted by topic.
final class FrameQueue: Sendable {
  /// The messages that the writing thread takes at once.
  struct Batch {
    var blocks: [[UInt8]] = []
    /// Messages dropped since the last batch, by topic.
    var dropped: [String: UInt64] = [:]
  }

  private struct State {
    var blocks: [[UInt8]] = []
    var spare: [[UInt8]] = []
    var bytes = 0
    var dropped: [String: UInt64] = [:]
    /// Whether the writing thread sleeps until it is woken.
    var isAsleep = false
  }

  static let blockBytes = 1 << 20
  /// Number of blocks that are kept for reuse; further ones are freed.
  static let spareBlocks = 8

  let capacity: Int
  private let wakeUp: ThreadWaker
  private let state = Mutex(State())

  init(capacity: Int) throws(BusError) {
    self.capacity = capacity
    wakeUp = try ThreadWaker()
  }

  /// Number of waiting bytes.
  var bytes: Int { state.withLock { $0.bytes } }

  func append(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64
  ) {
    let size = FrameBytes.headSize + topic.count + header.count + payload.count
    let wakes = state.withLock { state -> Bool in
      guard state.bytes + size <= capacity else {
        state.dropped[String(decoding: topic, as: UTF8.self), default: 0] += 1
        return false
      }
      let isNew = state.blocks.last.map { $0.count + size > Self.blockBytes } ?? true
      if isNew {
        var block = state.spare.popLast() ?? []
        block.reserveCapacity(max(size, Self.blockBytes))
        state.blocks.append(block)
      }
      FrameBytes.append(
        topic, header, payload, wallNS: wallNS, to: &state.blocks[state.blocks.count - 1])
      state.bytes += size
      // A thread that sleeps with a time limit wakes up by itself, but must be woken when a block
      // is full.
      let wakes = state.isAsleep || (isNew && state.blocks.count == 2)
      state.isAsleep = false
      return wakes
    }
    if wakes { wakeUp.signal() }
  }

  func wake() { wakeUp.signal() }

  /// Waits up to `timeoutMS` for input; if it is nil, until woken.
  func wait(timeoutMS: Int?) {
    let isEmpty = state.withLock { state in
      let isEmpty = state.blocks.isEmpty && state.dropped.isEmpty
      if isEmpty, timeoutMS == nil { state.isAsleep = true }
      return isEmpty
    }
    guard isEmpty || timeoutMS != nil else { return }
    var items = [wakeUp.pollItem]
    pollOrPause(&items, timeoutMS: timeoutMS ?? 1_000)
    wakeUp.drain()
  }

  /// Takes everything that waits.
  func drain() -> Batch {
    state.withLock { state in
      state.bytes = 0
      return Batch(blocks: emptied(&state.blocks), dropped: emptied(&state.dropped))
    }
  }

  /// Returns a block for reuse after its messages are written.
  func giveBack(_ block: [UInt8]) {
    var empty = block
    empty.removeAll(keepingCapacity: true)
    state.withLock { state in
      if state.spare.count < Self.spareBlocks, empty.capacity <= 2 * Self.blockBytes {
        state.spare.append(empty)
      }
    }
  }
}

/// Returns a value and leaves an empty one.
private func emptied<Value: ExpressibleByArrayLiteral>(_ value: inout Value) -> Value {
  defer { value = [] }
  return value
}

private func emptied<Key, Element>(_ value: inout [Key: Element]) -> [Key: Element] {
  defer { value = [:] }
  return value
}

/// One message in a block: four lengths and times, then topic, header, payload.
enum FrameBytes {
  static let headSize = 4 + 4 + 4 + 8

  static func append(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64, to block: inout [UInt8]
  ) {
    for part in [topic.count, header.count, payload.count] {
      withUnsafeBytes(of: UInt32(part)) { block.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: wallNS) { block.append(contentsOf: $0) }
    block.append(contentsOf: topic)
    block.append(contentsOf: header)
    block.append(contentsOf: payload)
  }

  struct Entry {
    var topic: ArraySlice<UInt8>
    var header: ArraySlice<UInt8>
    var payload: ArraySlice<UInt8>
    var wallNS: Int64
  }

  /// Decodes the message at `offset` and advances; nil at the end.
  static func next(_ block: [UInt8], _ offset: inout Int) -> Entry? {
    guard offset < block.count else { return nil }
    let start = offset
    let (topic, header, payload, wallNS) = block.withUnsafeBytes { bytes in
      (
        Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)),
        Int(bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)),
        Int(bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)),
        bytes.loadUnaligned(fromByteOffset: start + 12, as: Int64.self)
      )
    }
    let a = start + headSize
    let b = a + topic
    let c = b + header
    offset = c + payload
    return Entry(
      topic: block[a..<b], header: block[b..<c], payload: block[c..<offset], wallNS: wallNS)
  }
}

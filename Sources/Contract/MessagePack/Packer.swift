import CMsgPack

/// Writes MessagePack into one growing buffer, using msgpack-c.
///
/// Integers and lengths have their shortest form, so the same values give the same bytes as any
/// other canonical encoder. Running out of memory ends the process, as everywhere in Swift.
public struct Packer: ~Copyable {
  private var buffer = nav_buffer()

  public init() { nav_buffer_init(&buffer) }

  deinit {
    // The buffer is copied to be mutable: msgpack-c frees only what its `data` points to.
    var last = buffer
    nav_buffer_destroy(&last)
  }

  /// The bytes written so far.
  public var bytes: [UInt8] {
    [UInt8](UnsafeRawBufferPointer(start: buffer.data, count: buffer.size))
  }

  public mutating func packNil() { check(nav_pack_nil(&buffer)) }
  public mutating func pack(_ value: Bool) { check(nav_pack_bool(&buffer, value ? 1 : 0)) }
  public mutating func pack(_ value: Int64) { check(nav_pack_int64(&buffer, value)) }
  public mutating func pack(_ value: UInt64) { check(nav_pack_uint64(&buffer, value)) }
  public mutating func pack(_ value: Double) { check(nav_pack_double(&buffer, value)) }

  public mutating func pack(_ value: String) {
    var text = value
    text.withUTF8 { check(nav_pack_str(&buffer, $0.baseAddress, $0.count)) }
  }

  /// Writes a string that is known at compile time: a key or a word of an enumeration.
  public mutating func pack(_ word: StaticString) {
    check(nav_pack_str(&buffer, word.utf8Start, word.utf8CodeUnitCount))
  }

  /// Writes a byte string (`bin`).
  public mutating func pack(bytes: [UInt8]) {
    bytes.withUnsafeBytes { check(nav_pack_bin(&buffer, $0.baseAddress, $0.count)) }
  }

  /// Writes the header of an array; `count` values follow.
  public mutating func packArrayHeader(_ count: Int) { check(nav_pack_array(&buffer, count)) }

  /// Writes the header of a map; `count` pairs of key and value follow.
  public mutating func packMapHeader(_ count: Int) { check(nav_pack_map(&buffer, count)) }

  /// Starts a map whose number of entries is determined by the calls of `field`.
  public mutating func beginMap() -> OpenMap {
    let open = OpenMap(offset: buffer.size)
    check(nav_pack_nil(&buffer))
    return open
  }

  /// Ends `map`: writes its header at its start.
  public mutating func endMap(_ map: OpenMap) {
    check(nav_patch_map(&buffer, map.offset, map.count))
  }

  private func check(_ failed: Int32) {
    precondition(failed == 0, "no memory for a message")
  }
}

/// A map that is being written: its start, and its number of entries so far.
public struct OpenMap {
  let offset: Int
  var count = 0
}

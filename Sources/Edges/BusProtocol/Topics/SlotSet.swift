/// A set of a group's slots; each slot is a share of all vehicles.
///
/// A vehicle's slot is the CRC-32 (IEEE 802.3, as in zlib) of its name modulo 256.
public struct SlotSet: Hashable, Sendable {
  @inlinable public static var count: Int { 256 }
  public static let all = SlotSet(0..<count)

  @usableFromInline var words: [UInt64] = [0, 0, 0, 0]
  /// Whether everything without a vehicle is included: the last part of a handover.
  public var hasRest = false

  @inlinable public init() {}

  @inlinable public init(_ slots: some Sequence<Int>) {
    for slot in slots { insert(slot) }
  }

  /// Decodes runs from alternating first and last slots; nil if one is invalid.
  package init?(runs: [UInt64]) {
    guard runs.count % 2 == 0 else { return nil }
    for index in stride(from: 0, to: runs.count, by: 2) {
      guard runs[index] <= runs[index + 1], runs[index + 1] < Self.count else { return nil }
      for slot in runs[index]...runs[index + 1] { insert(Int(slot)) }
    }
  }

  /// First and last slot of each run, alternating.
  package var runs: [UInt64] {
    var runs: [UInt64] = []
    for slot in elements.map(UInt64.init) {
      if let last = runs.last, last + 1 == slot {
        runs[runs.count - 1] = slot
      } else {
        runs += [slot, slot]
      }
    }
    return runs
  }

  public var elements: [Int] { (0..<Self.count).filter(contains) }
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } && !hasRest }
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  @inlinable public func contains(_ slot: Int) -> Bool {
    words[slot >> 6] >> UInt64(slot & 63) & 1 == 1
  }
  @inlinable public mutating func insert(_ slot: Int) {
    words[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  public mutating func formUnion(_ other: SlotSet) {
    for index in words.indices { words[index] |= other.words[index] }
    hasRest = hasRest || other.hasRest
  }

  public mutating func formIntersection(_ other: SlotSet) {
    for index in words.indices { words[index] &= other.words[index] }
    hasRest = hasRest && other.hasRest
  }

  public mutating func subtract(_ other: SlotSet) {
    for index in words.indices { words[index] &= ~other.words[index] }
    hasRest = hasRest && !other.hasRest
  }

  /// Whether the set includes a vehicle's slot; nil stands for everything without a vehicle.
  @inlinable package func covers(_ slot: Int?) -> Bool { slot.map(contains) ?? hasRest }

  /// Whether the set includes a topic; cost: the length of its vehicle's name.
  package func covers(topic: String) -> Bool {
    TopicName.split(topic).vehicle.map { contains(vehicle: $0) } ?? hasRest
  }

  /// Whether the set contains the slot of `vehicle`; cost: the length of its name.
  public func contains(vehicle: String) -> Bool { contains(Self.slot(of: vehicle.utf8)) }

  /// The slot of a vehicle's name.
  @inlinable public static func slot(of vehicle: some Sequence<UInt8>) -> Int {
    Int(CRC32.checksum(vehicle) & 0xff)
  }
}

/// The CRC-32 of IEEE 802.3, as used by zlib and MCAP.
@usableFromInline package enum CRC32 {
  @usableFromInline static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
    }
  }

  @inlinable package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
  }
}

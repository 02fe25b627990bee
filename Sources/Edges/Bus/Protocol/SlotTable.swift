/// A set of a group's slots; each slot is a share of all vehicles.
///
/// A vehicle's slot is the CRC-32 (IEEE 802.3, as in zlib) of its name modulo 256.
public struct SlotSet: Hashable, Sendable {
  public static let count = 256
  public static let all = SlotSet(0..<count)

  private var words: [UInt64] = [0, 0, 0, 0]
  /// Whether everything without a vehicle is included: the last part of a handover.
  public var hasRest = false

  public init() {}

  public init(_ slots: some Sequence<Int>) {
    for slot in slots { insert(slot) }
  }

  /// Decodes runs from alternating first and last slots; nil if one is invalid.
  init?(runs: [UInt64]) {
    guard runs.count % 2 == 0 else { return nil }
    for index in stride(from: 0, to: runs.count, by: 2) {
      guard runs[index] <= runs[index + 1], runs[index + 1] < Self.count else { return nil }
      for slot in runs[index]...runs[index + 1] { insert(Int(slot)) }
    }
  }

  /// First and last slot of each run, alternating.
  var runs: [UInt64] {
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

  public func contains(_ slot: Int) -> Bool { words[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }
  public mutating func insert(_ slot: Int) { words[slot >> 6] |= 1 << UInt64(slot & 63) }

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
  func covers(_ slot: Int?) -> Bool { slot.map(contains) ?? hasRest }

  /// Whether the set includes a topic; cost: the length of its vehicle's name.
  func covers(topic: String) -> Bool {
    TopicName.split(topic).vehicle.map { contains(vehicle: $0) } ?? hasRest
  }

  /// Whether the set contains the slot of `vehicle`; cost: the length of its name.
  public func contains(vehicle: String) -> Bool { contains(Self.slot(of: vehicle.utf8)) }

  /// The slot of a vehicle's name.
  public static func slot(of vehicle: some Sequence<UInt8>) -> Int {
    Int(CRC32.checksum(vehicle) & 0xff)
  }
}

/// The lane of each slot of a group.
struct SlotTable: Hashable {
  /// Slots that move from one lane to another; `from` is nil for slots without a lane.
  struct Move: Hashable {
    var from: Int?
    var to: Int
    var slots: SlotSet
  }

  private var lanes = [Int?](repeating: nil, count: SlotSet.count)

  subscript(slot: Int) -> Int? { lanes[slot] }

  func slots(of lane: Int?) -> SlotSet {
    SlotSet(lanes.indices.filter { lanes[$0] == lane })
  }

  mutating func give(_ slots: SlotSet, to lane: Int) {
    for slot in slots.elements { lanes[slot] = lane }
  }

  /// Number of slots of each lane that has any.
  var counts: [Int: Int] {
    lanes.reduce(into: [:]) { counts, lane in if let lane { counts[lane, default: 0] += 1 } }
  }

  /// The minimal moves after which `wanted` share all slots, with counts that differ by at most
  /// one.
  ///
  /// An empty table is filled with equal runs in the order of the lanes.
  func moves(to wanted: [Int]) -> [Move] {
    guard !wanted.isEmpty else { return [] }
    let quotas = quotas(of: wanted)
    var free: [(slot: Int, from: Int?)] = []
    var kept: [Int: Int] = [:]
    for (slot, lane) in lanes.enumerated() {
      if let lane, kept[lane, default: 0] < quotas[lane, default: 0] {
        kept[lane, default: 0] += 1
      } else {
        free.append((slot, lane))
      }
    }
    var moves: [Move] = []
    var rest = free[...]
    for lane in wanted.sorted() {
      let share = rest.prefix(quotas[lane, default: 0] - kept[lane, default: 0])
      rest = rest.dropFirst(share.count)
      for (slot, from) in share {
        if let index = moves.firstIndex(where: { $0.from == from && $0.to == lane }) {
          moves[index].slots.insert(slot)
        } else {
          moves.append(Move(from: from, to: lane, slots: SlotSet([slot])))
        }
      }
    }
    return moves
  }

  /// The target count of each lane: those with most now get the odd slots, which minimizes moves.
  private func quotas(of wanted: [Int]) -> [Int: Int] {
    let counts = counts
    let (share, odd) = SlotSet.count.quotientAndRemainder(dividingBy: wanted.count)
    let ranked = wanted.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    return Dictionary(
      ranked.enumerated().map { ($1, $0 < odd ? share + 1 : share) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// The CRC-32 of IEEE 802.3, as used by zlib and MCAP.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
    }
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
  }
}

import BusProtocol

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

/// Hash table from states to the candidates of a step, built once per step and queried for each
/// state that its sources reach.
struct CandidateLookup: ~Copyable {
  /// Index of a candidate plus one, 0 if empty: open addressing with half of the slots free.
  private var slots = Arena<UInt32>()

  /// Inserts the candidates of a step; each has another state.
  mutating func insert(_ targets: UnsafeBufferPointer<Candidate>) {
    var count = 64
    while count < 2 * targets.count { count *= 2 }
    slots.removeAll()
    slots.fill(to: count, with: 0)
    for number in targets.indices {
      var slot = hashedSlot(of: targets[number].state.code, among: count)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }

  /// Returns the index of the candidate with `state` among `targets`, which must be the inserted
  /// ones.
  @inline(__always) func number(
    of state: TravelState, among targets: UnsafeBufferPointer<Candidate>
  ) -> Int? {
    slots.withElements { slots in
      var slot = hashedSlot(of: state.code, among: slots.count)
      while slots[slot] != 0 {
        let number = Int(slots[slot]) - 1
        if targets[number].state == state { return number }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }
}

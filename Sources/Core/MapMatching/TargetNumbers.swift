/// Which of the candidates of a step a state is of, found at once: made for a step, and asked of each state that its sources reach.
struct TargetNumbers: ~Copyable {
  /// Number of a candidate plus one, 0 where empty: open addressing with half of them free.
  private var slots = Arena<UInt32>()

  /// Takes those of a step; each has another state.
  mutating func take(_ targets: UnsafeBufferPointer<Candidate>) {
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

  /// The number of the candidate among `targets`, those that were taken, that is of `state`.
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

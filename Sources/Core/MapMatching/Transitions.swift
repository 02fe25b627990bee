/// How likely each state of a step is after each of the step before.
///
/// From most states to most others no way is in reach, and a leap costs the same wherever it begins: leaps are kept once, and of a way
/// only by how much it is likelier than a leap. So a step costs its states and its ways, and not the product of the states.
struct Transitions {
  /// A way by road.
  struct Drive: Hashable, Sendable, BitwiseCopyable {
    var from: Int32
    var to: Int32
    /// How much likelier than the leap from the one to the other.
    var gain: Double
  }

  /// Grouped by where they begin.
  let drives: UnsafeBufferPointer<Drive>
  let leaps: Leaps

  /// The likelihood of the transition between two states, the last of `before` and of `states` being on no road.
  ///
  /// 0 from a state that is less likely than `least`, which was not followed. Linear in the ways.
  func likelihood(
    from: Int, _ before: UnsafeBufferPointer<TrellisState>, to state: Int,
    _ states: UnsafeBufferPointer<TrellisState>, above least: Double
  ) -> Double {
    guard before[from].forward >= least else { return 0 }
    let isFromRoad = from < before.count - 1
    let isToRoad = state < states.count - 1
    switch (isFromRoad, isToRoad) {
    case (false, false): return leaps.stay.likelihood
    case (false, true): return leaps.join.likelihood
    case (true, false): return leaps.leave.likelihood
    case (true, true):
      let leap = leaps.jump(isTurning: states[state].isAgainst && !before[from].isAgainst)
      let drive = drives.first { Int($0.from) == from && Int($0.to) == state }
      return leap.likelihood + (drive?.gain ?? 0)
    }
  }

  /// The same of lists, which may hold more than the states.
  func backward(
    _ behind: borrowing Arena<Double>, of states: UnsafeBufferPointer<TrellisState>,
    to before: UnsafeBufferPointer<TrellisState>, above least: Double,
    into likelihoods: inout Arena<Double>
  ) {
    behind.withElements { behind in
      likelihoods.withMutableElements { likelihoods in
        backward(behind, of: states, to: before, above: least, into: likelihoods)
      }
    }
  }

  /// Takes likelihoods `behind` of the states of a step, and of what comes after them, to those of the states `before`.
  ///
  /// 0 for states below `least`, which were not followed; the largest is 1 where any is more.
  func backward(
    _ behind: UnsafeBufferPointer<Double>, of states: UnsafeBufferPointer<TrellisState>,
    to before: UnsafeBufferPointer<TrellisState>, above least: Double,
    into likelihoods: UnsafeMutableBufferPointer<Double>
  ) {
    let (last, lastBefore) = (states.count - 1, before.count - 1)
    guard last >= 0, lastBefore >= 0 else { return }
    var (along, against) = (0.0, 0.0)
    for state in 0..<last {
      if states[state].isAgainst { against += behind[state] } else { along += behind[state] }
    }
    let leave = leaps.leave.likelihood * behind[last]
    let fromAgainst = leave + leaps.jump.likelihood * (along + against)
    let fromAlong =
      leave + leaps.jump.likelihood * along + leaps.jumpAgainst.likelihood * against
    for state in 0..<lastBefore {
      likelihoods[state] = before[state].isAgainst ? fromAgainst : fromAlong
    }
    likelihoods[lastBefore] =
      leaps.stay.likelihood * behind[last] + leaps.join.likelihood * (along + against)
    for drive in drives {
      likelihoods[Int(drive.from)] += drive.gain * behind[Int(drive.to)]
    }
    var top = 0.0
    for state in before.indices {
      if before[state].forward < least { likelihoods[state] = 0 }
      if likelihoods[state] > top { top = likelihoods[state] }
    }
    guard top > 0 else { return }
    let share = 1 / top
    for state in before.indices { likelihoods[state] *= share }
  }
}

/// Transition likelihoods from each state of the previous step to each state of a step.
///
/// Between most states no path is within reach, and off-network transitions cost the same from
/// every state. They are stored once, and a path is stored only by how much likelier it is than an
/// off-network transition. Therefore a step takes time linear in its states and paths, not in the
/// product of the states.
struct Transitions {
  /// A path by road.
  struct Drive: Hashable, Sendable, BitwiseCopyable {
    var from: Int32
    var to: Int32
    /// The likelihood minus that of the off-network transition between the same states.
    var gain: Double
  }

  /// Grouped by source state.
  let drives: UnsafeBufferPointer<Drive>
  let offNetwork: OffNetworkCosts

  /// Returns the likelihood of the transition between two states; the last of `before` and of
  /// `states` is the off-road state.
  ///
  /// It is 0 from a state that is less likely than `least`, which was not followed. Linear in the
  /// paths.
  func likelihood(
    from: Int, _ before: UnsafeBufferPointer<TrellisState>, to state: Int,
    _ states: UnsafeBufferPointer<TrellisState>, above least: Double
  ) -> Double {
    guard before[from].forward >= least else { return 0 }
    let isFromRoad = from < before.count - 1
    let isToRoad = state < states.count - 1
    switch (isFromRoad, isToRoad) {
    case (false, false): return offNetwork.stay.likelihood
    case (false, true): return offNetwork.join.likelihood
    case (true, false): return offNetwork.leave.likelihood
    case (true, true):
      let breakage = offNetwork.jump(isTurning: states[state].isAgainst && !before[from].isAgainst)
      let drive = drives.first { Int($0.from) == from && Int($0.to) == state }
      return breakage.likelihood + (drive?.gain ?? 0)
    }
  }

  /// The same for buffers that may contain more elements than there are states.
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

  /// Propagates the likelihoods `behind` of the states of a step, later fixes included, to the
  /// states `before`.
  ///
  /// They are 0 for states below `least`, which were not followed. The largest is 1 if any is
  /// positive.
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
    let leave = offNetwork.leave.likelihood * behind[last]
    let fromAgainst = leave + offNetwork.jump.likelihood * (along + against)
    let fromAlong =
      leave + offNetwork.jump.likelihood * along + offNetwork.jumpAgainst.likelihood * against
    for state in 0..<lastBefore {
      likelihoods[state] = before[state].isAgainst ? fromAgainst : fromAlong
    }
    likelihoods[lastBefore] =
      offNetwork.stay.likelihood * behind[last] + offNetwork.join.likelihood * (along + against)
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

/// How likely each state of a step is after each of the step before.
///
/// From most states to most others no way is in reach, and a leap costs the same wherever it begins: leaps are kept once, and of a way
/// only by how much it is likelier than a leap. So a step costs its states and its ways, and not the product of the states.
struct Transitions: Hashable, Sendable {
  /// A way by road.
  struct Drive: Hashable, Sendable, BitwiseCopyable {
    var from: Int32
    var to: Int32
    /// How much likelier than the leap from the one to the other.
    var gain: Double
  }

  /// Grouped by where they begin.
  var drives: [Drive] = []
  var leaps = Leaps.none

  /// Forgets the ways, and keeps their memory.
  mutating func begin(_ leaps: Leaps) {
    drives.removeAll(keepingCapacity: true)
    drives.reserveCapacity(Workbench.usualCount)
    self.leaps = leaps
  }

  /// The likelihood of the transition between two states, the last of `before` and of `states` being on no road.
  ///
  /// 0 from a state that is less likely than `least`, which was not followed. Linear in the ways.
  func likelihood(
    from: Int, _ before: [TrellisState], to state: Int, _ states: [TrellisState],
    above least: Double
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
    drives.withUnsafeBufferPointer { drives in
      for drive in drives {
        likelihoods[Int(drive.from)] += drive.gain * behind[Int(drive.to)]
      }
    }
    var top = 0.0
    for state in before.indices {
      if before[state].forward < least { likelihoods[state] = 0 }
      top = Double.maximum(top, likelihoods[state])
    }
    guard top > 0 else { return }
    for state in before.indices { likelihoods[state] /= top }
  }
}

/// What transitions cost that are no drive.
struct Leaps: Hashable, Sendable, BitwiseCopyable {
  /// A price as a logarithm and as a likelihood.
  struct Price: Hashable, Sendable, BitwiseCopyable {
    var nats: Double
    var likelihood: Double

    init(nats: Double, likelihood: Double) {
      self.nats = nats
      self.likelihood = likelihood
    }

    init(nats: Double) { self.init(nats: nats, likelihood: Logs.exp(nats)) }

    /// No such transition.
    static let never = Price(nats: -.infinity, likelihood: 0)
    static let free = Price(nats: 0, likelihood: 1)

    /// Of both together.
    @inline(__always) func and(_ other: Price) -> Price {
      Price(nats: nats + other.nats, likelihood: likelihood * other.likelihood)
    }
  }

  /// From a road to no road.
  let leave: Price
  /// From no road to a road.
  let join: Price
  /// Staying on no road.
  let stay: Price
  /// From road to road by a way that the map lacks.
  let jump: Price
  /// The same to one that is driven against its direction, where the one before was not.
  let jumpAgainst: Price

  /// None at all, as before the first step.
  static let none = Leaps(
    leave: .never, join: .never, stay: .never, jump: .never, jumpAgainst: .never)

  init(leave: Price, join: Price, stay: Price, jump: Price, jumpAgainst: Price) {
    self.leave = leave
    self.join = join
    self.stay = stay
    self.jump = jump
    self.jumpAgainst = jumpAgainst
  }

  /// What leaving a road, joining one and turning against a one-way cost by themselves.
  init(_ tuning: MatcherTuning) {
    self.init(
      leave: Price(nats: -tuning.leaveRoadNats), join: Price(nats: -tuning.joinRoadNats),
      stay: .free, jump: .free, jumpAgainst: Price(nats: -tuning.wrongWayNats))
  }

  /// Those of a motion, by what they cost by themselves, and what being on no road and jumping cost in it.
  init(_ alone: Leaps, _ motion: Motion) {
    let offRoad = Price(nats: -motion.offRoadNats)
    let jump = Price(nats: -motion.jumpNats)
    self.init(
      leave: alone.leave.and(offRoad), join: alone.join.and(offRoad), stay: offRoad, jump: jump,
      jumpAgainst: alone.jumpAgainst.and(jump))
  }

  /// From road to road; `isTurning` where it ends on a one-way against its direction, and did not begin on one.
  @inline(__always) func jump(isTurning: Bool) -> Price { isTurning ? jumpAgainst : jump }
}

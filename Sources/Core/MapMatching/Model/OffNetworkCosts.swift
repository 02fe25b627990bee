/// Costs of the transitions that do not follow roads.
struct OffNetworkCosts: Hashable, Sendable, BitwiseCopyable {
  /// A cost as a logarithm and as a likelihood.
  struct Price: Hashable, Sendable, BitwiseCopyable {
    var nats: Double
    var likelihood: Double

    init(nats: Double, likelihood: Double) {
      self.nats = nats
      self.likelihood = likelihood
    }

    init(nats: Double) { self.init(nats: nats, likelihood: LogMath.exp(nats)) }

    /// An impossible transition.
    static let never = Price(nats: -.infinity, likelihood: 0)
    static let free = Price(nats: 0, likelihood: 1)

    /// Returns the cost of both transitions together.
    @inline(__always) func and(_ other: Price) -> Price {
      Price(nats: nats + other.nats, likelihood: likelihood * other.likelihood)
    }
  }

  /// From a road to off-road.
  let leave: Price
  /// From off-road to a road.
  let join: Price
  /// Staying off-road.
  let stay: Price
  /// From road to road, over a path that the map lacks.
  let jump: Price
  /// The same, onto a road driven against its direction from one that was not.
  let jumpAgainst: Price

  /// No transition is possible, as before the first step.
  static let none = OffNetworkCosts(
    leave: .never, join: .never, stay: .never, jump: .never, jumpAgainst: .never)

  init(leave: Price, join: Price, stay: Price, jump: Price, jumpAgainst: Price) {
    self.leave = leave
    self.join = join
    self.stay = stay
    self.jump = jump
    self.jumpAgainst = jumpAgainst
  }

  /// The base costs of leaving a road, joining one and turning against a one-way street.
  init(_ tuning: MatcherTuning) {
    self.init(
      leave: Price(nats: -tuning.leaveRoadNats), join: Price(nats: -tuning.joinRoadNats),
      stay: .free, jump: .free, jumpAgainst: Price(nats: -tuning.wrongWayNats))
  }

  /// Combines the base costs `alone` with the off-road and jump costs of a motion.
  init(_ alone: OffNetworkCosts, _ motion: MotionConstraints) {
    let offRoad = Price(nats: -motion.offRoadNats)
    let jump = Price(nats: -motion.jumpNats)
    self.init(
      leave: alone.leave.and(offRoad), join: alone.join.and(offRoad), stay: offRoad, jump: jump,
      jumpAgainst: alone.jumpAgainst.and(jump))
  }

  /// Returns the cost from road to road; `isTurning` if it ends against a one-way street and did
  /// not begin on one.
  @inline(__always) func jump(isTurning: Bool) -> Price { isTurning ? jumpAgainst : jump }
}

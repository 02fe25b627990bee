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

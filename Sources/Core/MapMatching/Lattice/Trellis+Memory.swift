import Foundations
import RoadGraph

extension Trellis {
  func write(to tape: inout MatcherSnapshot) {
    tape.write(firstSerial)
    tape.write(Array(steps.indices)) { $0.write($1, of: steps) }
  }

  /// Restores the steps, whose edges are all of this map.
  mutating func read(from tape: inout MatcherSnapshot) throws(MatcherSnapshot.Damaged) {
    let first = try tape.readInt()
    guard MatcherSnapshot.serials.contains(first) else { throw MatcherSnapshot.Damaged() }
    let network = network
    let read = try tape.readList { (tape) throws(MatcherSnapshot.Damaged) in
      try tape.readStep(of: network)
    }
    var window = StepWindow()
    for (before, known) in zip([nil] + read.map(Optional.some), read) {
      guard known.fits(after: before) else { throw MatcherSnapshot.Damaged() }
      window.append(known.step, known.candidates, known.states, known.drives)
    }
    take(window, firstSerial: first)
  }
}

/// A step with its rows, as read.
private struct ReadStep {
  var step: TrellisStep
  var candidates: [Candidate]
  var states: [TrellisState]
  var drives: [Transitions.Drive]

  /// Whether the columns have the right lengths; before the first step no step is known.
  func fits(after before: ReadStep?) -> Bool {
    guard states.count == candidates.count + 1 else { return false }
    guard let before else { return true }
    let earlier = before.candidates.count + 1
    return states.allSatisfy { $0.back >= -1 && $0.back < earlier }
      && drives.allSatisfy {
        before.candidates.indices.contains(Int($0.from)) && candidates.indices.contains(Int($0.to))
      }
  }
}

extension MatcherSnapshot {
  fileprivate mutating func write(_ index: Int, of steps: StepWindow) {
    let step = steps[index]
    write(step.fix)
    write(step.time)
    write(step.sigmaM)
    write(steps.candidates(at: index)) { tape, candidate in
      tape.write(candidate.state)
      tape.write(candidate.offsetM)
      tape.write(candidate.coordinate)
      tape.write(candidate.distanceM)
      tape.write(Double(candidate.course.toEast))
      tape.write(Double(candidate.course.toNorth))
    }
    write(steps.states(at: index)) { tape, state in
      tape.write(state.emission)
      tape.write(state.score)
      tape.write(state.forward)
      tape.write(Int(state.back))
      tape.write(state.move)
      tape.write(state.isNext)
    }
    write(steps.drives(at: index)) { tape, drive in
      tape.write(Int(drive.from))
      tape.write(Int(drive.to))
      tape.write(drive.gain)
    }
    write(step.leaps)
    write(step.isNear)
    write(step.isWide)
    write(step.isSparse)
  }

  fileprivate mutating func readStep(
    of network: MatchingNetwork
  ) throws(Damaged) -> ReadStep {
    let fix = try readFix()
    var step = TrellisStep(fix: fix, time: try readInstant())
    step.sigmaM = try readDouble()
    let candidates = try readList { (tape) throws(Damaged) in
      let state = try tape.readState()
      guard state.edge.index < network.graph.edgeCount else { throw Damaged() }
      return Candidate(
        lane: network.lane(state), offsetM: try tape.readDouble(),
        coordinate: try tape.readPlace(), distanceM: try tape.readDouble(),
        course: DirectionVector(
          toEast: Float(try tape.readDouble()), toNorth: Float(try tape.readDouble())))
    }
    var states = try readList { (tape) throws(Damaged) in try tape.readTrellisState() }
    for (state, candidate) in zip(states.indices, candidates) {
      states[state].isAgainst = candidate.state.isAgainst
    }
    let drives = try readList { (tape) throws(Damaged) in try tape.readDrive() }
    step.leaps = try readOffNetworkCosts()
    step.isNear = try readBool()
    step.isWide = try readBool()
    step.isSparse = try readBool()
    return ReadStep(step: step, candidates: candidates, states: states, drives: drives)
  }

  private mutating func readDrive() throws(Damaged) -> Transitions.Drive {
    guard let from = Int32(exactly: try readInt()), let to = Int32(exactly: try readInt()) else {
      throw Damaged()
    }
    return Transitions.Drive(from: from, to: to, gain: try readDouble())
  }

  private mutating func write(_ leaps: OffNetworkCosts) {
    for price in [leaps.leave, leaps.join, leaps.stay, leaps.jump, leaps.jumpAgainst] {
      write(price.nats)
      write(price.likelihood)
    }
  }

  private mutating func readOffNetworkCosts() throws(Damaged) -> OffNetworkCosts {
    OffNetworkCosts(
      leave: try readPrice(), join: try readPrice(), stay: try readPrice(),
      jump: try readPrice(), jumpAgainst: try readPrice())
  }

  private mutating func readPrice() throws(Damaged) -> OffNetworkCosts.Price {
    OffNetworkCosts.Price(nats: try readDouble(), likelihood: try readDouble())
  }

  private mutating func readTrellisState() throws(Damaged) -> TrellisState {
    var state = TrellisState(emission: try readDouble())
    state.score = try readDouble()
    state.forward = try readDouble()
    guard let back = Int32(exactly: try readInt()) else { throw Damaged() }
    state.back = back
    state.move = try readMove()
    state.isNext = try readBool()
    return state
  }

  private mutating func write(_ move: TransitionKind) {
    switch move {
    case .start: write(0)
    case .drive(let isBackward):
      write(1)
      write(isBackward)
    case .jump: write(2)
    case .offRoad: write(3)
    }
  }

  private mutating func readMove() throws(Damaged) -> TransitionKind {
    switch try readInt() {
    case 0: return .start
    case 1: return .drive(isBackward: try readBool())
    case 2: return .jump
    case 3: return .offRoad
    default: throw Damaged()
    }
  }
}

import Foundations
import RoadGraph

extension Trellis {
  func write(to snapshot: inout MatcherSnapshot) {
    snapshot.write(firstSerial)
    snapshot.write(Array(steps.indices)) { $0.write($1, of: steps) }
  }

  /// Restores the steps, whose edges are all of this map.
  mutating func read(from snapshot: inout MatcherSnapshot) throws(MatcherSnapshot.Damaged) {
    let first = try snapshot.readInt()
    guard MatcherSnapshot.serials.contains(first) else { throw MatcherSnapshot.Damaged() }
    let network = network
    let read = try snapshot.readList { (snapshot) throws(MatcherSnapshot.Damaged) in
      try snapshot.readStep(of: network)
    }
    var window = StepWindow()
    for (before, known) in zip([nil] + read.map(Optional.some), read) {
      guard known.fits(after: before) else { throw MatcherSnapshot.Damaged() }
      window.append(known.step, known.candidates, known.states, known.drives)
    }
    adopt(window, firstSerial: first)
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
    write(steps.candidates(at: index)) { snapshot, candidate in
      snapshot.write(candidate.state)
      snapshot.write(candidate.offsetM)
      snapshot.write(candidate.coordinate)
      snapshot.write(candidate.distanceM)
      snapshot.write(Double(candidate.course.toEast))
      snapshot.write(Double(candidate.course.toNorth))
    }
    write(steps.states(at: index)) { snapshot, state in
      snapshot.write(state.emission)
      snapshot.write(state.score)
      snapshot.write(state.forward)
      snapshot.write(Int(state.back))
      snapshot.write(state.move)
      snapshot.write(state.isNext)
    }
    write(steps.drives(at: index)) { snapshot, drive in
      snapshot.write(Int(drive.from))
      snapshot.write(Int(drive.to))
      snapshot.write(drive.gain)
    }
    write(step.offNetwork)
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
    let candidates = try readList { (snapshot) throws(Damaged) in
      let state = try snapshot.readState()
      guard state.edge.index < network.graph.edgeCount else { throw Damaged() }
      return Candidate(
        directed: network.directed(state), offsetM: try snapshot.readDouble(),
        coordinate: try snapshot.readPlace(), distanceM: try snapshot.readDouble(),
        course: DirectionVector(
          toEast: Float(try snapshot.readDouble()), toNorth: Float(try snapshot.readDouble())))
    }
    var states = try readList { (snapshot) throws(Damaged) in try snapshot.readTrellisState() }
    for (state, candidate) in zip(states.indices, candidates) {
      states[state].isAgainst = candidate.state.isAgainst
    }
    let drives = try readList { (snapshot) throws(Damaged) in try snapshot.readDrive() }
    step.offNetwork = try readOffNetworkCosts()
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

  private mutating func write(_ offNetwork: OffNetworkCosts) {
    for price in [
      offNetwork.leave, offNetwork.join, offNetwork.stay, offNetwork.jump, offNetwork.jumpAgainst,
    ] {
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

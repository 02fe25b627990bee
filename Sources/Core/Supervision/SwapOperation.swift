import StackFile

/// Replaces the program of a node, process by process.
///
/// All new processes are started and ready before the first takes over, so that a program that
/// cannot start changes nothing.
package struct SwapOperation: StackOperation {
  /// One process of the node, and the standby for it.
  private struct Place {
    var plan: ProcessPlan
    /// Key of the standby among the processes.
    var standby: String
    var isReady = false
    var report: HandoverReport?
  }

  private enum Phase: Hashable {
    case judging
    case starting
    /// The broker is ordered to let a standby shadow its member.
    case beginningShadow(Int)
    case shadowing(untilS: Double)
    case handingOver(Int)
    /// The broker received the order too early, and will receive it again.
    case waiting(Int, isShadow: Bool, untilS: Double)
    case done
  }

  private let node: String
  private let shadowS: Double
  private let isDryRun: Bool
  private var places: [Place]
  private var successor: Successor?
  private var phase = Phase.judging
  private var beganS = 0.0
  private var preparedS = 0.0
  /// Time after which it is no longer too early for the broker.
  private var patienceEndS = 0.0

  /// Maximum delay until the broker knows that a standby is ready.
  static let patienceS = 2.0
  static let pauseS = 0.02

  /// `plans` are those of the node's present processes; `serial` is a number for the names of
  /// standbys that no other operation has.
  package init(
    node: String, plans: [ProcessPlan], serial: Int, shadowS: Double = 0, isDryRun: Bool = false
  ) {
    self.node = node
    self.shadowS = shadowS
    self.isDryRun = isDryRun
    places = plans.map { Place(plan: $0, standby: "\($0.process.name)+\(serial)") }
  }

  package var deadlineS: Double? {
    switch phase {
    case .shadowing(let until), .waiting(_, _, let until): until
    case .judging, .starting, .beginningShadow, .handingOver, .done: nil
    }
  }

  package mutating func handle(_ event: OperationEvent, atS now: Double) -> [OperationAction] {
    switch (event, phase) {
    case (_, .done): return []
    case (.begin, _):
      beganS = now
      return [.judge]
    case (.judged(.failure(let failure)), .judging): return fail(failure)
    case (.judged(.success(let successor)), .judging): return start(successor)
    case (.ready(let name), .starting): return ready(name, now)
    case (.left(let name, let reason), _): return left(name, reason)
    case (.tick, .shadowing(let until)): return until <= now ? start(0, now) : []
    case (.tick, .waiting(let index, let isShadow, let until)) where until <= now:
      return isShadow ? shadow(index) : handOver(index)
    case (.outcome(let report), .beginningShadow(let index)): return shadowed(report, index, now)
    case (.outcome(let report), .handingOver(let index)): return outcome(report, index, now)
    case (.stop, _): return fail(OperationFailure("failed", "the stack is stopping"))
    default: return []
    }
  }

  private mutating func start(_ successor: Successor) -> [OperationAction] {
    self.successor = successor
    phase = .starting
    return places.indices.map { index in
      places[index].plan.node = successor.node
      places[index].plan.program = successor.program
      places[index].plan.parameters = successor.parameters
      places[index].plan.isStandby = true
      return .admit(places[index].standby, places[index].plan)
    }
  }

  private mutating func ready(_ name: String, _ now: Double) -> [OperationAction] {
    guard let index = places.firstIndex(where: { $0.standby == name }) else { return [] }
    places[index].isReady = true
    guard places.allSatisfy(\.isReady) else { return [] }
    preparedS = now - beganS
    guard shadowS > 0 else { return start(0, now) }
    patienceEndS = now + Self.patienceS
    return shadow(0)
  }

  private mutating func shadow(_ index: Int) -> [OperationAction] {
    phase = .beginningShadow(index)
    return [.shadow(name: places[index].plan.process.name)]
  }

  private mutating func shadowed(
    _ report: HandoverReport, _ index: Int, _ now: Double
  ) -> [OperationAction] {
    if report.isEarly, now < patienceEndS {
      phase = .waiting(index, isShadow: true, untilS: now + Self.pauseS)
      return []
    }
    if let failure = report.failure {
      let name = places[index].plan.process.name
      return fail(
        OperationFailure(
          "failed", "the shadow of \(name) did not start: \(failure)", of: places[index].standby))
    }
    patienceEndS = now + Self.patienceS
    guard index + 1 == places.count else { return shadow(index + 1) }
    phase = .shadowing(untilS: now + shadowS)
    return []
  }

  private mutating func start(_ index: Int, _ now: Double) -> [OperationAction] {
    patienceEndS = now + Self.patienceS
    return handOver(index)
  }

  private mutating func handOver(_ index: Int) -> [OperationAction] {
    if isDryRun { return finish() }
    guard places.indices.contains(index) else { return finish() }
    phase = .handingOver(index)
    return [.handOver(name: places[index].plan.process.name)]
  }

  private mutating func outcome(
    _ report: HandoverReport, _ index: Int, _ now: Double
  ) -> [OperationAction] {
    let place = places[index]
    if report.isEarly, now < patienceEndS {
      phase = .waiting(index, isShadow: false, untilS: now + Self.pauseS)
      return []
    }
    if let failure = report.failure {
      return fail(
        OperationFailure(
          "failed", "\(place.plan.process.name) was not handed over: \(failure)", of: place.standby)
      )
    }
    places[index].report = report
    return [.promote(place.standby, as: place.plan.process.name)] + start(index + 1, now)
  }

  private mutating func left(_ name: String, _ reason: String) -> [OperationAction] {
    guard let place = places.first(where: { $0.standby == name && $0.report == nil }) else {
      return []
    }
    // The broker has also noticed, and its report decides: the new process may have taken over
    // before it died.
    switch phase {
    case .handingOver(let index), .beginningShadow(let index):
      if places[index].standby == name { return [] }
    case .judging, .starting, .shadowing, .waiting, .done: break
    }
    return fail(
      OperationFailure(
        "not_ready",
        "the new \(place.plan.process.name) ended \(place.isReady ? "before it took over" : "before it was ready"): \(reason)"
      ))
  }

  private mutating func fail(_ failure: OperationFailure) -> [OperationAction] {
    let done = places.filter { $0.report != nil }.map(\.plan.process.name)
    let rest = places.filter { $0.report == nil }.map(\.plan.process.name)
    phase = .done
    var failure = failure
    if !done.isEmpty {
      failure.message +=
        "; \(done.joined(separator: ", ")) already run the new program, "
        + "\(rest.joined(separator: ", ")) the old one"
    }
    guard successor != nil else { return [.finish(.failure(failure))] }
    return places.filter { $0.report == nil }.map { .discard($0.standby) }
      + [.finish(.failure(failure))]
  }

  private mutating func finish() -> [OperationAction] {
    phase = .done
    guard let successor else { return [] }
    if isDryRun {
      return places.map { .discard($0.standby) }
        + [.finish(.success(.swapped(program: successor.program, [], preparedS: preparedS)))]
    }
    let reports = places.compactMap { place in place.report.map { (place.plan.process.name, $0) } }
    return [
      .settle(successor),
      .finish(.success(.swapped(program: successor.program, reports, preparedS: preparedS))),
    ]
  }
}

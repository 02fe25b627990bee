import StackFile

/// Changes how many processes share the vehicles of a node.
///
/// New processes are ready before the first vehicle moves. Processes to be removed have given all
/// vehicles away before they are ended.
package struct ScaleOperation: StackOperation {
  private enum Phase {
    case starting
    case moving
    /// A move failed, and the moves before it are undone.
    case undoing(OperationFailure)
    case done
  }

  private let node: String
  /// The present processes, in the order of their numbers.
  private let present: [ProcessPlan]
  private let added: [ProcessPlan]
  private let kept: [ProcessPlan]
  private var waiting: Set<String>
  private var phase = Phase.starting

  package init(node: String, present: [ProcessPlan], kept: [ProcessPlan], added: [ProcessPlan]) {
    self.node = node
    self.present = present
    self.kept = kept
    self.added = added
    waiting = Set(added.map(\.process.name))
  }

  package var deadlineS: Double? { nil }

  package mutating func handle(_ event: OperationEvent, atS now: Double) -> [OperationAction] {
    switch (event, phase) {
    case (_, .done): return []
    case (.begin, .starting):
      return added.map { .admit($0.process.name, $0) } + (added.isEmpty ? move() : [])
    case (.ready(let name), .starting):
      guard waiting.remove(name) != nil, waiting.isEmpty else { return [] }
      return move()
    case (.left(let name, let reason), .starting):
      guard added.contains(where: { $0.process.name == name }) else { return [] }
      return fail(OperationFailure("not_ready", "\(name) ended before it was ready: \(reason)"))
    case (.outcome(let report), .moving): return outcome(report)
    case (.outcome(let report), .undoing(let failure)): return undone(report, failure)
    case (.stop, _): return fail(OperationFailure("failed", "the stack is stopping"))
    default: return []
    }
  }

  private mutating func move() -> [OperationAction] {
    phase = .moving
    return [.rescale(group: node, lanes: lanes(of: kept + added))]
  }

  private func lanes(of plans: [ProcessPlan]) -> [Int] {
    plans.compactMap(\.process.lane)
  }

  private mutating func outcome(_ report: HandoverReport) -> [OperationAction] {
    if let failure = report.failure {
      phase = .undoing(OperationFailure("failed", "the vehicles were not moved: \(failure)"))
      return [.rescale(group: node, lanes: lanes(of: present))]
    }
    phase = .done
    let gone = present.map(\.process.name).filter { name in
      !kept.contains { $0.process.name == name }
    }
    let count = kept.count + added.count
    return added.map { .promote($0.process.name, as: $0.process.name) } + gone.map { .retire($0) }
      + [
        .resize(node: node, replicas: count),
        .finish(.success(.scaled(before: present.count, after: count, report))),
      ]
  }

  private mutating func undone(
    _ report: HandoverReport, _ failure: OperationFailure
  ) -> [OperationAction] {
    guard let trouble = report.failure else { return fail(failure) }
    // Some of the new processes have vehicles, so all of them stay.
    phase = .done
    let failure = OperationFailure(
      failure.code,
      "\(failure.message); vehicles that had moved could not be moved back either (\(trouble)), so "
        + "\((present + added).count) processes continue")
    return added.map { .promote($0.process.name, as: $0.process.name) }
      + [.resize(node: node, replicas: present.count + added.count), .finish(.failure(failure))]
  }

  private mutating func fail(_ failure: OperationFailure) -> [OperationAction] {
    phase = .done
    return added.map { .discard($0.process.name) } + [.finish(.failure(failure))]
  }
}

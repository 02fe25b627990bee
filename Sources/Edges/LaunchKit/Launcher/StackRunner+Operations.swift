import BusClient
import BusProtocol
import CLinux
import Messages
import NodeKit
import Stage

// Executes the decisions of operations that change the running stack.
extension StackRunner {
  /// Passes arrived events to the operation in progress; must be called once per turn.
  func advanceOperation() {
    for event in operationMail.take() { pendingOperationEvents.append(event) }
    if let deadline = operation?.deadlineS, deadline <= nowS {
      pendingOperationEvents.append(.tick)
    }
    if supervisor.isStopping, operation != nil { pendingOperationEvents.append(.stop) }
    while !pendingOperationEvents.isEmpty {
      let event = pendingOperationEvents.removeFirst()
      if case .judged = event {
        judgeThread?.join()
        judgeThread = nil
      }
      for action in operation?.handle(event, atS: nowS) ?? [] { perform(action) }
    }
  }

  /// Starts an operation; its call is answered when it ends.
  func begin(
    _ operation: any StackOperation, for call: IncomingCall, judging judge: ReplacementCheck?
  ) {
    self.operation = operation
    endErrors = [:]
    operationCall = call
    operationJudge = judge
    pendingOperationEvents = [.begin]
  }

  private func perform(_ action: OperationAction) {
    switch action {
    case .judge: judgeThread = operationJudge?.judge(into: operationMail)
    case .admit(let key, let plan): admit(key, plan)
    case .handOver(let name):
      perform(.yield(name))
      let mail = operationMail
      witness?.handOver(name) { mail.put(.outcome($0)) }
    case .shadow(let name):
      let mail = operationMail
      witness?.shadow(name) { mail.put(.outcome($0)) }
    case .rescale(let group, let lanes):
      let mail = operationMail
      witness?.rescale(group, lanes: lanes) { mail.put(.outcome($0)) }
    case .adopt(let standby, let name): adopt(standby, as: name)
    case .dismiss(let name):
      perform(Supervisor.Event.dismiss(name))
      if children[name] == nil { plans[name] = nil }
    case .retire(let name): perform(Supervisor.Event.retire(name))
    case .settle(let successor): settle(successor)
    case .resize(let node, let replicas): resize(node, replicas)
    case .finish(let result): finish(result)
    }
  }

  private func admit(_ key: String, _ plan: ProcessPlan) {
    guard let node = plan.node else { return }
    plans[key] = plan
    let process = StackProcess(name: key, node: plan.process.node, lane: plan.process.lane)
    perform(Supervisor.Event.admit(process, node, .standby))
  }

  /// Exchanges names of processes, plans and lines together with the place.
  private func adopt(_ standby: String, as name: String) {
    if var plan = plans[standby] {
      plan.isStandby = false
      if standby != name {
        plans[standby] = plans[name]
        (children[standby], children[name]) = (children[name], children[standby])
        log.exchange(standby, name)
      }
      plans[name] = plan
    }
    perform(Supervisor.Event.adopt(standby, as: name))
    if children[standby] == nil { plans[standby] = nil }
  }

  /// Handles the end of a process that was not a member.
  func left(_ name: String, _ reason: String) {
    plans[name] = nil
    peakBytes[name] = nil
    let error = log.lastError(of: name).map { ": \($0)" } ?? ""
    if operation != nil { endErrors[name] = log.lastError(of: name) }
    log.forget(name)
    pendingOperationEvents.append(.left(name, reason: reason + error))
  }

  private func settle(_ successor: Successor) {
    let name = successor.node.name.value
    guard let index = stack.file.nodes.firstIndex(where: { $0.name.value == name }) else { return }
    let replicas = stack.file.nodes[index].replicas
    stack.file.nodes[index] = successor.node
    stack.file.nodes[index].replicas = replicas
    stack.declared[name] = successor.manifest
    stack.manifests[name] = successor.manifest.wired(successor.node.wiring)
    stack.parameters[name] = successor.parameters
  }

  private func resize(_ node: String, _ replicas: Int) {
    guard let index = stack.file.nodes.firstIndex(where: { $0.name.value == node }) else { return }
    stack.file.nodes[index].replicas?.value = replicas
  }

  private func finish(_ result: Result<OperationResult, OperationFailure>) {
    operation = nil
    operationJudge = nil
    for node in supervisor.nodes where node.mayLeave { perform(.keep(node.name)) }
    guard let call = operationCall else { return }
    operationCall = nil
    switch result {
    case .success(let result):
      if let node = subject(of: call) { failedOrders[node] = nil }
      log.say("nav", result.text)
      witness?.reply(to: call, .ok(payload: reply(result)))
    case .failure(var failure):
      if let process = failure.process {
        if children[process] != nil { hear(process) }
        if let line = endErrors[process] ?? log.lastError(of: process) {
          failure.message += "; its last error: \(line)"
        }
      }
      recordFailedOrder(call, failure)
      log.say("nav", "\(call.name): \(failure.message)", isError: true)
      witness?.reply(
        to: call, .failed(code: failure.code, message: failure.message, field: nil))
    }
  }

  /// Records a swap or change of scale that was refused or undone, for `stack/nodes`.
  func recordFailedOrder(_ call: IncomingCall, _ failure: OperationFailure) {
    guard [StackSwapRequest.call, StackScaleRequest.call].contains(call.name),
      let node = subject(of: call)
    else { return }
    failedOrders[node] = FailedOrder(
      text: "\(call.name): \(failure.message)", wallNS: wallClockNS())
  }

  /// The node of the stack file that an order refers to.
  private func subject(of call: IncomingCall) -> String? {
    let name =
      call.name == StackSwapRequest.call
      ? (try? StackSwapRequest(decoding: call.payload))?.node
      : (try? StackScaleRequest(decoding: call.payload))?.node
    return supervisor.nodes.first { $0.name == name || $0.node == name }?.node
  }

  /// The plans of a node's member processes, by number.
  func memberPlans(of node: String) -> [ProcessPlan] {
    supervisor.nodes.filter { $0.node == node && $0.role == .member }.compactMap { plans[$0.name] }
      .sorted { ($0.process.lane ?? 0, $0.process.name) < ($1.process.lane ?? 0, $1.process.name) }
  }

  /// Unused lanes, the smallest first.
  func freeLanes(_ count: Int) -> [Int] {
    let taken = Set(plans.values.compactMap(\.process.lane))
    return Array((1...StackFile.mostReplicas).lazy.filter { !taken.contains($0) }.prefix(count))
  }
}

/// A swap or change of scale that was not carried out, and when.
struct FailedOrder: Hashable {
  var text: String
  /// By the clock of the machine, nanoseconds since 1970.
  var wallNS: Int64
}

extension OperationResult {
  /// For the launcher's log.
  var text: String {
    switch self {
    case .swapped(let program, let handovers, _):
      guard !handovers.isEmpty else { return "\(program) is compatible" }
      let names = handovers.map(\.process).joined(separator: ", ")
      let heldMS = handovers.map(\.1.heldMS).max() ?? 0
      return "\(names) is now \(program); input was held \(Figures.plain(heldMS)) ms"
    case .scaled(let before, let after, let report):
      return
        "scaled from \(before) to \(after) replicas; \(report.count) slots moved, input was held "
        + "\(Figures.plain(report.heldMS)) ms"
    }
  }
}

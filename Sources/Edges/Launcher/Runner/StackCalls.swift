import BusClient
import BusProtocol
import CLinux
import MessagePack
import Messages
import StackFile
import Supervision

/// The calls that the launcher serves.
enum StackCalls {
  static let names = [
    "stack/nodes", "stack/log", "stack/restart", "stack/stop", "stack/start", "stack/swap",
    "stack/scale",
  ]
}

// The answers to calls about the stack.
extension StackRunner {
  /// Answers a call, or starts the operation that will answer it.
  func serve(_ call: IncomingCall) {
    do {
      if let payload = try reply(to: call) { bus.client?.reply(to: call, .ok(payload: payload)) }
    } catch let error as DecodeError {
      refuse(call, OperationFailure("invalid", "\(error)"), field: error.field)
    } catch let failure as OperationFailure {
      recordFailedOrder(call, failure)
      refuse(call, failure)
    } catch {
      refuse(call, OperationFailure("internal", "\(error)"))
    }
  }

  private func refuse(_ call: IncomingCall, _ failure: OperationFailure, field: String? = nil) {
    bus.client?.reply(to: call, .failed(code: failure.code, message: failure.message, field: field))
  }

  /// The answer; nil if it follows later.
  private func reply(to call: IncomingCall) throws -> [UInt8]? {
    switch call.name {
    case "stack/nodes":
      _ = try StackNodesRequest(decoding: call.payload)
      return StackNodesReply(stack: stack.file.name, processes: reports()).encoded()
    case "stack/log":
      let request = try StackLogRequest(decoding: call.payload)
      guard let (last, lines) = log.lines(of: request.node, after: request.after ?? 0) else {
        throw unknown(request.node)
      }
      return StackLogReply(last: last, lines: lines).encoded()
    case "stack/restart":
      let names = try members(StackRestartRequest(decoding: call.payload).node)
      for name in names {
        orders.askedBy[name] = call.source
        perform(Supervisor.Event.restartProcess(name))
      }
      return StackRestartReply(processes: names).encoded()
    case "stack/stop":
      let names = try members(StackStopRequest(decoding: call.payload).node)
      for name in names {
        orders.askedBy[name] = call.source
        perform(Supervisor.Event.stopProcess(name))
      }
      return StackStopReply(processes: names).encoded()
    case "stack/start":
      let names = try members(StackStartRequest(decoding: call.payload).node)
      for name in names { perform(Supervisor.Event.startProcess(name)) }
      return StackStartReply(processes: names).encoded()
    case "stack/swap":
      try startSwap(StackSwapRequest(decoding: call.payload), call)
      return nil
    case "stack/scale":
      try startScale(StackScaleRequest(decoding: call.payload), call)
      return nil
    default:
      throw OperationFailure("no_such_service", "\(call.name) is not answered here")
    }
  }

  /// Members, by the name of a process or of their node.
  private func members(_ name: String) throws(OperationFailure) -> [String] {
    guard !orders.isBusy else { throw busy }
    let names = supervisor.processes.filter {
      $0.role == .member && ($0.name == name || $0.node == name)
    }.map(\.name)
    guard !names.isEmpty else { throw unknown(name) }
    return names
  }

  private var busy: OperationFailure {
    OperationFailure("busy", "a swap or a scaling operation is in progress")
  }

  private func unknown(_ name: String) -> OperationFailure {
    let names = supervisor.processes.filter { $0.role == .member }.flatMap { [$0.name, $0.node] }
    let nearest =
      Suggestion.nearest(to: name, among: names).map { " (did you mean \"\($0)\"?)" } ?? ""
    return OperationFailure("no_such_node", "the stack has no node \"\(name)\"\(nearest)")
  }

  private func reports() -> [WireStackProcess] {
    let (now, wallNS) = (nowS, wallClockNS())
    return supervisor.processes.map { process in
      let plan = processes.plans[process.name]
      let pid = processes.pid(of: process.name)
      return WireStackProcess(
        name: process.name, node: process.node, program: plan?.program ?? "",
        state: WireStackProcess.State(rawValue: process.phase.word) ?? .pending,
        role: WireStackProcess.Role(rawValue: process.role.rawValue) ?? .member,
        pid: pid.map(Int64.init), lane: plan?.process.lane.map { UInt64($0) },
        restarts: UInt64(process.history.restarts), uptimeS: process.uptimeS(atS: nowS),
        cpuS: pid.map { Double(clinux_cpu_ns_of($0)) / 1e9 } ?? 0,
        memoryBytes: UInt64(pid.map { max(0, clinux_resident_bytes_of($0)) } ?? 0),
        lost: bus.losses.lost(of: process.name), lastEnd: process.history.lastEnd,
        lastEndWallNs: process.history.lastEndS.map { wallNS - Int64((now - $0) * 1e9) },
        stoppedBy: process.history.wasAskedToEnd ? orders.askedBy[process.name] : nil,
        note: processes.note(of: process.name),
        failedOrder: orders.failed[process.node]?.text,
        failedOrderWallNs: orders.failed[process.node]?.wallNS)
    }
  }

  private func startSwap(_ request: StackSwapRequest, _ call: IncomingCall) throws {
    let names = try members(request.node)
    guard let plan = processes.plans[names[0]], var node = stack.file.node(plan.process.node) else {
      throw OperationFailure(
        "invalid", "the broker cannot be swapped, because its sockets cannot be handed over")
    }
    let down = supervisor.processes.first { names.contains($0.name) && !$0.isReady }
    if let down {
      throw OperationFailure(
        "not_ready", "\(down.name) is \(down.phase.word): only a node that is ready can hand over")
    }
    guard let words = CommandWords.split(request.run), !words.isEmpty else {
      throw OperationFailure("invalid", "run: expected a program, found \"\(request.run)\"")
    }
    node.run = Located(words, at: StackOverrides.place)
    if !request.args.isEmpty { node.arguments = request.args }
    for (key, value) in request.params.sorted(by: { $0.key < $1.key }) {
      let entry = YAMLValue.Entry(
        Located(key, at: StackOverrides.place),
        YAMLValue(.text(value, isQuoted: false), at: StackOverrides.place))
      node.parameters.removeAll { $0.key.value == key }
      node.parameters.append(entry)
    }
    let swap = SwapOperation(
      node: plan.process.node, plans: names.compactMap { processes.plans[$0] },
      serial: orders.nextSerial(),
      shadowS: request.shadowS, isDryRun: request.dryRun)
    let check = ReplacementCheck(
      stack: stack, node: node, folder: options.folder, environment: options.environment)
    orders.start(
      swap, for: call, judging: ReplacementJudge(check: check, programs: options.search))
  }

  private func startScale(_ request: StackScaleRequest, _ call: IncomingCall) throws {
    let names = try members(request.node)
    guard let node = stack.file.node(request.node), node.replicas != nil else {
      throw OperationFailure(
        "invalid",
        "\(request.node) has no replicas in the stack file: write replicas: \(names.count)")
    }
    guard (1...UInt64(StackFile.mostReplicas)).contains(request.replicas) else {
      throw OperationFailure(
        "invalid", "replicas: \(request.replicas) is not from 1 to \(StackFile.mostReplicas)")
    }
    let present = memberPlans(of: request.node)
    if let down = supervisor.processes.first(where: { names.contains($0.name) && !$0.isReady }) {
      throw OperationFailure(
        "not_ready", "\(down.name) is \(down.phase.word): its vehicles cannot be moved now")
    }
    let count = Int(request.replicas)
    let lanes = processes.freeLanes(max(0, count - present.count))
    guard lanes.count >= count - present.count else {
      throw OperationFailure(
        "invalid", "a stack supports at most \(StackFile.mostReplicas) replicas in total")
    }
    // A process that has just given its vehicles away may still be running.
    let taken = Set(supervisor.processes.map(\.name))
    let free = (0...).lazy.map { NodeSettings.replicaName(request.node, $0) }
      .filter { !taken.contains($0) }.prefix(lanes.count)
    let added = zip(free, lanes).map { name, lane -> ProcessPlan in
      var plan = present[0]
      plan.process = StackProcess(name: name, node: request.node, lane: lane)
      return plan
    }
    let scale = ScaleOperation(
      node: request.node, present: present, kept: Array(present.prefix(count)), added: added)
    orders.start(scale, for: call, judging: nil)
  }

  /// Records a swap or change of scale that was refused or undone, for `stack/nodes`.
  func recordFailedOrder(_ call: IncomingCall, _ failure: OperationFailure) {
    guard [StackSwapRequest.call, StackScaleRequest.call].contains(call.name),
      let node = subject(of: call)
    else { return }
    orders.recordFailure(
      of: node,
      FailedOrder(text: "\(call.name): \(failure.message)", wallNS: wallClockNS()))
  }

  /// The node of the stack file that an order refers to.
  func subject(of call: IncomingCall) -> String? {
    let name =
      call.name == StackSwapRequest.call
      ? (try? StackSwapRequest(decoding: call.payload))?.node
      : (try? StackScaleRequest(decoding: call.payload))?.node
    return supervisor.processes.first { $0.name == name || $0.node == name }?.node
  }

  /// The answer for an operation that succeeded.
  func reply(_ result: OperationResult) -> [UInt8] {
    switch result {
    case .swapped(let program, let handovers, let preparedS):
      return StackSwapReply(
        program: program,
        handovers: handovers.map { process, report in
          WireStackHandover(
            process: process, heldMs: report.heldMS, stateBytes: UInt64(report.stateBytes),
            callsHeld: UInt64(report.count),
            pid: processes.pid(of: process).map { Int64($0) })
        }, prepareS: preparedS, notes: handovers.flatMap { $1.notes(of: $0) }
      ).encoded()
    case .scaled(let before, let after, let report):
      return StackScaleReply(
        before: UInt64(before), after: UInt64(after), slotsMoved: UInt64(report.count),
        handovers: UInt64(report.handovers), heldMs: report.heldMS
      ).encoded()
    }
  }
}

extension HandoverReport {
  /// Lines for people about a handover that succeeded.
  func notes(of process: String) -> [String] {
    [shadowResult(of: process), remark.map { "\(process): \($0)" }].compactMap { $0 }
  }

  /// The result of an earlier shadow; nil without one.
  func shadowResult(of process: String) -> String? {
    guard let compared else { return nil }
    let first = difference.map { "; the first: \($0)" } ?? ""
    return "\(process): \(compared) messages compared, \(different) different\(first)"
  }
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

import BusClient
import BusProtocol
import Foundation
import Stage

extension StackRunner {
  /// Starts the calls and the check when all nodes are ready.
  func begin() {
    let isCheck = options.checkS != nil
    log.say("nav", "all ready; NAV_BUS=\(address.base)")
    options.whenReady?()
    guard isCheck || !stack.file.start.isEmpty else { return }
    let now = nowS
    if let checkS = options.checkS {
      checkEndS = now + checkS
      let expectations = Expectations(
        stack.file.expectations, until: stack.file.until, vehicle: vehicle, startS: now)
      witness?.subscribe(expectations.topics.union(["_clock"]))
      self.expectations = expectations
      log.say("nav", "checking for \(Figures.duration(seconds: checkS))")
    }
    startCalls.begin(atS: now)
  }

  /// The default vehicle of calls and expectations.
  var vehicle: String { stack.file.vehicles.first ?? "ego" }

  func tickStart() {
    guard let witness, !supervisor.isStopping else { return }
    var steps: [StartCalls.Step] = []
    for end in witness.takeReplies() {
      switch end {
      case .ok: steps += startCalls.ended(nil, atS: nowS)
      case .failed(let code, let message, _):
        steps += startCalls.ended((code, message), atS: nowS)
      }
    }
    steps += startCalls.tick(atS: nowS)
    for step in steps {
      switch step {
      case .say(let text): log.say("nav", text)
      case .issue(let call):
        witness.call(
          call.name.value, vehicle: vehicle, payload: call.requestBytes, timeoutS: call.timeoutS)
      }
    }
  }

  /// Ends a check whose time is over, or whose end condition has been met.
  func judge() {
    guard let expectations, let checkEndS, !supervisor.isStopping else { return }
    let now = nowS
    let isFulfilled = expectations.isFulfilled(atS: now) && startCalls.isDone
    guard isFulfilled || checkEndS <= now else { return }
    let verdicts = expectations.verdicts(atS: now)
    let unmet = verdicts.filter { !$0.isMet }
    var complaints = startCalls.failures
    if !startCalls.isDone { complaints.append("not all calls of start: were answered") }
    complaints += unmet.map { "unmet: \($0.text): \($0.seen); \(responsible(for: $0.topic))" }
    let began = checkEndS - (options.checkS ?? 0)
    log.say(
      "nav",
      "check: \(verdicts.count - unmet.count) of \(verdicts.count) expectations met after "
        + Figures.duration(seconds: now - began))
    for complaint in complaints { log.say("nav", complaint, isError: true) }
    let code = complaints.isEmpty ? Supervisor.ExitCode.success : Supervisor.ExitCode.failure
    self.expectations = nil
    perform(
      .stop(
        reason: complaints.isEmpty ? "the check has passed" : "the check has failed", code: code))
  }

  /// The stage that should have fulfilled an expectation on `topic`, and its state.
  private func responsible(for topic: String) -> String {
    let leaf =
      topic.hasPrefix("_") ? topic : topic.split(separator: "/").dropFirst().joined(separator: "/")
    let writers = stack.file.nodes.map(\.name.value).filter {
      stack.manifests[$0]?.outputs.contains(leaf) ?? false
    }
    guard !writers.isEmpty else { return "it is published from outside the stack" }
    let states = writers.map { name -> String in
      if stack.leftOut.contains(name) { return "\(name), which is left out" }
      guard let node = supervisor.nodes.first(where: { $0.name == name }) else { return name }
      let restarts = node.restarts == 0 ? "" : ", \(node.restarts) restarts"
      return "\(name), which is \(node.phase.word)\(restarts)"
    }
    let absent = stack.leftOut.subtracting(writers).sorted()
    let also = absent.isEmpty ? "" : " (left out: \(absent.joined(separator: ", ")))"
    return "it is published by \(states.joined(separator: " or "))\(also)"
  }

  /// The exit code; a check that never started has not passed.
  func checkedCode(_ code: Int32) -> Int32 {
    guard options.checkS != nil, checkEndS == nil, code == Supervisor.ExitCode.success else {
      return code
    }
    log.say("nav", "the check did not start: not all nodes were ready", isError: true)
    return Supervisor.ExitCode.failure
  }
}

import Foundations
import Messages
import Positioning
import Stage

extension LocationStage {
  /// Serves `location/control`.
  mutating func control(_ call: CallRequest) throws(Refusal) -> [StageOutput] {
    guard case .locationControl(let request) = call.value else {
      throw Refusal(
        reason: "no_such_service", message: "nav-location-provider does not serve \(call.name)")
    }
    if !isPaused, !isHeld { now = max(now, call.stamp) }
    var outputs: [StageOutput]
    do throws(CallError) {
      outputs = try obey(request)
    } catch {
      return [.reply(callID: call.id, outcome: .failed(error))]
    }
    let reply = LocationControlReply(
      nowNs: now.nanoseconds, rate: rate, paused: isPaused, run: run, source: reportedSource)
    outputs.append(.reply(callID: call.id, outcome: .ok(.locationControl(reply))))
    return outputs
  }

  private var reportedSource: LocationControlReply.Source {
    switch source {
    case .simulator: .simulator
    case .replay: .recording
    case .external: .external
    }
  }

  private mutating func obey(_ request: LocationControlRequest) throws(CallError) -> [StageOutput] {
    switch request.command {
    case .pause:
      isPaused = true
      return clock()
    case .resume:
      isPaused = false
      return clock() + advance()
    case .rate:
      guard let rate = request.rate else { throw Self.invalid("rate", "the rate is missing") }
      guard rate >= 0.01, rate <= 1000 else {
        throw CallError(
          code: "not_supported", message: "the rate must be 0.01 to 1000", field: "rate")
      }
      self.rate = rate
      return clock() + (nextWake().map { [$0] } ?? [])
    case .status: return []
    case .seek:
      return try seek(request)
    case .step:
      return try step(Int(clamping: request.steps ?? 1))
    case .leaveRoute:
      guard case .simulator(var simulator, let receiver) = source else {
        throw CallError(
          code: "not_supported", message: "only a simulated driver can leave the route")
      }
      simulator.leaveRoute(atM: request.atM, at: now)
      let outputs = follow(&simulator, at: now)
      source = .simulator(simulator, receiver)
      return outputs
    }
  }

  /// Moves to another time of the recording, in a new run of the clock.
  private mutating func seek(_ request: LocationControlRequest) throws(CallError) -> [StageOutput] {
    guard case .replay(var replay) = source, let start = replay.start else {
      throw CallError(code: "not_supported", message: "only a recording supports seek")
    }
    let target: Instant
    if let nanoseconds = request.toNs {
      target = Instant(nanoseconds: nanoseconds)
    } else if let seconds = request.toS {
      target = start.advanced(bySeconds: seconds)
    } else {
      throw Self.invalid("to_ns", "seek needs to_ns or to_s")
    }
    guard target >= start, let end = replay.dues.last, target <= end else {
      throw Self.invalid(
        request.toNs == nil ? "to_s" : "to_ns", "the recording does not reach that time")
    }
    replay.seek(to: target)
    source = .replay(replay)
    now = target
    run += 1
    isHeld = false
    return clock() + (isPaused ? [] : advance())
  }

  /// Publishes the next fixes of a paused clock one by one.
  private mutating func step(_ count: Int) throws(CallError) -> [StageOutput] {
    guard isPaused else {
      throw CallError(code: "invalid", message: "step needs a paused clock; pause first")
    }
    guard case .external = source else {
      var outputs: [StageOutput] = []
      isHeld = false
      for _ in 0..<min(count, 10_000) {
        guard let due = nextDue else { break }
        now = max(now, due)
        outputs += clock() + fix(dueAt: due)
      }
      return outputs
    }
    throw CallError(code: "not_supported", message: "an external source cannot be stepped")
  }

  private static func invalid(_ field: String, _ message: String) -> CallError {
    CallError(code: "invalid", message: message, field: field)
  }
}

package import StackFile

/// Issues the calls of `start:` one after the other, and retries while a server is not there yet.
package struct StartCalls: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case issue(StartCall)
    case say(String)
  }

  private enum Phase: Hashable, Sendable {
    case idle
    case due(atS: Double)
    case underWay
  }

  private var left: [StartCall]
  private var phase = Phase.idle
  private var givesUpAtS = 0.0
  /// Calls that have finally failed, with the reason.
  package private(set) var failures: [String] = []

  /// Time for which a call is retried while no node can serve it.
  static let patienceS = 30.0
  static let pauseS = 0.5
  /// Errors that may disappear with time.
  static let passing: Set<String> = [
    "unavailable", "no_such_service", "timeout", "server_restarted", "busy", "no_location",
  ]

  package init(_ calls: [StartCall]) { left = calls }

  package var isDone: Bool { left.isEmpty }
  package var deadlineS: Double? {
    guard case .due(let atS) = phase, !left.isEmpty else { return nil }
    return atS
  }

  package mutating func schedule(atS now: Double) {
    phase = .due(atS: now)
    givesUpAtS = now + Self.patienceS
  }

  /// Extends the servers' deadline by the seconds in which no process ran.
  package mutating func forgive(_ seconds: Double) { givesUpAtS += seconds }

  package mutating func tick(atS now: Double) -> [Step] {
    guard case .due(let atS) = phase, atS <= now, let call = left.first else { return [] }
    phase = .underWay
    return [.issue(call)]
  }

  /// `failure` is the code and the sentence of an error; nil for success.
  package mutating func ended(_ failure: (code: String, message: String)?, atS now: Double)
    -> [Step]
  {
    guard phase == .underWay, let call = left.first else { return [] }
    let name = call.name.value
    guard let failure else {
      next(now)
      return [.say("\(name): done")]
    }
    if Self.passing.contains(failure.code), now < givesUpAtS {
      phase = .due(atS: now + Self.pauseS)
      return []
    }
    let text = "\(name) failed: \(failure.code): \(failure.message)"
    failures.append(text)
    next(now)
    return [.say(text)]
  }

  private mutating func next(_ now: Double) {
    left.removeFirst()
    schedule(atS: now)
  }
}

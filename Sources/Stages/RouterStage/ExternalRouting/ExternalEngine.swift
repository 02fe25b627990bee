import EventTime
import Route
import Stage
import Synchronization

/// Sends a request to a server and returns status and body of the reply: a GET for the target, or a
/// POST if there is a body.
///
/// Sockets are not the responsibility of a stage: the program that runs the node provides this
/// function.
public typealias EngineFetch =
  @Sendable (_ target: String, _ body: [UInt8]?) throws(EngineFailure) -> (
    status: Int, body: [UInt8]
  )

/// A server did not answer, for the reason in the sentence.
public struct EngineFailure: Error, Hashable, Sendable {
  public var sentence: String
  public init(_ sentence: String) { self.sentence = sentence }
}

/// The settings of the server that a router may use, RT-15.
struct ExternalEngineSettings: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case osrm
    case valhalla
  }

  var kind = Kind.osrm
  /// `http://host:port/prefix`; nil for none.
  var url: String?
  var timeoutS = 5.0
  /// Maximum number of calls per hour; 0 for no limit.
  var callsPerHour = 0
  /// The engine for a request that does not choose one.
  var connectivity = Connectivity.offline
}

extension ExternalEngineSettings {
  init(_ parameters: Parameters) {
    kind = Kind(rawValue: parameters.string("engine_kind") ?? "") ?? .osrm
    url = parameters.string("engine_url").flatMap { $0.isEmpty ? nil : $0 }
    timeoutS = parameters.double("engine_timeout_s")
    callsPerHour = parameters.int("engine_calls_per_hour")
    connectivity = Connectivity(rawValue: parameters.string("engine") ?? "") ?? .offline
  }
}

/// The server of a router: its adapter, its counters and its budget.
///
/// It is used by calculations on many threads; the counters are the only shared state.
final class ExternalEngine: Sendable {
  struct Counts: Hashable, Sendable {
    var calls = 0
    var failures = 0
    fileprivate var toldCalls = 0
    fileprivate var toldFailures = 0
    /// Calls of the hour that began with `hour`.
    var inHour = 0
    var hour = Int64.min
  }

  let setting: ExternalEngineSettings
  private let fetch: Mutex<EngineFetch?>
  private let counted = Mutex(Counts())

  init(_ setting: ExternalEngineSettings, fetch: EngineFetch? = nil) {
    self.setting = setting
    self.fetch = Mutex(fetch)
  }

  func connect(_ new: @escaping EngineFetch) { fetch.withLock { $0 = new } }

  var name: String { setting.url ?? "" }
  var counts: Counts { counted.withLock { $0 } }

  /// Returns the number of calls that may still be made in `hour`; nil for no limit.
  func budgetLeft(in hour: Int64) -> Int? {
    let counts = counts
    let spent = counts.hour == hour ? counts.inHour : 0
    return setting.callsPerHour > 0 ? max(0, setting.callsPerHour - spent) : nil
  }

  /// Returns the status counters for calls that were not reported yet; each is reported once.
  func unreportedCounts() -> [StageOutput] {
    counted.withLock { counts in
      defer { (counts.toldCalls, counts.toldFailures) = (counts.calls, counts.failures) }
      return [
        ("engine_calls", counts.calls - counts.toldCalls),
        ("engine_failures", counts.failures - counts.toldFailures),
      ].compactMap { $0.1 > 0 ? .count($0.0, $0.1) : nil }
    }
  }

  /// Returns the hour of a moment, for the budget.
  static func hour(_ now: Instant) -> Int64 { now.nanoseconds / 3_600_000_000_000 }

  var dialect: any RoutingAdapter {
    switch setting.kind {
    case .osrm: OSRMAdapter()
    case .valhalla: ValhallaAdapter()
    }
  }

  /// Returns the server's routes for a request under a policy, the best first.
  ///
  /// Blocks at most until the timeout.
  ///
  /// - Throws: `unsupportedOption`, `unsupportedPolicy`, `engineUnavailable`, `engineBudgetSpent`,
  ///   or the server's error about the places.
  func ways(
    _ request: RouteRequest, policy: RoutePolicy = RoutePolicy(), hour: Int64
  ) throws(RouteFailure) -> [ExternalRoute] {
    let dialect = dialect
    if let option = dialect.missing(request) {
      throw .unsupportedOption(option, engine: name)
    }
    let request = policy.applied(to: request)
    if let option = dialect.missing(request) {
      throw .unsupportedPolicy(option, engine: name)
    }
    guard setting.url != nil, let fetch = fetch.withLock({ $0 }) else {
      throw .engineUnavailable("No server is configured: set the router's engine_url.")
    }
    guard spend(hour) else { throw .engineBudgetSpent(perHour: setting.callsPerHour) }
    let question = dialect.question(request)
    do {
      let answer = try fetch(question.target, question.body)
      return try dialect.ways(answer.body, status: answer.status)
    } catch let failure as EngineFailure {
      counted.withLock { $0.failures += 1 }
      throw .engineUnavailable("\(name): \(failure.sentence)")
    } catch let failure as RouteFailure {
      throw failure
    } catch {
      throw .engineUnavailable("\(name): \(error)")
    }
  }

  private func spend(_ hour: Int64) -> Bool {
    counted.withLock { counts in
      if counts.hour != hour {
        counts.hour = hour
        counts.inHour = 0
      }
      guard setting.callsPerHour == 0 || counts.inHour < setting.callsPerHour else { return false }
      counts.inHour += 1
      counts.calls += 1
      return true
    }
  }
}

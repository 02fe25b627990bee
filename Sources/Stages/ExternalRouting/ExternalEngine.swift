package import Foundations
package import RoadGraph
package import Route
import Synchronization

/// Sends a request to a server and returns status and body of the reply: a GET for the target, or a
/// POST if there is a body.
///
/// This module has no sockets: the program that runs the node provides this
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
package struct ExternalEngineSettings: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case osrm
    case valhalla
  }

  package var kind: Kind
  /// `http://host:port/prefix`; nil for none.
  package var url: String?
  package var timeoutS: Double
  /// Maximum number of calls per hour; 0 for no limit.
  package var callsPerHour: Int
  /// The engine for a request that does not choose one.
  package var connectivity: Connectivity

  package init(
    kind: Kind = .osrm, url: String? = nil, timeoutS: Double = 5, callsPerHour: Int = 0,
    connectivity: Connectivity = .offline
  ) {
    self.kind = kind
    self.url = url
    self.timeoutS = timeoutS
    self.callsPerHour = callsPerHour
    self.connectivity = connectivity
  }
}

/// The server of a router: its adapter, its counters and its budget.
///
/// It is used by calculations on many threads; the counters are the only shared state.
package final class ExternalEngine: Sendable {
  package struct Counts: Hashable, Sendable {
    package fileprivate(set) var calls = 0
    package fileprivate(set) var failures = 0
    fileprivate var reportedCalls = 0
    fileprivate var reportedFailures = 0
    /// Calls of the hour that began with `hour`.
    fileprivate var inHour = 0
    fileprivate var hour = Int64.min
  }

  package let setting: ExternalEngineSettings
  private let fetch: Mutex<EngineFetch?>
  private let counted = Mutex(Counts())

  package init(_ setting: ExternalEngineSettings, fetch: EngineFetch? = nil) {
    self.setting = setting
    self.fetch = Mutex(fetch)
  }

  package func connect(_ new: @escaping EngineFetch) { fetch.withLock { $0 = new } }

  package var name: String { setting.url ?? "" }
  package var counts: Counts { counted.withLock { $0 } }

  /// Returns the number of calls that may still be made in `hour`; nil for no limit.
  package func budgetLeft(in hour: Int64) -> Int? {
    let counts = counts
    let spent = counts.hour == hour ? counts.inHour : 0
    return setting.callsPerHour > 0 ? max(0, setting.callsPerHour - spent) : nil
  }

  /// Returns the number of calls and failures that were not reported yet; each is reported once.
  package func drainUnreported() -> (calls: Int, failures: Int) {
    counted.withLock { counts in
      defer { (counts.reportedCalls, counts.reportedFailures) = (counts.calls, counts.failures) }
      return (counts.calls - counts.reportedCalls, counts.failures - counts.reportedFailures)
    }
  }

  /// Returns the hour of a moment, for the budget.
  package static func hour(_ now: Instant) -> Int64 { now.nanoseconds / 3_600_000_000_000 }

  /// Options of a request that the server supports, as listed by `route/engines`.
  package var options: [String] { dialect.options }
  package var modes: [TravelMode] { dialect.modes }
  package var alternatives: Int { dialect.alternatives }

  private var dialect: any RoutingAdapter {
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
  package func ways(
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
    let query = dialect.query(request)
    do {
      let answer = try fetch(query.target, query.body)
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

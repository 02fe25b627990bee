import Messages
import Route
import RouteWire
import Synchronization

/// The routing policy of a stack, shared by all vehicles of a router process, RT-22.
final class PolicyStore: Sendable {
  /// A policy and its revision number: of two saved policies, the one with the higher number is
  /// used.
  struct Revision: Hashable, Sendable {
    var policy = RoutePolicy()
    /// Number of calls that had set a policy; 0 for the initial policy of the router.
    var number: UInt64 = 0
  }

  private let newest: Mutex<Revision>

  init(_ policy: RoutePolicy = RoutePolicy()) {
    newest = Mutex(Revision(policy: policy))
  }

  var revision: Revision { newest.withLock { $0 } }
  var policy: RoutePolicy { revision.policy }

  /// Replaces the policy; `policy` must have no fault.
  func set(_ policy: RoutePolicy) {
    newest.withLock { newest in
      guard newest.policy != policy else { return }
      newest = Revision(policy: policy, number: newest.number + 1)
    }
  }

  /// Applies a saved policy if it is later than the current one.
  ///
  /// The state of each vehicle contains one, saved when that state last changed.
  func restore(_ saved: Revision) {
    newest.withLock { newest in
      if saved.number > newest.number { newest = saved }
    }
  }
}

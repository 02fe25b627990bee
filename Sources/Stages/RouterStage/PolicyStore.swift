import Messages
import Route
import RouteWire
import Synchronization

/// The routing policy of a stack, shared by all vehicles of a router process, RT-22.
final class PolicyStore: Sendable {
  /// A policy and how many calls had set one by then: of two saved policies the later one holds.
  struct Revision: Hashable, Sendable {
    var policy = RoutePolicy()
    /// 0 where the policy is the one that the router was started with.
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

  /// Takes a saved policy where it is later than the present one.
  ///
  /// Each vehicle's state holds one, saved when that state last changed.
  func restore(_ saved: Revision) {
    newest.withLock { newest in
      if saved.number > newest.number { newest = saved }
    }
  }
}

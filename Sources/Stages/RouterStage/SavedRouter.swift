import Foundations
import MessagePack
import Messages
import Route
import RouteWire
import Stage

/// The state that a router restores after a restart: its count, the newest leases, and the routing
/// policy.
struct SavedRouter {
  var routeCount: UInt64
  var handles: [StoredRoute]
  /// Number 0 if no call has set a policy, which is then not saved.
  var policy: PolicyStore.Revision

  init(
    routeCount: UInt64, handles: [StoredRoute],
    policy: PolicyStore.Revision = PolicyStore.Revision()
  ) {
    self.routeCount = routeCount
    self.handles = handles
    self.policy = policy
  }

  /// The bytes of a `WireRouterState`, without encoding the routes again: leases keep them encoded.
  func encoded() -> [UInt8] {
    var packer = Packer()
    let isPolicySet = policy.number > 0
    packer.packMapHeader(isPolicySet ? 5 : 3)
    packer.pack("route_count")
    packer.pack(routeCount)
    packer.pack("used_ns")
    packer.packArrayHeader(handles.count)
    for storedRoute in handles { packer.pack(storedRoute.lastUsed.nanoseconds) }
    if isPolicySet {
      packer.pack("policy_number")
      packer.pack(policy.number)
      packer.pack("policy")
      policy.policy.wire.pack(into: &packer)
    }
    packer.pack("routes")
    packer.packArrayHeader(handles.count)
    return handles.reduce(into: packer.bytes) { $0 += $1.saved }
  }

  init(decoding bytes: [UInt8]) throws(Refusal) {
    let saved = try WireRouterState(savedState: bytes)
    var policy = PolicyStore.Revision()
    policy.number = saved.policyNumber
    if let wire = saved.policy { policy.policy = RoutePolicy(wire: wire) }
    var handles: [StoredRoute] = []
    for (wire, nanoseconds) in zip(saved.routes, saved.usedNs) {
      do throws(RouteWireFault) {
        handles.append(
          StoredRoute(route: try Route(wire: wire), lastUsed: Instant(nanoseconds: nanoseconds)))
      } catch {
        throw Refusal(reason: "does_not_decode", message: "state of the router: \(error)")
      }
    }
    // An invalid policy would make every later request fail.
    if let fault = policy.policy.fault {
      throw Refusal(
        reason: "out_of_range",
        message: "state of the router: policy.\(fault.field): \(fault.sentence)",
        field: "policy.\(fault.field)")
    }
    self.init(routeCount: saved.routeCount, handles: handles, policy: policy)
  }
}

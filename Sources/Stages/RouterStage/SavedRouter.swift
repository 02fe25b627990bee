import EventTime
import MessagePack
import Messages
import Route
import RouteWire
import Stage

/// The state that a router restores after a restart: its count, the newest leases, and the routing
/// policy.
struct SavedRouter {
  var routeCount: UInt64
  var leases: [StoredRoute]
  /// Number 0 if no call has set a policy, which is then not saved.
  var policy: PolicyStore.Revision

  private static let keys: [StaticString] = [
    "route_count", "used_ns", "routes", "policy_number", "policy",
  ]

  init(
    routeCount: UInt64, leases: [StoredRoute],
    policy: PolicyStore.Revision = PolicyStore.Revision()
  ) {
    self.routeCount = routeCount
    self.leases = leases
    self.policy = policy
  }

  func encoded() -> [UInt8] {
    var packer = Packer()
    let isPolicySet = policy.number > 0
    packer.packMapHeader(isPolicySet ? Self.keys.count : 3)
    packer.pack(Self.keys[0])
    packer.pack(routeCount)
    packer.pack(Self.keys[1])
    packer.packArrayHeader(leases.count)
    for lease in leases { packer.pack(lease.lastUsed.nanoseconds) }
    if isPolicySet {
      packer.pack(Self.keys[3])
      packer.pack(policy.number)
      packer.pack(Self.keys[4])
      policy.policy.wire.pack(into: &packer)
    }
    packer.pack(Self.keys[2])
    packer.packArrayHeader(leases.count)
    return leases.reduce(into: packer.bytes) { $0 += $1.saved }
  }

  init(decoding bytes: [UInt8]) throws(Refusal) {
    var count: UInt64 = 0
    var used: [Int64] = []
    var routes: [WireRoute] = []
    var policy = PolicyStore.Revision()
    do {
      var reader = Unpacker(bytes)
      try reader.fields(Self.keys, required: 0x7) { (index, reader) throws(DecodeError) in
        switch index {
        case 0: count = try reader.uint()
        case 1: used = try reader.list()
        case 2: routes = try reader.list()
        case 3: policy.number = try reader.uint()
        default: policy.policy = RoutePolicy(wire: try WireRoutePolicy(from: &reader))
        }
      }
      try reader.end()
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of the router: \(error.message)")
    }
    var leases: [StoredRoute] = []
    for (wire, nanoseconds) in zip(routes, used) {
      do throws(RouteWireFault) {
        leases.append(
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
    self.init(routeCount: count, leases: leases, policy: policy)
  }
}

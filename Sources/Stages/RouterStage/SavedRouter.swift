import EventTime
import MessagePack
import Messages
import Route
import RouteWire
import Stage

/// What a router takes back after a restart: its count, and the newest leases.
struct SavedRouter {
  var routeCount: UInt64
  var leases: [Lease]

  private static let keys: [StaticString] = ["route_count", "used_ns", "routes"]

  init(routeCount: UInt64, leases: [Lease]) {
    self.routeCount = routeCount
    self.leases = leases
  }

  func encoded() -> [UInt8] {
    var packer = Packer()
    packer.packMapHeader(Self.keys.count)
    packer.pack(Self.keys[0])
    packer.pack(routeCount)
    packer.pack(Self.keys[1])
    packer.packArrayHeader(leases.count)
    for lease in leases { packer.pack(lease.lastUsed.nanoseconds) }
    packer.pack(Self.keys[2])
    packer.packArrayHeader(leases.count)
    return leases.reduce(into: packer.bytes) { $0 += $1.saved }
  }

  init(decoding bytes: [UInt8]) throws(Refusal) {
    var count: UInt64 = 0
    var used: [Int64] = []
    var routes: [WireRoute] = []
    do {
      var reader = Unpacker(bytes)
      try reader.fields(Self.keys, required: 0x7) { (index, reader) throws(DecodeError) in
        switch index {
        case 0: count = try reader.uint()
        case 1: used = try reader.list()
        default: routes = try reader.list()
        }
      }
      try reader.end()
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of the router: \(error.message)")
    }
    var leases: [Lease] = []
    for (wire, nanoseconds) in zip(routes, used) {
      do throws(RouteWireFault) {
        leases.append(
          Lease(route: try Route(wire: wire), lastUsed: Instant(nanoseconds: nanoseconds)))
      } catch {
        throw Refusal(reason: "does_not_decode", message: "state of the router: \(error)")
      }
    }
    self.init(routeCount: count, leases: leases)
  }
}

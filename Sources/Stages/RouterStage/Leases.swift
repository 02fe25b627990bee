import EventTime
import Messages
import RoadGraph
import Route
import RouteWire
import Synchronization

/// A route that a handle names.
struct Lease: Hashable, Sendable {
  var route: Route
  var lastUsed: Instant
  /// The route as it is saved, made once: the state is saved much more often than routes are computed.
  let saved: [UInt8]

  init(route: Route, lastUsed: Instant) {
    self.route = route
    self.lastUsed = lastUsed
    saved = route.wire.encoded()
  }
}

/// The routes of one vehicle that can be refreshed and priced again, by handle, RT-16.
///
/// Calculations run beside the work loop and put their routes in here, hence the lock.
final class Leases: Sendable {
  private let lifetimeS: Double
  private let limit: Int
  private let table = Mutex<[String: Lease]>([:])

  init(lifetimeS: Double, limit: Int) {
    self.lifetimeS = lifetimeS
    self.limit = limit
  }

  func keep(_ route: Route, at now: Instant) {
    guard let handle = route.handle else { return }
    let lease = Lease(route: route, lastUsed: now)
    table.withLock { table in
      table[handle] = lease
      while table.count > limit,
        let oldest = table.min(by: { ($0.value.lastUsed, $0.key) < ($1.value.lastUsed, $1.key) })
      {
        table[oldest.key] = nil
      }
    }
  }

  /// The route of a handle, whose lease begins anew.
  func use(_ handle: String, at now: Instant) throws(RouteFailure) -> Route {
    guard !handle.isEmpty else { throw .routeHandleMissing }
    let route = table.withLock { table -> Route? in
      guard let lease = table[handle] else { return nil }
      // A route computed before the stack had a time is as old as its first use.
      let hasTime = lease.lastUsed.nanoseconds > 0
      guard !hasTime || now.seconds(since: lease.lastUsed) <= lifetimeS else {
        table[handle] = nil
        return nil
      }
      table[handle]?.lastUsed = max(now, lease.lastUsed)
      return lease.route
    }
    guard let route else { throw .routeHandleOutdated }
    return route
  }

  /// Moves all leases by a step of the clock, so that each lasts as long as it would have.
  func clockSet(to now: Instant) {
    table.withLock { table in
      guard let newest = table.values.map(\.lastUsed).max(), newest.nanoseconds > 0 else { return }
      let stepS = now.seconds(since: newest)
      for handle in table.keys {
        guard let lease = table[handle] else { continue }
        table[handle]?.lastUsed = lease.lastUsed.advanced(bySeconds: stepS)
      }
    }
  }

  /// The leases used last whose routes take no more than `bytes` together, the newest first; at least one.
  func newest(within bytes: Int) -> [Lease] {
    let sorted = table.withLock { table in
      table.sorted { ($1.value.lastUsed, $1.key) < ($0.value.lastUsed, $0.key) }.map(\.value)
    }
    var left = bytes
    return Array(
      sorted.enumerated().prefix { index, lease in
        left -= lease.saved.count
        return index == 0 || left >= 0
      }.map(\.element))
  }

  func restore(_ leases: [Lease]) {
    table.withLock { table in
      for lease in leases {
        if let handle = lease.route.handle { table[handle] = lease }
      }
    }
  }
}

import Foundations
import Messages
import RoadGraph
import Route
import RouteWire
import Synchronization

/// A route that is identified by a handle.
struct StoredRoute: Hashable, Sendable {
  var route: Route
  var lastUsed: Instant
  /// The route in saved form, encoded once: the state is saved much more often than routes are
  /// computed.
  let saved: [UInt8]

  init(route: Route, lastUsed: Instant) {
    self.route = route
    self.lastUsed = lastUsed
    saved = route.wire.encoded()
  }
}

/// The routes of one vehicle that can be refreshed and priced again, by handle, RT-16.
///
/// Concurrent calculations store their routes here, hence the lock.
final class RouteHandleStore: Sendable {
  private let lifetimeS: Double
  private let limit: Int
  private let table = Mutex<[String: StoredRoute]>([:])

  init(lifetimeS: Double, limit: Int) {
    self.lifetimeS = lifetimeS
    self.limit = limit
  }

  func keep(_ route: Route, at now: Instant) {
    guard let handle = route.handle else { return }
    let storedRoute = StoredRoute(route: route, lastUsed: now)
    table.withLock { table in
      table[handle] = storedRoute
      while table.count > limit,
        let oldest = table.min(by: { ($0.value.lastUsed, $0.key) < ($1.value.lastUsed, $1.key) })
      {
        table[oldest.key] = nil
      }
    }
  }

  /// Returns the route of a handle and renews its lease.
  func use(_ handle: String, at now: Instant) throws(RouteFailure) -> Route {
    guard !handle.isEmpty else { throw .routeHandleMissing }
    let route = table.withLock { table -> Route? in
      guard let storedRoute = table[handle] else { return nil }
      // The lease of a route that was computed before the stack had a time starts with its first
      // use.
      let hasTime = storedRoute.lastUsed.nanoseconds > 0
      guard !hasTime || now.seconds(since: storedRoute.lastUsed) <= lifetimeS else {
        table[handle] = nil
        return nil
      }
      table[handle]?.lastUsed = max(now, storedRoute.lastUsed)
      return storedRoute.route
    }
    guard let route else { throw .routeHandleOutdated }
    return route
  }

  /// Shifts all leases by a step of the clock, so that the remaining time of each stays the same.
  func clockSet(to now: Instant) {
    table.withLock { table in
      guard let newest = table.values.map(\.lastUsed).max(), newest.nanoseconds > 0 else { return }
      let stepS = now.seconds(since: newest)
      for handle in table.keys {
        guard let storedRoute = table[handle] else { continue }
        table[handle]?.lastUsed = storedRoute.lastUsed.advanced(bySeconds: stepS)
      }
    }
  }

  /// Returns the most recently used leases whose routes take at most `bytes` together, the newest
  /// first; at least one.
  func newest(within bytes: Int) -> [StoredRoute] {
    let sorted = table.withLock { table in
      table.sorted { ($1.value.lastUsed, $1.key) < ($0.value.lastUsed, $0.key) }.map(\.value)
    }
    var left = bytes
    return Array(
      sorted.enumerated().prefix { index, storedRoute in
        left -= storedRoute.saved.count
        return index == 0 || left >= 0
      }.map(\.element))
  }

  func restore(_ handles: [StoredRoute]) {
    table.withLock { table in
      for storedRoute in handles {
        if let handle = storedRoute.route.handle { table[handle] = storedRoute }
      }
    }
  }
}

import EventTime
import RoadGraph
import Route
import Synchronization

/// A route that a handle names.
struct Lease: Hashable, Sendable {
  var route: Route
  var lastUsed: Instant
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
    table.withLock { table in
      table[handle] = Lease(route: route, lastUsed: now)
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
      guard now.seconds(since: lease.lastUsed) <= lifetimeS else {
        table[handle] = nil
        return nil
      }
      table[handle]?.lastUsed = max(now, lease.lastUsed)
      return lease.route
    }
    guard let route else { throw .routeHandleOutdated }
    return route
  }

  /// The leases used last, the newest first.
  func newest(_ count: Int) -> [Lease] {
    table.withLock { table in
      table.sorted { ($1.value.lastUsed, $1.key) < ($0.value.lastUsed, $0.key) }
        .prefix(count).map(\.value)
    }
  }

  func restore(_ leases: [Lease]) {
    table.withLock { table in
      for lease in leases {
        if let handle = lease.route.handle { table[handle] = lease }
      }
    }
  }
}

/// Where a calculation stands, for those who may end it early.
final class Progress: Sendable {
  private enum Stage {
    static let running = 0
    static let cancelled = 1
    static let ended = 2
  }

  private let stage = Atomic(Stage.running)

  var isCancelled: Bool { stage.load(ordering: .relaxed) == Stage.cancelled }
  var isRunning: Bool { stage.load(ordering: .relaxed) == Stage.running }
  func cancel() {
    _ = stage.compareExchange(
      expected: Stage.running, desired: Stage.cancelled, ordering: .relaxed)
  }
  func end() { stage.store(Stage.ended, ordering: .relaxed) }
}

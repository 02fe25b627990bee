import Foundations
import Geodesy
import Messages
import RegionFiles
import Regions
import Route
import RouteWire
public import Stage

/// Fetches the regions that a vehicle needs into the folder of maps, and publishes which regions are installed and how old they are.
public struct RegionStage: Stage {
  private let shared: RegionShared
  private var needs: RegionNeeds
  /// Position of the vehicle at the last update.
  private var lastUpdate: Coordinate?
  private var published: MapRegions?
  private var loggedProblems: Set<String> = []

  /// Seconds between updates, which also notice files that other programs put into the folder.
  private static let updateS = 30.0
  private static let updateM = 1000.0

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RegionShared {
    try RegionShared(parameters)
  }

  public init(vehicle: String, shared: RegionShared) {
    self.shared = shared
    needs = RegionNeeds(aroundM: shared.aroundM)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message): try receive(message)
    case .wake(let now), .clockReset(let now): update(at: now)
    case .call(let call): try fetch(call)
    case .cancelled, .reply: []
    }
  }

  private mutating func receive(_ message: Inbound) throws(Refusal) -> [StageOutput] {
    switch message.value {
    case .locationMatched(let location):
      guard let place = Self.place(location) else { return [] }
      needs.vehicle = place
      if let lastUpdate, lastUpdate.distanceM(to: place) < min(Self.updateM, shared.aroundM / 10) {
        return []
      }
    case .routeActive(let active):
      do throws(RouteWireFault) {
        needs.route =
          try active.route.map { (wire) throws(RouteWireFault) in try Route(wire: wire).shape }
          ?? []
      } catch {
        throw Refusal(
          reason: "broken_route", message: "\(message.topic): route.\(error)",
          field: "route.\(error.field)")
      }
    default: return []
    }
    return update(at: message.stamp)
  }

  /// Returns the position of the fix, which may lie on no installed map; without a fix the matched
  /// or estimated position.
  private static func place(_ location: LocationMatched) -> Coordinate? {
    if let raw = location.raw {
      return Coordinate(latitudeDeg: raw.latDeg, longitudeDeg: raw.lonDeg)
    }
    guard let latitude = location.latDeg, let longitude = location.lonDeg else { return nil }
    return Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
  }

  // MARK: Updates

  /// Publishes changes, starts the next job, and schedules the next update.
  private mutating func update(at now: Instant) -> [StageOutput] {
    lastUpdate = needs.vehicle
    let fetcher = shared.fetcher
    let installed: [InstalledRegion]
    do throws(RegionFault) {
      installed = try InstalledRegions.list(fetcher.folder)
    } catch {
      return [.degraded(error.description), .wake(at: now.advanced(bySeconds: shared.retryS))]
    }
    let job = fetcher.startJob(
      needs, installed: Set(installed.map(\.name)), at: now, refreshS: shared.refreshS)
    let state = fetcher.state
    var outputs: [StageOutput] = [.degraded(Self.problem(state))]
    outputs += complaints(state)
    let report = report(state, installed)
    if report != published {
      published = report
      outputs.append(.publish(.mapRegions(report), stamp: now))
    }
    if let job {
      let retryS = shared.retryS
      outputs += [
        .wakeDuringWork(everyS: 1),
        .work(callID: nil) {
          fetcher.run(job, at: now, retryS: retryS)
          return [.count(job.counter, 1), .wake(at: now)]
        },
      ]
    } else {
      outputs.append(.wake(at: nextUpdate(after: now, state)))
    }
    return outputs
  }

  private func nextUpdate(after now: Instant, _ state: RegionFetcher.State) -> Instant {
    let retries = state.allFailures.map(\.retry)
    let usual = now.advanced(bySeconds: Self.updateS)
    return retries.filter { $0 > now }.min().map { min($0, usual) } ?? usual
  }

  private static func problem(_ state: RegionFetcher.State) -> String? {
    state.allFailures.first.map { "regions are missing: \($0.problem)" }
  }

  /// Returns log lines for problems and unreadable catalogue entries that were not logged before.
  private mutating func complaints(_ state: RegionFetcher.State) -> [StageOutput] {
    let problems =
      state.allFailures.map(\.problem)
      + (state.catalogue?.notes.map { "\(shared.fetcher.source): \($0)" } ?? [])
    return problems.sorted().filter { loggedProblems.insert($0).inserted }
      .map { .log(.warning, $0) }
  }

  private func report(_ state: RegionFetcher.State, _ installed: [InstalledRegion]) -> MapRegions {
    let offered = Dictionary(
      (state.catalogue?.regions ?? []).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    var needs = needs
    needs.requested = state.requested
    let missing = state.catalogue.map {
      needs.missing(in: $0, installed: Set(installed.map(\.name)))
    }
    return MapRegions(
      source: "\(shared.fetcher.source)", problem: state.catalogueFailure?.problem,
      offered: UInt64(offered.count),
      installed: installed.map { region in
        let newer = offered[region.name]?.dataTime.flatMap { offer in
          region.dataTime.map { offer > $0 } ?? false ? offer : nil
        }
        return WireInstalledRegion(
          name: region.name, bytes: UInt64(region.bytes), dataNs: region.dataTime?.nanoseconds,
          newerDataNs: newer?.nanoseconds)
      },
      missing: (missing ?? []).map { region in
        let isComing = state.running == .fetch(region)
        let failure = state.failures[region.name]
        return WireFetchedRegion(
          name: region.name, bytes: UInt64(region.bytes),
          receivedBytes: isComing ? UInt64(state.receivedBytes) : 0,
          state: isComing ? .fetching : failure == nil ? .waiting : .failed,
          problem: isComing ? nil : failure?.problem)
      })
  }

  // MARK: Calls

  private func fetch(_ call: CallRequest) throws(Refusal) -> [StageOutput] {
    guard case .mapFetch(let wanted) = call.value else {
      throw Refusal(reason: "no_such_service", message: "nav-regions does not serve \(call.name)")
    }
    let place = wanted.latDeg.flatMap { latitude in
      wanted.lonDeg.map { Coordinate(latitudeDeg: latitude, longitudeDeg: $0) }
    }
    guard (wanted.name == nil) != (place == nil), (wanted.latDeg == nil) == (wanted.lonDeg == nil)
    else {
      let error = CallError(
        code: "invalid", message: "Give either a name, or lat_deg with lon_deg.", field: "name")
      return [.reply(callID: call.id, outcome: .failed(error))]
    }
    let (fetcher, retryS, now) = (shared.fetcher, shared.retryS, call.stamp)
    // Reads the catalogue outside the event loop: a slow server must not block it.
    return [
      .work(callID: call.id) {
        if fetcher.state.catalogue == nil { fetcher.readCatalogue(at: now, retryS: retryS) }
        let outcome = Self.reply(wanted.name, place, fetcher)
        return [.reply(callID: call.id, outcome: outcome), .wake(at: now)]
      }
    ]
  }

  private static func reply(
    _ name: String?, _ place: Coordinate?, _ fetcher: RegionFetcher
  ) -> CallOutcome {
    let state = fetcher.state
    guard let catalogue = state.catalogue else {
      return .failed(
        CallError(
          code: "unavailable", message: state.catalogueFailure?.problem ?? "There is no catalogue.")
      )
    }
    let regions = catalogue.regions.filter { region in
      name.map { $0 == region.name } ?? place.map { region.covers($0) } ?? false
    }
    guard !regions.isEmpty else {
      return .failed(
        CallError(
          code: "no_such_region",
          message: "The catalogue of \(fetcher.source) has no region "
            + (name.map { "called \"\($0)\"." } ?? "there."),
          field: name == nil ? "lat_deg" : "name"))
    }
    fetcher.request(regions.map(\.name))
    return .ok(.mapFetch(MapFetchReply(regions: regions.map(\.name))))
  }

  // MARK: State

  /// The names that were requested by `map/fetch`.
  public var savedState: [UInt8]? {
    let requested = shared.fetcher.state.requested.sorted()
    guard !requested.isEmpty else { return nil }
    return MapFetchReply(regions: requested).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    shared.fetcher.request(try MapFetchReply(savedState: state).regions)
  }
}

extension RegionFetcher.Job {
  /// Name of the counter in the node's status.
  fileprivate var counter: String {
    switch self {
    case .readCatalogue: "catalogues_read"
    case .fetch: "regions_fetched"
    }
  }
}

import EventTime
import Geodesy
import MessagePack
import Messages
import RegionFiles
import Regions
import Route
import RouteWire
public import Stage

/// Keeps the folder of maps filled with the regions that are needed, and tells what is installed and how old it is.
public struct RegionStage: Stage {
  private let shared: RegionShared
  private var needs: RegionNeeds
  /// Where the vehicle was when it was last looked what is missing.
  private var looked: Coordinate?
  private var published: [UInt8]?
  private var loggedProblems: Set<String> = []

  /// The folder is looked at so often, for what somebody else has put there.
  private static let lookS = 30.0
  private static let farthestLookM = 1000.0

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RegionShared {
    try RegionShared(parameters)
  }

  public init(vehicle: String, shared: RegionShared) {
    self.shared = shared
    needs = RegionNeeds(aroundM: shared.aroundM)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message): try take(message)
    case .wake(let now), .clockReset(let now): look(at: now)
    case .call(let request) where request.name == MapFetchRequest.call: try fetch(request)
    case .call(let request):
      throw Refusal(
        reason: "no_such_service", message: "nav-regions does not serve \(request.name)")
    case .cancelled, .reply: []
    }
  }

  private mutating func take(_ message: Inbound) throws(Refusal) -> [StageOutput] {
    do {
      switch message.topic {
      case LocationMatched.topic:
        let location = try LocationMatched(decoding: message.payload)
        guard let place = Self.place(location) else { return [] }
        needs.vehicle = place
        if let looked, looked.distanceM(to: place) < min(Self.farthestLookM, shared.aroundM / 10) {
          return []
        }
      case RouteActive.topic:
        let route = try RouteActive(decoding: message.payload).route.map { try Route(wire: $0) }
        needs.route = route?.shape ?? []
      default: return []
      }
    } catch let error as DecodeError {
      throw Refusal(
        reason: "does_not_decode", message: "\(message.topic): \(error.message)", field: error.path)
    } catch {
      throw Refusal(reason: "out_of_range", message: "\(message.topic): \(error)")
    }
    return look(at: message.stamp)
  }

  /// Where the fix is, which may be off every map; else where it was matched or estimated.
  private static func place(_ location: LocationMatched) -> Coordinate? {
    if let raw = location.raw {
      return Coordinate(latitudeDeg: raw.latDeg, longitudeDeg: raw.lonDeg)
    }
    guard let latitude = location.latDeg, let longitude = location.lonDeg else { return nil }
    return Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
  }

  // MARK: What is missing

  /// Publishes what has changed, begins what is to be fetched next, and asks for the next look.
  private mutating func look(at now: Instant) -> [StageOutput] {
    looked = needs.vehicle
    let desk = shared.desk
    let installed: [InstalledRegion]
    do throws(RegionFault) {
      installed = try InstalledRegions.list(desk.folder)
    } catch {
      return [.degraded(error.description), .wake(at: now.advanced(bySeconds: shared.retryS))]
    }
    let job = desk.take(
      needs, installed: Set(installed.map(\.name)), at: now, refreshS: shared.refreshS)
    let state = desk.state
    var outputs: [StageOutput] = [.degraded(Self.problem(state))]
    outputs += complaints(state)
    let report = report(state, installed).encoded()
    if report != published {
      published = report
      outputs.append(.publish(topic: MapRegions.topic, stamp: now, payload: report))
    }
    if let job {
      let retryS = shared.retryS
      outputs += [
        .wakeDuringWork(everyS: 1),
        .work(callID: nil) {
          desk.perform(job, at: now, retryS: retryS)
          return [.count(job.counter, 1), .wake(at: now)]
        },
      ]
    } else {
      outputs.append(.wake(at: nextLook(after: now, state)))
    }
    return outputs
  }

  private func nextLook(after now: Instant, _ state: RegionDesk.State) -> Instant {
    let retries = state.allFailures.map(\.retry)
    let usual = now.advanced(bySeconds: Self.lookS)
    return retries.filter { $0 > now }.min().map { min($0, usual) } ?? usual
  }

  private static func problem(_ state: RegionDesk.State) -> String? {
    state.allFailures.first.map { "regions are missing: \($0.problem)" }
  }

  /// Each problem, and each entry that is no region, once.
  private mutating func complaints(_ state: RegionDesk.State) -> [StageOutput] {
    let problems =
      state.allFailures.map(\.problem)
      + (state.catalogue?.notes.map { "\(shared.desk.source): \($0)" } ?? [])
    return problems.sorted().filter { loggedProblems.insert($0).inserted }
      .map { .log(.warning, $0) }
  }

  private func report(_ state: RegionDesk.State, _ installed: [InstalledRegion]) -> MapRegions {
    let offered = Dictionary(
      (state.catalogue?.regions ?? []).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    var needs = needs
    needs.asked = state.asked
    let missing = state.catalogue.map {
      needs.missing(in: $0, installed: Set(installed.map(\.name)))
    }
    return MapRegions(
      source: "\(shared.desk.source)", problem: state.catalogueFailure?.problem,
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
        let isComing = state.underWay == .fetch(region)
        let failure = state.failures[region.name]
        return WireFetchedRegion(
          name: region.name, bytes: UInt64(region.bytes),
          receivedBytes: isComing ? UInt64(state.receivedBytes) : 0,
          state: isComing ? .fetching : failure == nil ? .waiting : .failed,
          problem: isComing ? nil : failure?.problem)
      })
  }

  // MARK: Calls

  private func fetch(_ request: CallRequest) throws(Refusal) -> [StageOutput] {
    let wanted: MapFetchRequest
    do {
      wanted = try MapFetchRequest(decoding: request.payload)
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "\(request.name): \(error.message)", field: error.path)
    }
    let place = wanted.latDeg.flatMap { latitude in
      wanted.lonDeg.map { Coordinate(latitudeDeg: latitude, longitudeDeg: $0) }
    }
    guard (wanted.name == nil) != (place == nil), (wanted.latDeg == nil) == (wanted.lonDeg == nil)
    else {
      let error = CallError(
        code: "invalid", message: "Give either a name, or lat_deg with lon_deg.", field: "name")
      return [.reply(callID: request.id, outcome: .failed(error))]
    }
    let (desk, retryS, now) = (shared.desk, shared.retryS, request.stamp)
    // Reading the catalogue may take the time of a call.
    return [
      .work(callID: request.id) {
        if desk.state.catalogue == nil { desk.perform(.readCatalogue, at: now, retryS: retryS) }
        let outcome = Self.answer(wanted.name, place, desk)
        return [.reply(callID: request.id, outcome: outcome), .wake(at: now)]
      }
    ]
  }

  private static func answer(
    _ name: String?, _ place: Coordinate?, _ desk: RegionDesk
  ) -> CallOutcome {
    let state = desk.state
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
          message: "The catalogue of \(desk.source) has no region "
            + (name.map { "called \"\($0)\"." } ?? "there."),
          field: name == nil ? "lat_deg" : "name"))
    }
    desk.ask(for: regions.map(\.name))
    return .ok(payload: MapFetchReply(regions: regions.map(\.name)).encoded())
  }

  // MARK: State

  /// The names that were asked for.
  public var savedState: [UInt8]? {
    let asked = shared.desk.state.asked.sorted()
    guard !asked.isEmpty else { return nil }
    return MapFetchReply(regions: asked).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    do {
      shared.desk.ask(for: try MapFetchReply(decoding: state).regions)
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of regions: \(error.message)")
    }
  }
}

extension RegionDesk.Job {
  /// Name of the counter of the node's status.
  fileprivate var counter: String {
    switch self {
    case .readCatalogue: "catalogues_read"
    case .fetch: "regions_fetched"
    }
  }
}

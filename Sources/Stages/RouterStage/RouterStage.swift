import ExternalRouting
import Foundations
public import Messages
import Route
import RouteWire
import Routing
public import Stage
import Traffic

/// The router: requests in, complete routes with maneuvers out.
///
/// Calculations run concurrently with the event loop, each with the traffic at the moment of its
/// request. Identities are counted, never random, so that the same requests give the same bytes.
public struct RouterStage: Stage {
  let vehicle: String
  private(set) var shared: RouterShared
  let handles: RouteHandleStore
  private var inbox: TrafficInbox
  /// The received reports, shared with vehicles that have received the same; nil if there are
  /// none.
  private var snapshot: TrafficSnapshot?
  private var watch = TrafficChangeDetector()
  private var routeCount: UInt64 = 0
  private var hasComplained = false
  /// Calculations that have not ended yet, by call.
  private var underWay: [String: Calculation] = [:]

  private struct Calculation {
    var progress: Progress
    var call: String
    var requestID: String?
  }

  /// Maximum size of the routes in a saved state; the bus stores one such state per vehicle.
  private static let savedBytes = 512 * 1024
  /// Seconds of the machine's clock between two progress reports of a calculation.
  private static let progressS = 1.0

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RouterShared {
    try RouterShared(parameters)
  }

  public static func maps(_ parameters: Parameters) -> [String] {
    parameters.string("map").map { [$0] } ?? []
  }

  public static func load(
    _ parameters: Parameters, replacing old: RouterShared
  ) throws(StageFailure) -> RouterShared {
    try RouterShared(parameters, replacing: old)
  }

  public init(vehicle: String, shared: RouterShared) {
    self.vehicle = vehicle
    self.shared = shared
    handles = RouteHandleStore(lifetimeS: shared.leaseS, limit: shared.leaseCount)
    inbox = TrafficInbox(ages: shared.ages)
  }

  public func interest(in topic: Topics.Name) -> TopicInterest { .valueOrDeletion }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      guard let outputs = inbox.ingest(message, shared) else { return [] }
      share(at: message.stamp)
      return outputs + reportChanges(at: message.stamp)
    case .call(let request):
      return try serve(request)
    case .cancelled(let callID):
      guard let calculation = underWay.removeValue(forKey: callID) else { return [] }
      return cancel(callID, calculation)
    case .wake(let now):
      return problems() + reports(at: now) + judgeFeeds(at: now)
    case .clockReset(let now):
      handles.clockSet(to: now)
      inbox.reset(now)
      return []
    case .reply:
      return []
    }
  }

  /// Shares the reports with concurrent work; equal reports are stored once.
  private mutating func share(at moment: Instant) {
    let snapshot = shared.snapshots.put(inbox.reports, of: vehicle, at: moment)
    inbox.share(snapshot.reports)
    self.snapshot = snapshot.reports.isEmpty ? nil : snapshot
  }

  /// Evaluates the clocks of feeds that wrote since stack time was last known, and reports changes
  /// that are due.
  private mutating func judgeFeeds(at now: Instant) -> [StageOutput] {
    let before = inbox.reports.mark
    let outputs = inbox.pass(now, shared)
    let isCorrected = inbox.reports.mark != before
    if isCorrected { share(at: now) }
    let isDue = watch.nextChange.map { $0 <= now } ?? false
    return outputs + (isCorrected || isDue ? reportChanges(at: now) : nextWake)
  }

  /// The next wake-up: at once if a clock is to be evaluated, otherwise when the traffic changes.
  private var nextWake: [StageOutput] {
    (inbox.wake ?? watch.nextChange).map { [.wake(at: $0)] } ?? []
  }

  /// Switches to another map.
  ///
  /// Traffic is kept, handles are matched to the new map when they are used, and running
  /// calculations finish on the old map.
  public mutating func changeMap(to new: RouterShared) -> [StageOutput] {
    shared = new
    // The views of a traffic snapshot belong to one map.
    let moment = Instant(nanoseconds: 0)
    inbox.place(on: new)
    snapshot =
      inbox.reports.isEmpty ? nil : shared.snapshots.put(inbox.reports, of: vehicle, at: moment)
    hasComplained = false
    return problems()
  }

  /// Publishes that the traffic changed, and schedules a wake-up at its next known change.
  private mutating func reportChanges(at now: Instant) -> [StageOutput] {
    guard let change = watch.change(to: inbox.reports, at: now) else { return nextWake }
    let message = RouteClosures(
      closed: Int64(watch.closedCount), speeds: Int64(watch.speedCount),
      changed: change.segments.map(\.wire))
    return [.publish(.routeClosures(message), stamp: now)] + nextWake
  }

  /// Returns the log lines that are written once per map.
  private mutating func problems() -> [StageOutput] {
    guard !hasComplained, let speeds = shared.typical?.speeds,
      let sentence = speeds.unusedSentence
    else { return [] }
    hasComplained = true
    return [
      .count("traffic_unplaced", speeds.unknown), .log(.warning, "typical_speeds: \(sentence)"),
    ]
  }

  // MARK: Calls

  private mutating func serve(_ call: CallRequest) throws(Refusal) -> [StageOutput] {
    switch call.value {
    case .routeCalculate(let calculate):
      let wire = calculate.body
      let request = RouteRequest(wire: wire)
      return start(call, requestID: wire.requestId) { (work) throws(RouteFailure) in
        try work.calculate(request)
      }
    case .routeReturn(let wire):
      let old = try wire.route.map { wire throws(Refusal) in try Wire.route(wire, call.name) }
      return start(call) { (work) throws(RouteFailure) in try work.comeBack(wire, left: old) }
    case .routeRefresh(let wire):
      return start(call) { (work) throws(RouteFailure) in try work.refresh(wire) }
    case .routeTraffic(let wire):
      return start(call) { (work) throws(RouteFailure) in try work.traffic(wire) }
    case .routeCancel(let wire):
      return cancel(wire.requestId, call)
    case .routeImport(let wire):
      return start(call, requestID: wire.requestId) { (work) throws(RouteFailure) in
        try work.importing(wire)
      }
    case .routeEngines:
      let list = EngineList(outside: shared.outside, now: call.stamp)
      return [.reply(callID: call.id, outcome: .ok(.routeEngines(list.reply)))]
    case .routePolicy(let wire):
      return [.reply(callID: call.id, outcome: policy(wire))]
    case .placeFind(let wire):
      let search = PlaceSearch(shared: shared, wire: wire)
      return [.work(callID: call.id) { [.reply(callID: call.id, outcome: search.outcome)] }]
    case .mapSegment(let wire):
      return [.reply(callID: call.id, outcome: SegmentAnswer(shared).outcome(wire))]
    default:
      throw Refusal(reason: "no_such_service", message: "the router does not answer \(call.name)")
    }
  }

  private mutating func start(
    _ call: CallRequest, requestID: String? = nil,
    _ body: @escaping @Sendable (RouteCalculation) throws(RouteFailure) -> ReplyValue
  ) -> [StageOutput] {
    routeCount += 1
    let progress = Progress()
    underWay = underWay.filter { $0.value.progress.isRunning }
    underWay[call.id] = Calculation(progress: progress, call: call.name, requestID: requestID)
    let work = RouteCalculation(
      shared: shared, handles: handles, snapshot: snapshot,
      recentSheets: shared.snapshots.recent(of: vehicle, at: call.stamp),
      number: routeCount, now: call.stamp, progress: progress, policy: shared.policy.policy)
    let callID = call.id
    let outside = shared.outside
    let wakes: [StageOutput] =
      requestID == nil ? [] : [.wakeDuringWork(everyS: Self.progressS)]
    return wakes + [
      .work(callID: callID) {
        // It was cancelled while it waited for a thread.
        guard progress.isRunning else { return [] }
        let outcome: CallOutcome
        do throws(RouteFailure) {
          outcome = .ok(try body(work))
        } catch {
          outcome = .failed(CallError(code: error.code, message: error.sentence))
        }
        return (progress.end() ? [.reply(callID: callID, outcome: outcome)] : [])
          + outside.unreportedCounts()
      }
    ]
  }

  /// Returns the progress of the calculations with a request ID.
  private mutating func reports(at now: Instant) -> [StageOutput] {
    underWay = underWay.filter { $0.value.progress.isRunning }
    return underWay.sorted { $0.key < $1.key }.compactMap { _, calculation in
      guard let requestID = calculation.requestID else { return nil }
      let progress = calculation.progress
      return .publish(
        .routeProgress(
          RouteProgress(
            requestId: requestID, call: calculation.call, step: progress.current.wire,
            share: progress.share)), stamp: now)
    }
  }

  /// Answers `route/cancel` and the calls of the cancelled calculations, including those that wait
  /// for a thread.
  private mutating func cancel(_ requestID: String, _ call: CallRequest) -> [StageOutput] {
    let hits = underWay.filter { $0.value.requestID == requestID }.sorted { $0.key < $1.key }
    for hit in hits { underWay[hit.key] = nil }
    let ended = hits.flatMap { cancel($0.key, $0.value) }
    let reply = RouteCancelReply(cancelled: !ended.isEmpty)
    return [.reply(callID: call.id, outcome: .ok(.routeCancel(reply)))] + ended
  }

  /// Returns the reply that ends the call of a running calculation.
  private func cancel(_ callID: String, _ calculation: Calculation) -> [StageOutput] {
    guard calculation.progress.cancel() else { return [] }
    let failure = RouteFailure.cancelled
    let error = CallError(code: failure.code, message: failure.sentence)
    return [.reply(callID: callID, outcome: .failed(error))]
  }

  /// Sets the routing policy if the call contains one, and returns the policy that applies.
  private func policy(_ wire: RoutePolicyRequest) -> CallOutcome {
    if let new = wire.policy {
      let policy = RoutePolicy(wire: new)
      if let fault = policy.fault {
        return .failed(
          CallError(code: "invalid", message: fault.sentence, field: "policy.\(fault.field)"))
      }
      shared.policy.set(policy)
    }
    return .ok(.routePolicy(RoutePolicyReply(policy: shared.policy.policy.wire)))
  }

  // MARK: State

  /// The route count, the newest leases, so that handles survive a restart, and a policy that was
  /// set by a call.
  public var savedState: [UInt8]? {
    SavedRouter(
      routeCount: routeCount, handles: handles.newest(within: Self.savedBytes),
      policy: shared.policy.revision
    ).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved = try SavedRouter(decoding: state)
    routeCount = saved.routeCount
    handles.restore(saved.handles)
    shared.policy.restore(saved.policy)
  }
}

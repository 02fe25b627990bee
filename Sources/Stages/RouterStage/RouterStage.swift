import EventTime
import Messages
import Route
import RouteWire
import Routing
public import Stage
import Traffic

/// The router: requests in, whole routes out, maneuvers included.
///
/// Calculations run beside the loop, each with the traffic of the moment at which its request came.
/// Identities are counted, never drawn, so that the same requests give the same bytes.
public struct RouterStage: Stage {
  let vehicle: String
  let shared: RouterShared
  let leases: Leases
  private var board = TrafficBoard()
  /// How often the board has changed; names the traffic that metrics were made with.
  private var boardVersion = 0
  private var view: (traffic: TrafficView, version: Int, until: Instant?)?
  private var routeCount: UInt64 = 0
  /// Calculations that have not ended yet, by call.
  private var underWay: [String: (progress: Progress, requestID: String?)] = [:]

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RouterShared {
    try RouterShared(parameters)
  }

  public init(vehicle: String, shared: RouterShared) {
    self.vehicle = vehicle
    self.shared = shared
    leases = Leases(lifetimeS: shared.leaseS, limit: shared.leaseCount)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      if try board.take(message) {
        boardVersion += 1
        view = nil
        shared.desk.put(board, version: boardVersion, of: vehicle)
      }
      return []
    case .call(let request):
      return try answer(request)
    case .cancelled(let callID):
      underWay[callID]?.progress.cancel()
      underWay[callID] = nil
      return []
    case .wake, .reply, .clockReset:
      return []
    }
  }

  // MARK: Calls

  private mutating func answer(_ call: CallRequest) throws(Refusal) -> [StageOutput] {
    switch call.name {
    case RouteCalculateRequest.call:
      let wire = try Wire.decoded(RouteCalculateRequest.self, call).body
      let request = RouteRequest(wire: wire)
      return begin(call, requestID: wire.requestId) { (work) throws(RouteFailure) in
        try work.calculate(request)
      }
    case RouteReturnRequest.call:
      let wire = try Wire.decoded(RouteReturnRequest.self, call)
      let old = try wire.route.map { wire throws(Refusal) in try Wire.route(wire, call) }
      return begin(call) { (work) throws(RouteFailure) in try work.comeBack(wire, left: old) }
    case RouteRefreshRequest.call:
      let wire = try Wire.decoded(RouteRefreshRequest.self, call)
      return begin(call) { (work) throws(RouteFailure) in try work.refresh(wire) }
    case RouteTrafficRequest.call:
      let wire = try Wire.decoded(RouteTrafficRequest.self, call)
      return begin(call) { (work) throws(RouteFailure) in try work.traffic(wire) }
    case RouteCancelRequest.call:
      let wire = try Wire.decoded(RouteCancelRequest.self, call)
      return [.reply(callID: call.id, outcome: .ok(payload: cancel(wire.requestId).encoded()))]
    case MapSegmentRequest.call:
      let wire = try Wire.decoded(MapSegmentRequest.self, call)
      return [.reply(callID: call.id, outcome: SegmentAnswer(shared).outcome(wire))]
    default:
      throw Refusal(reason: "no_such_service", message: "\(call.name) is not served here")
    }
  }

  private mutating func begin(
    _ call: CallRequest, requestID: String? = nil,
    _ body: @escaping @Sendable (RouterWork) throws(RouteFailure) -> [UInt8]
  ) -> [StageOutput] {
    routeCount += 1
    let progress = Progress()
    underWay = underWay.filter { $0.value.progress.isRunning }
    underWay[call.id] = (progress, requestID)
    let work = RouterWork(
      shared: shared, leases: leases, traffic: trafficView(at: call.stamp),
      trafficName: TrafficDesk.name(vehicle, boardVersion, view?.traffic),
      number: routeCount, now: call.stamp, progress: progress)
    let callID = call.id
    return [
      .work(callID: callID) {
        defer { progress.end() }
        do throws(RouteFailure) {
          let payload = try body(work)
          return [.reply(callID: callID, outcome: .ok(payload: payload))]
        } catch {
          let failure = CallError(code: error.code, message: error.sentence)
          return [.reply(callID: callID, outcome: .failed(failure))]
        }
      }
    ]
  }

  private mutating func cancel(_ requestID: String) -> RouteCancelReply {
    let hits = underWay.filter { $0.value.requestID == requestID && $0.value.progress.isRunning }
    for entry in hits.values { entry.progress.cancel() }
    return RouteCancelReply(cancelled: !hits.isEmpty)
  }

  // The traffic of a moment; the last view is good until something begins or ends to hold.
  private mutating func trafficView(at now: Instant) -> TrafficView? {
    guard !board.isEmpty else { return nil }
    if let view, view.version == boardVersion, view.traffic.asOf <= now,
      view.until.map({ now < $0 }) ?? true
    {
      return view.traffic
    }
    let traffic = board.view(at: now, index: shared.index, graph: shared.graph)
    view = (traffic, boardVersion, board.nextChange(after: now))
    return traffic
  }

  // MARK: State

  /// The count of routes and the newest leases, so that handles survive a restart.
  public var savedState: [UInt8]? {
    SavedRouter(routeCount: routeCount, leases: leases.newest(4)).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved = try SavedRouter(decoding: state)
    routeCount = saved.routeCount
    leases.restore(saved.leases)
  }
}

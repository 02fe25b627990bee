import DrawnMaps
import EventTime
import Messages
import Route
import RouteWire
import Routing
import Stage
import Synchronization
import Testing

@testable import RouterStage

/// Calculations under way: what they tell, how they end, and many at once.
@Suite struct RouterWorkTests {
  @Test func `a calculation tells how far it is, and is cancelled by its name, RT-18`() throws {
    let gate = Atomic(false)
    let inside = Atomic(false)
    let map = try RouterStageTests.town()
    // Without the cancelling there would be a route.
    let osrm = try RouterEngineTests.osrm()
    var bench = EngineBench(
      map, RouterEngineTests.server,
      { (target, body) throws(EngineFailure) in
        inside.store(true, ordering: .sequentiallyConsistent)
        while !gate.load(ordering: .sequentiallyConsistent) {}
        return try osrm(target, body)
      })
    var wire = RouteRequest(
      waypoints: try "ad".map { Waypoint(place: try map.coordinate($0)) }
    ).wire
    wire.requestId = "q-1"
    let call = CallRequest(
      id: "c1", name: "route/calculate", stamp: Instant(seconds: 100), payload: wire.encoded())
    let outputs = try bench.stage.handle(.call(call))
    guard case .wake(let at)? = outputs.first, case .work(_, let body)? = outputs.last else {
      throw CallError(code: "internal", message: "no work")
    }
    #expect(at == Instant(seconds: 101))
    let ended = Mutex<[StageOutput]>([])
    let group = Worker { ended.withLock { $0 = body() } }
    while !inside.load(ordering: .sequentiallyConsistent) {}
    let told = try bench.stage.handle(.wake(now: at))
    guard case .publish("route/progress", _, let payload, _, _, _)? = told.first else {
      throw CallError(code: "internal", message: "nothing is told")
    }
    let progress = try RouteProgress(decoding: payload)
    #expect(progress.requestId == "q-1" && progress.step == .asking)
    let cancel = CallRequest(
      id: "c2", name: "route/cancel", stamp: at,
      payload: RouteCancelRequest(requestId: "q-1").encoded())
    guard case .reply(_, .ok(let reply))? = try bench.stage.handle(.call(cancel)).first else {
      throw CallError(code: "internal", message: "no reply")
    }
    #expect(try RouteCancelReply(decoding: reply).cancelled)
    gate.store(true, ordering: .sequentiallyConsistent)
    group.join()
    let codes = ended.withLock { outputs in
      outputs.compactMap { output -> String? in
        guard case .reply("c1", let outcome) = output else { return nil }
        guard case .failed(let error) = outcome else { return "a route" }
        return error.code
      }
    }
    #expect(codes == ["cancelled"])
    #expect(try bench.stage.handle(.wake(now: Instant(seconds: 102))).isEmpty)
  }

  @Test func `many requests at once are answered as one alone is, RT-1`() throws {
    let bench = EngineBench(try RouterStageTests.town(), EngineSetting())
    let map = bench.map
    let pairs = ["ad", "da", "ef", "af", "be", "cf", "de", "fb"]
    func payload(_ pair: String) throws -> [UInt8] {
      RouteRequest(waypoints: try pair.map { Waypoint(place: try map.coordinate($0)) }).wire
        .encoded()
    }
    func bodies() throws -> [@Sendable () -> [StageOutput]] {
      var stage = RouterStage(vehicle: "ego", shared: bench.shared)
      return try (0..<64).map { number in
        let call = CallRequest(
          id: "c\(number)", name: "route/calculate", stamp: Instant(seconds: 100),
          payload: try payload(pairs[number % pairs.count]))
        guard case .work(_, let body)? = try stage.handle(.call(call)).last else {
          throw CallError(code: "internal", message: "no work")
        }
        return body
      }
    }
    @Sendable func end(_ outputs: [StageOutput]) -> CallOutcome? {
      for case .reply(_, let outcome) in outputs { return outcome }
      return nil
    }
    let alone = try bodies().map { end($0()) }
    let together = Mutex([Int: CallOutcome?]())
    let workers = try bodies().enumerated().map { number, body in
      Worker {
        let outcome = end(body())
        together.withLock { $0[number] = outcome }
      }
    }
    for worker in workers { worker.join() }
    for number in alone.indices { #expect(together.withLock { $0[number] } == alone[number]) }
  }
}

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
    let (gate, inside) = (Gate(), Gate())
    // However this test ends, nobody goes on waiting.
    defer { gate.open() }
    let map = try RouterStageTests.town()
    // Without the cancelling there would be a route.
    let osrm = try RouterEngineTests.osrm()
    var bench = EngineBench(
      map, RouterEngineTests.server,
      { (target, body) throws(EngineFailure) in
        inside.open()
        do { try gate.pass() } catch { throw EngineFailure("nobody let it go on") }
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
    try inside.pass()
    let told = try bench.stage.handle(.wake(now: at))
    guard case .publish("route/progress", _, let payload, _, _, _)? = told.first else {
      throw CallError(code: "internal", message: "nothing is told")
    }
    let progress = try RouteProgress(decoding: payload)
    #expect(progress.requestId == "q-1" && progress.step == .asking)
    func cancels(_ name: String) throws -> Bool {
      let cancel = CallRequest(
        id: "c2", name: "route/cancel", stamp: at,
        payload: RouteCancelRequest(requestId: name).encoded())
      guard case .reply("c2", .ok(let reply))? = try bench.stage.handle(.call(cancel)).first else {
        throw CallError(code: "internal", message: "no reply")
      }
      return try RouteCancelReply(decoding: reply).cancelled
    }
    // Who names another calculation ends none.
    #expect(try !cancels("q-2"))
    #expect(try bench.stage.handle(.wake(now: at)).count == 2)
    #expect(try cancels("q-1"))
    gate.open()
    try group.join()
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
    let map = try RouterStageTests.town()
    let pairs = ["ad", "da", "ef", "af", "be", "cf", "de", "fb"]
    func payload(_ pair: String) throws -> [UInt8] {
      RouteRequest(waypoints: try pair.map { Waypoint(place: try map.coordinate($0)) }).wire
        .encoded()
    }
    // Each time nothing has been made yet of what the answers need.
    func bodies() throws -> [@Sendable () -> [StageOutput]] {
      var stage = RouterStage(vehicle: "ego", shared: RouterShared(graph: map.graph))
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
    // The payload of an answer that is a route.
    @Sendable func end(_ outputs: [StageOutput]) -> [UInt8]? {
      for case .reply(_, .ok(let payload)) in outputs { return payload }
      return nil
    }
    let alone = try bodies().map { try #require(end($0())) }
    #expect(Set(alone).count == 64)
    let lengths = Set(
      try alone.prefix(pairs.count).map { try RouteCalculateReply(decoding: $0).routes[0].lengthM })
    #expect(lengths.count >= 3)
    let start = Gate()
    defer { start.open() }
    let together = Mutex([Int: [UInt8]]())
    let workers = try bodies().enumerated().map { number, body in
      Worker {
        try? start.pass()
        let payload = end(body())
        together.withLock { $0[number] = payload }
      }
    }
    start.open()
    for worker in workers { try worker.join() }
    for number in alone.indices {
      let isSame = together.withLock { $0[number] } == alone[number]
      #expect(isSame, "request \(number)")
    }
  }
}

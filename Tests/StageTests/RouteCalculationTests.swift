import DrawnMaps
import ExternalRouting
import Foundations
import Messages
import Route
import RouteWire
import Routing
import Stage
import Synchronization
import Testing

@testable import RouterStage

/// Calculations under way: what they tell, how they end, and many at once.
@Suite struct RouteCalculationTests {
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
    let call = EncodedCall(
      id: "c1", name: "route/calculate", stamp: Instant(seconds: 100), payload: wire.encoded())
    let outputs = try bench.stage.receive(.call(call))
    // By the machine's clock, so also where no stack clock runs.
    guard case .wakeDuringWork(everyS: 1)? = outputs.first,
      case .work(_, let body)? = outputs.last
    else { throw CallError(code: "internal", message: "no work") }
    let at = Instant(seconds: 101)
    let ended = Mutex<[EncodedOutput]>([])
    let group = TestThread { ended.withLock { $0 = body() } }
    try inside.pass()
    let told = try bench.stage.receive(.wake(now: at))
    guard case .publish("route/progress", _, let payload, _, _, _)? = told.first else {
      throw CallError(code: "internal", message: "nothing is told")
    }
    let progress = try RouteProgress(decoding: payload)
    #expect(progress.requestId == "q-1" && progress.step == .asking)
    #expect(progress.share > 0 && progress.share < 1)
    // Another name ends no calculation.
    #expect(try Self.cancelled("q-2", &bench.stage).isEmpty)
    #expect(try bench.stage.receive(.wake(now: at)).count == 1)
    #expect(try Self.cancelled("q-1", &bench.stage) == ["c1"])
    #expect(try Self.cancelled("q-1", &bench.stage).isEmpty)
    gate.open()
    try group.join()
    // It was answered when it was cancelled, and is not answered again.
    #expect(ended.withLock { !$0.contains { if case .reply = $0 { true } else { false } } })
    #expect(try bench.stage.receive(.wake(now: Instant(seconds: 102))).isEmpty)
  }

  /// The calls that `route/cancel` answers as cancelled.
  private static func cancelled(_ name: String, _ stage: inout RouterStage) throws -> [String] {
    let cancel = EncodedCall(
      id: "x", name: "route/cancel", stamp: Instant(seconds: 101),
      payload: RouteCancelRequest(requestId: name).encoded())
    var ended: [String] = []
    for case .reply(let id, let outcome) in try stage.receive(.call(cancel)) {
      switch outcome {
      case .ok(let payload):
        let reply = try RouteCancelReply(decoding: payload)
        #expect(id == "x")
        if !reply.cancelled { return [] }
      case .failed(let error):
        #expect(error.code == "cancelled")
        ended.append(id)
      }
    }
    return ended
  }

  @Test func `a calculation that waits for a thread is cancelled at once, RT-18`() throws {
    let map = try RouterStageTests.town()
    var stage = RouterStage(vehicle: "ego", shared: RouterShared(graph: map.graph))
    func begun(_ id: String, requestID: String?) throws -> @Sendable () -> [EncodedOutput] {
      var wire = RouteRequest(
        waypoints: try "ad".map { Waypoint(place: try map.coordinate($0)) }
      ).wire
      wire.requestId = requestID
      let call = EncodedCall(
        id: id, name: "route/calculate", stamp: Instant(seconds: 100), payload: wire.encoded())
      guard case .work(_, let body)? = try stage.receive(.call(call)).last else {
        throw CallError(code: "internal", message: "no work")
      }
      return body
    }
    let bodies = try [begun("c1", requestID: "q-1"), begun("c2", requestID: nil)]
    guard
      case .publish(_, _, let payload, _, _, _)? = try stage.receive(
        .wake(now: Instant(seconds: 101))
      ).first
    else { throw CallError(code: "internal", message: "nothing is reported") }
    let progress = try RouteProgress(decoding: payload)
    #expect(progress.step == .waiting && progress.share == 0)
    #expect(try Self.cancelled("q-1", &stage) == ["c1"])
    // The caller of the other one gives up.
    let outputs = try stage.receive(.cancelled(callID: "c2"))
    guard case .reply("c2", .failed(let error))? = outputs.first, outputs.count == 1 else {
      throw CallError(code: "internal", message: "no end")
    }
    #expect(error.code == "cancelled")
    // When their turn comes there is nothing to do, and nothing more to say.
    for body in bodies { #expect(body().isEmpty) }
    #expect(try stage.receive(.wake(now: Instant(seconds: 102))).isEmpty)
  }

  @Test func `what is reported a calculation only grows, leg by leg, RT-18`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    let progress = Progress()
    let request = RouteRequest(
      waypoints: try "adfebcda".map { Waypoint(place: try map.coordinate($0)) }, alternatives: 2)
    let work = RouteCalculation(
      shared: shared, handles: RouteHandleStore(lifetimeS: 10, limit: 1), snapshot: nil,
      recentSheets: [:],
      number: 1, now: Instant(seconds: 100), progress: progress)
    // What a watcher sees whenever the search looks whether it is cancelled.
    let shares = Mutex<[Double]>([])
    let engine = work.engine(request)
    #expect(progress.share == 0)
    progress.step(.searching)
    try shared.workspaces.withSpace { (space) throws(RouteFailure) in
      _ = try engine.paths(
        request, in: &space,
        isCancelled: {
          shares.withLock { $0.append(progress.share) }
          return false
        }, reached: work.searched)
    }
    let seen = shares.withLock { $0 }
    #expect(seen == seen.sorted())
    // Seven legs of the best route, and those of the alternatives.
    #expect(Set(seen).count >= 10)
    #expect((seen.last ?? 0) > (seen.first ?? 1))
    #expect(progress.share <= 0.9)
    progress.step(.building)
    #expect(progress.share == 0.9)
    progress.advance(to: 1)
    progress.step(.asking)
    #expect(progress.share == 1)
  }

  @Test func `many requests at once are answered as one alone is, RT-1`() throws {
    let map = try RouterStageTests.town()
    let pairs = ["ad", "da", "ef", "af", "be", "cf", "de", "fb"]
    func payload(_ pair: String) throws -> [UInt8] {
      RouteRequest(waypoints: try pair.map { Waypoint(place: try map.coordinate($0)) }).wire
        .encoded()
    }
    // Each time nothing has been made yet of what the answers need.
    func bodies() throws -> [@Sendable () -> [EncodedOutput]] {
      var stage = RouterStage(vehicle: "ego", shared: RouterShared(graph: map.graph))
      return try (0..<64).map { number in
        let call = EncodedCall(
          id: "c\(number)", name: "route/calculate", stamp: Instant(seconds: 100),
          payload: try payload(pairs[number % pairs.count]))
        guard case .work(_, let body)? = try stage.receive(.call(call)).last else {
          throw CallError(code: "internal", message: "no work")
        }
        return body
      }
    }
    // The payload of an answer that is a route.
    @Sendable func end(_ outputs: [EncodedOutput]) -> [UInt8]? {
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
      TestThread {
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

import BusClient
import CallCases
import Messages
import NodeKit
import Synchronization
import Testing

/// The codes with which calls ended, by call.
private final class Ends: Sendable {
  private let codes = Mutex<[String: String]>([:])

  var values: [String: String] { codes.withLock { $0 } }

  func put(_ call: String, _ end: CallEnd) {
    let code = if case .failed(let code, _, _) = end { code } else { "ok" }
    codes.withLock { $0[call] = code }
  }
}

/// The codes that any call can end with, for every call of the contract, over a real broker.
@Suite(.serialized) struct CommonCallErrorTests {
  private static let names = Calls.all.map(\.name).filter { !$0.contains("<") }

  private let stack: TestStack
  private let caller: BusClient

  init() throws {
    stack = try TestStack()
    caller = try stack.client("caller")
    try #require(caller.waitForBroker(timeoutMS: 5_000))
  }

  /// A process that takes every call and answers none.
  private func server() throws -> BusClient {
    let server = try stack.client("server")
    server.serve(Self.names)
    try #require(server.waitForBroker(timeoutMS: 5_000))
    try #require(eventually { caller.serviceReports()?.count == Self.names.count })
    return server
  }

  private func end() {
    caller.close()
    stack.end()
  }

  /// Makes every call once, does `then` with their identities, and checks how all of them end.
  private func expect(
    _ code: String, timeoutMS: UInt32 = 20_000, from place: SourceLocation = #_sourceLocation,
    then: ([String]) -> Void = { _ in }
  ) {
    let ends = Ends()
    let identities = Self.names.map { name in
      caller.call(name, payload: [0x80], timeoutMS: timeoutMS) { ends.put(name, $0) }
    }
    then(identities)
    _ = eventually { ends.values.count == Self.names.count }
    for name in Self.names {
      #expect(ends.values[name] == code, "\(name)", sourceLocation: place)
    }
  }

  @Test("every call ends with no_such_service where nobody serves it, RT-22")
  func noServer() {
    defer { end() }
    expect("no_such_service")
  }

  @Test("every call ends with timeout, cancelled, server_restarted or unavailable, RT-22")
  func silentServer() throws {
    defer { end() }
    let server = try server()
    expect("timeout", timeoutMS: 50)
    expect("cancelled") { for id in $0 { caller.cancel(callID: id) } }
    expect("server_restarted") { _ in
      // The broker answers in order: with this reply it has all of the calls.
      _ = caller.serviceReports()
      server.close()
    }
    expect("unavailable")
  }

  @Test("every call ends with busy while its server has too much to do, RT-22")
  func busyServer() throws {
    defer { end() }
    let server = try server()
    defer { server.close() }
    let first = try #require(Self.names.first)
    for _ in 0..<1_100 { caller.call(first, payload: [0x80], timeoutMS: 60_000) { _ in } }
    expect("busy")
  }
}

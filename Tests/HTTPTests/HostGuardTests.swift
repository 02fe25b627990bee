import Testing

@testable import HTTP

@Suite struct HostGuardTests {
  let loopback = HostGuard(listeningAt: "127.0.0.1")

  @Test(arguments: ["127.0.0.1:8123", "localhost:8123", "LOCALHOST", "[::1]:8123"])
  func `the server's own names pass`(host: String) {
    #expect(loopback.objection(to: WebRequest(path: "/", host: host)) == nil)
  }

  @Test(arguments: [
    "evil.example:8123", "127.0.0.1.evil.example", "", "localhost\"x", "10.0.0.7:8123",
  ])
  func `other names are refused, so that re-binding a name helps nobody`(host: String) {
    #expect(loopback.objection(to: WebRequest(path: "/", host: host)) != nil)
  }

  @Test func `a request without a host is refused`() {
    #expect(loopback.objection(to: WebRequest(path: "/")) != nil)
  }

  @Test func `pages of other sites may not use the server`() {
    func objection(_ origin: String) -> String? {
      loopback.objection(to: WebRequest(path: "/live", host: "127.0.0.1:8123", origin: origin))
    }
    #expect(objection("http://127.0.0.1:8123") == nil)
    #expect(objection("http://127.0.0.1:9000") != nil)
    #expect(objection("https://evil.example") != nil)
    #expect(objection("null") != nil)
  }

  @Test func `a server on every address answers to any name, to its own pages only`() {
    let named = HostGuard(listeningAt: "127.0.0.1", also: ["Routes.example"])
    #expect(named.names?.contains("routes.example") == true)
    #expect(HostGuard(listeningAt: "127.0.0.1", also: ["*"]).names == nil)
    let open = HostGuard(listeningAt: "0.0.0.0")
    #expect(open.objection(to: WebRequest(path: "/", host: "car.local:8123")) == nil)
    #expect(
      open.objection(
        to: WebRequest(path: "/", host: "car.local:8123", origin: "http://evil.example")) != nil)
  }
}

import Foundation
import Glibc
import HTTP
import Testing

@testable import Web

@Suite struct WebServerTests {
  /// Runs `body` with a server on a free port.
  func serve(
    hub: LiveHub = LiveHub(), _ body: @Sendable @escaping (UInt16) throws -> Void
  ) async throws {
    let server = try WebServer(port: 0, live: hub, headers: ["X-Test": "yes"]) { request in
      request.path == "/hello"
        ? WebResponse(
          contentType: "text/plain", body: Array("hi \(request.query["who"] ?? "")".utf8))
        : .refusal(404, "nothing at \(request.path)")
    }
    let port = try server.start()
    #expect(port != 0)
    // The client blocks, so it may not sit on a thread of the server's tasks.
    let outcome = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { try body(port) }) }
    }
    server.stop()
    try outcome.get()
  }

  @Test func `a request is answered, with the headers of every answer`() async throws {
    try await serve { port in
      let (status, head, body) = try TestClient(port: port).get("/hello?who=you")
      #expect(status == 200)
      #expect(body == "hi you")
      #expect(head.contains("X-Test: yes"))
    }
  }

  @Test func `bad requests get a clear answer`() async throws {
    try await serve { port in
      #expect(try TestClient(port: port).get("/nowhere").0 == 404)
      #expect(try TestClient(port: port).get("/hello", headers: "Host: evil.example").0 == 403)
      #expect(try TestClient(port: port).get("/hello", headers: "X: y").0 == 403)
      let client = try TestClient(port: port)
      try client.send("DELETE /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      #expect(try client.response().0 == 405)
      #expect(try TestClient(port: port).get("/live").0 == 400)
      let garbage = try TestClient(port: port)
      try garbage.send([0, 255, 13, 10, 13, 10, 7])
      #expect(try TestClient(port: port).get("/hello").0 == 200)
    }
  }

  @Test func `a live client gets what is there, then what comes, and its commands are answered`()
    async throws
  {
    let hub = LiveHub { "answer to \($0)" }
    hub.publish("state", name: "a", delivery: .latest)
    try await serve(hub: hub) { port in
      let client = try TestClient(port: port)
      #expect(try client.upgrade(origin: "http://127.0.0.1") == 101)
      #expect(try client.frame() == "state")
      hub.publish("event", name: "b", delivery: .event)
      #expect(try client.frame() == "event")
      try client.sendFrame("command")
      #expect(try client.frame() == "answer to command")
    }
  }

  @Test func `a page of another site gets no live link`() async throws {
    try await serve { port in
      let status = try TestClient(port: port).upgrade(origin: "http://evil.example")
      #expect(status == 403)
    }
  }

  @Test func `a client that does not read holds nobody up, and then gets the newest`() async throws
  {
    let hub = LiveHub()
    try await serve(hub: hub) { port in
      let slow = try TestClient(port: port)
      let quick = try TestClient(port: port)
      #expect(try slow.upgrade() == 101)
      #expect(try quick.upgrade() == 101)
      hub.publish("ready", name: "ready", delivery: .event)
      #expect(try quick.frame() == "ready")
      #expect(try slow.frame() == "ready")
      // Far more than the sockets' buffers hold.
      let filler = String(repeating: "x", count: 50_000)
      for number in 0..<400 { hub.publish("\(number) \(filler)", name: "big", delivery: .latest) }
      hub.publish("end", name: "end", delivery: .event)
      func last(of client: TestClient) throws -> (Int, String) {
        var count = 0
        var newest = ""
        while true {
          let text = try client.frame()
          if text == "end" { return (count, newest) }
          count += 1
          newest = String(text.prefix { $0 != " " })
        }
      }
      #expect(try last(of: quick).1 == "399")
      let (count, newest) = try last(of: slow)
      #expect(newest == "399")
      #expect(count < 400)
    }
  }

  @Test func `a client that goes away leaves nothing behind`() async throws {
    let hub = LiveHub()
    try await serve(hub: hub) { port in
      for _ in 0..<3 {
        let client = try TestClient(port: port)
        #expect(try client.upgrade() == 101)
        hub.publish("x", name: "x", delivery: .event)
        #expect(try client.frame() == "x")
      }
      let deadline = Date(timeIntervalSinceNow: 10)
      while hub.clientCount > 0, Date() < deadline { usleep(10_000) }
      #expect(hub.clientCount == 0)
    }
  }

  @Test func `a taken port is reported in a sentence`() async throws {
    try await serve { port in
      let second = try WebServer(port: port, live: LiveHub()) { _ in .refusal(404, "") }
      let failure = #expect(throws: WebServerFailure.self) { _ = try second.start() }
      #expect(failure?.description.contains("\(port)") == true)
    }
  }

  @Test func `a path is given without escapes and ways up`() async throws {
    let server = try WebServer(port: 0, live: LiveHub()) { request in
      WebResponse(contentType: "text/plain", body: Array("\(request.path) \(request.query)".utf8))
    }
    let port = try server.start()
    defer { server.stop() }
    #expect(
      try TestClient(port: port).get("/a%2Fb//./c/../d%20e?x=1%202&y").2.hasPrefix("/a/b/d e "))
    #expect(try TestClient(port: port).get("/%2e%2e/%2e%2e/x").2.hasPrefix("/x "))
    #expect(try TestClient(port: port).get("/%zz%4").2.hasPrefix("/%zz%4 "))
  }

  @Test func `with a token only those who show it are answered`() async throws {
    let token = AccessToken.random()
    let server = try WebServer(port: 0, live: LiveHub(), token: token) { request in
      WebResponse(contentType: "text/plain", body: Array("\(request.query)".utf8))
    }
    let port = try server.start()
    defer { server.stop() }
    func status(_ path: String, _ line: String = "") throws -> Int {
      let lines = line.isEmpty ? "Host: 127.0.0.1" : "Host: 127.0.0.1\r\n\(line)"
      return try TestClient(port: port).get(path, headers: lines).0
    }
    #expect(try status("/") == 401)
    #expect(try status("/live") == 401)
    #expect(try status("/?token=\(token.text.dropLast())") == 401)
    #expect(try status("/?token=") == 401)
    #expect(try status("/token/none/x") == 401)
    #expect(try status("/", "Cookie: nav_1=\(token.text)") == 401)
    #expect(try status("/", "Cookie: a=b; nav_\(port)=\(token.text)") == 200)
    #expect(try status("/", "Authorization: Bearer \(token.text)") == 200)
    #expect(try status("/token/\(token.text)/x") == 200)
    let (code, _, body) = try TestClient(port: port).get("/?a=1&token=\(token.text)")
    #expect(code == 200)
    #expect(body == "[\"a\": \"1\"]")
    let (moved, head, _) = try TestClient(port: port).get(
      "//evil.example/?a=1&token=\(token.text)", headers: "Host: 127.0.0.1\r\nAccept: text/html")
    #expect(moved == 303)
    #expect(head.contains("Location: /evil.example/?a=1\r\n"))
    #expect(head.contains("Set-Cookie: nav_\(port)=\(token.text); Path=/; HttpOnly; SameSite=Lax"))
  }

  @Test func `a host that is none is refused`() {
    #expect(throws: WebServerFailure.badHost("no such host")) {
      _ = try WebServer(host: "no such host", port: 0, live: LiveHub()) { _ in .refusal(404, "") }
    }
  }
}

@Suite struct StaticFolderTests {
  @Test func `files of the folder are served, and nothing else`() throws {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let folder = base.appendingPathComponent("page")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("js"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: base) }
    try Data("secret".utf8).write(to: base.appendingPathComponent("secret.json"))
    try Data("1".utf8).write(to: folder.appendingPathComponent("js/a.js"))
    try Data("2".utf8).write(to: folder.appendingPathComponent(".hidden.js"))
    try Data("3".utf8).write(to: folder.appendingPathComponent("key.pem"))
    let site = StaticFolder(folder: folder.path)
    #expect(site.response(for: "/js/a.js").status == 200)
    #expect(site.response(for: "js/a.js").contentType == "text/javascript; charset=utf-8")
    for path in [
      "/../secret.json", "/js/../../secret.json", "/.hidden.js", "/key.pem", "/js", "/", "/none.js",
      "/%2e%2e/secret.json",
    ] {
      #expect(site.response(for: path).status == 404, "\(path)")
    }
  }
}

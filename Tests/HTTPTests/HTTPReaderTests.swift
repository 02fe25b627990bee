import RequestReading
import Testing

@testable import HTTP

@Suite struct HTTPReaderTests {
  /// Heads read from pieces of bytes, and the status of the fault that ended the reading.
  func read(_ pieces: [String]) -> (heads: [HTTPHead], status: Int?) {
    let (heads, fault) = RequestReading.read(pieces.map { Array($0.utf8) })
    return (heads, fault?.status)
  }

  @Test func `requests are read however they are cut`() {
    let text =
      "GET /a?b=1 HTTP/1.1\r\nHost: x\r\nAccept:  y \r\n\r\nHEAD /c HTTP/1.0\r\nConnection: keep-alive\r\ncontent-length: 3\r\n\r\nabcGET /d HTTP/1.1\r\nConnection: close\r\n\r\n"
    let whole = read([text])
    #expect(whole.status == nil)
    #expect(
      whole.heads.map { String(decoding: $0.target, as: UTF8.self) } == ["/a?b=1", "/c", "/d"])
    #expect(whole.heads.map(\.keepsAlive) == [true, true, false])
    #expect(read(["GET / HTTP/1.0\r\n\r\n"]).heads.map(\.keepsAlive) == [false])
    #expect(whole.heads[0].headers == ["host": "x", "accept": "y"])
    let bytes = read(text.map { String($0) })
    #expect(bytes.heads == whole.heads)
  }

  @Test func `a target may be in absolute form, and its host counts`() {
    let heads = read([
      "GET http://a.example:80/x?y HTTP/1.1\r\nHost: b\r\n\r\n"
        + "GET HTTP://c?z HTTP/1.1\r\nHost: c\r\n\r\nGET http://d HTTP/1.0\r\n\r\n"
    ]).heads
    #expect(heads.map { $0.headers["host"] } == ["a.example:80", "c", "d"])
    #expect(heads.map { String(decoding: $0.target, as: UTF8.self) } == ["/x?y", "/?z", "/"])
    #expect(read(["GET http:///x HTTP/1.1\r\nHost: b\r\n\r\n"]).status == 400)
    #expect(read(["GET ftp://a/x HTTP/1.1\r\nHost: b\r\n\r\n"]).status == 400)
  }

  @Test(arguments: [
    ("TE, close", false), ("close", false), ("Close ,TE", false),
    ("TE\r\nConnection: close", false),
    ("TE", true), ("keep-alive, Upgrade", true), ("unclose", true),
  ])
  func `a connection ends where one of its options says so`(line: String, keepsAlive: Bool) {
    let text = "GET / HTTP/1.1\r\nHost: x\r\nConnection: \(line)\r\n\r\n"
    #expect(read([text]).heads.map(\.keepsAlive) == [keepsAlive])
  }

  @Test(
    arguments: [
      ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("G(T / HTTP/1.1\r\n\r\n", 400),
      ("GET x HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
      ("GET / HTTP/1.1\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA B: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
      ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
      ("GET /\u{0} HTTP/1.1\r\n\r\n", 400),
    ])
  func `what is no request is refused`(text: String, status: Int) {
    #expect(read([text]).status == status)
  }

  @Test func `a head without end is refused before it fills the memory`() {
    let long = String(repeating: "a", count: 1000)
    #expect(read(["GET /"] + (0..<80).map { _ in long }).status == 414)
    #expect(read(["GET / HTTP/1.1\r\nA: "] + (0..<80).map { _ in long }).status == 431)
    #expect(
      read(["GET / HTTP/1.1\r\n"] + (0..<101).map { "A\($0): b\r\n" } + ["\r\n"]).status == 431)
  }

  @Test func `pages of this machine may read, others must be named`() {
    #expect(CrossOrigin().allows("http://localhost:8080"))
    #expect(CrossOrigin().allows("https://[::1]"))
    #expect(!CrossOrigin().allows("http://localhost.evil.example"))
    #expect(!CrossOrigin().allows("null"))
    #expect(CrossOrigin(["https://maps.example"]).allows("https://maps.example"))
    #expect(CrossOrigin(["*"]).allows("https://any.example"))
  }
}

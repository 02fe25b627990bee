import Testing

@testable import HTTP

/// What other servers answer is read without trust.
@Suite struct HTTPAnswerTests {
  private func bytes(_ head: String, _ body: String = "{}") -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(head)\r\n\r\n\(body)".utf8)
  }

  @Test(arguments: ["9223372036854775807", "9223372036854775808", "-1", "x", "3", ""])
  func `a length that is not the body's ends in an error`(length: String) {
    let answer = bytes("Content-Length: \(length)")
    #expect(!HTTPAnswerReader.isWhole(answer))
    #expect(throws: HTTPClientFailure.self) { try HTTPAnswerReader.response(answer) }
  }

  @Test func `a whole answer is reported from one that still comes`() throws {
    let answer = bytes("Content-Length: 2")
    #expect(HTTPAnswerReader.isWhole(answer))
    #expect(!HTTPAnswerReader.isWhole(Array(answer.dropLast())))
    #expect(try HTTPAnswerReader.response(answer).body == Array("{}".utf8))
  }

  @Test(arguments: [
    ("http://[::1]:8002", "[::1]:8002"), ("http://localhost:5000/osrm", "localhost:5000"),
    ("http://host", "host:80"),
  ])
  func `a server is named as its own guard knows it`(url: String, authority: String) {
    #expect(HTTPEndpoint(url)?.authority == authority)
  }
}

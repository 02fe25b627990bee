import CZlib
import Testing

@testable import HTTP
@testable import Web

@Suite struct ContentCodingTests {
  private func head(_ headers: [String: String]) -> HTTPHead {
    HTTPHead(method: "GET", target: [0x2F], headers: headers, keepsAlive: true, bodyLength: 0)
  }

  private func page(_ size: Int, type: String = "text/css; charset=utf-8") -> WebResponse {
    WebResponse(contentType: type, body: (0..<size).map { UInt8($0 % 23 + 97) })
  }

  /// What a browser makes of a gzip body of at most a megabyte; nil if it is damaged.
  private func inflated(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else {
      return nil
    }
    defer { inflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: 1 << 20))
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return inflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
  }

  @Test func `a client that reads gzip gets less, and the same`() throws {
    let coding = ContentCoding()
    let whole = page(50_000)
    for accepted in ["gzip", "deflate, gzip, br", "br, gzip;q=0.5"] {
      let coded = coding.coded(whole, for: head(["accept-encoding": accepted]))
      #expect(coded.headers["Content-Encoding"] == "gzip")
      #expect(coded.body.count < 1000)
      #expect(inflated(coded.body) == whole.body)
    }
    for refused in [nil, "identity", "gzip;q=0", "br"] {
      let coded = coding.coded(whole, for: head(refused.map { ["accept-encoding": $0] } ?? [:]))
      #expect(coded.headers["Content-Encoding"] == nil)
      #expect(coded.body == whole.body)
      #expect(coded.headers["Vary"] == "Accept-Encoding")
    }
    // Pictures are compressed already, and small bodies gain nothing.
    let gzip = head(["accept-encoding": "gzip"])
    #expect(coding.coded(page(50_000, type: "image/png"), for: gzip).body.count == 50_000)
    #expect(coding.coded(page(200), for: gzip).headers["Content-Encoding"] == nil)
    let refusal = WebResponse.refusal(404, "nothing")
    #expect(coding.coded(refusal, for: gzip) == refusal)
  }

  @Test func `who has the newest body gets none`() throws {
    let coding = ContentCoding()
    let first = coding.coded(page(5000), for: head(["accept-encoding": "gzip"]))
    let tag = try #require(first.headers["ETag"])
    let again = coding.coded(
      page(5000), for: head(["accept-encoding": "gzip", "if-none-match": "\"other\", \(tag)"]))
    #expect(again.status == 304 && again.body.isEmpty)
    let newer = coding.coded(page(5001), for: head(["if-none-match": tag]))
    #expect(newer.status == 200 && newer.body.count == 5001)
  }

  @Test func `compressed bodies are kept up to a limit`() {
    let coding = ContentCoding(byteLimit: 2000)
    for size in 5000..<5200 {
      let coded = coding.coded(page(size), for: head(["accept-encoding": "gzip"]))
      #expect(inflated(coded.body)?.count == size)
    }
  }
}

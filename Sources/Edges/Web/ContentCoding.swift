import CZlib
import Foundations
import HTTP
import Synchronization

/// Sends less: compressed bodies to clients that read gzip, and no body to those that have it.
///
/// RFC 9110, sections 8.4 (content coding) and 13.1.2 (`If-None-Match`). The answers are complete,
/// so a compressed body is kept for the next client, up to a number of bytes.
final class ContentCoding: Sendable {
  /// Smaller bodies are sent as they are.
  private static let leastBytes = 1024

  private struct State {
    var bodies: [String: [UInt8]] = [:]
    var order: [String] = []
    var byteCount = 0
  }

  private let byteLimit: Int
  private let state = Mutex(State())

  init(byteLimit: Int = 16 * 1024 * 1024) { self.byteLimit = byteLimit }

  /// The response as one client gets it; linear in the body.
  func coded(_ response: WebResponse, for head: HTTPHead) -> WebResponse {
    guard response.status == 200, !response.body.isEmpty else { return response }
    var coded = response
    let tag = "\"\(String(FNV1a(response.body).value, radix: 16))-\(response.body.count)\""
    coded.headers["ETag"] = tag
    coded.headers["Vary"] = "Accept-Encoding"
    if names(head.headers["if-none-match"]).contains(where: { $0 == tag || $0 == "W/\(tag)" }) {
      coded.status = 304
      coded.body = []
      return coded
    }
    guard response.body.count >= Self.leastBytes, Self.isCompressible(response.contentType),
      acceptsGzip(head), let bytes = compressed(response.body, tag: tag)
    else { return coded }
    coded.headers["Content-Encoding"] = "gzip"
    // The bytes differ from those without coding, so their tag does, too.
    coded.headers["ETag"] = "W/\(tag)"
    coded.body = bytes
    return coded
  }

  private func acceptsGzip(_ head: HTTPHead) -> Bool {
    names(head.headers["accept-encoding"]).contains { name in
      let parts = name.split(separator: ";").map { $0.filter { $0 != " " } }
      return parts.first == "gzip" && !parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
    }
  }

  private func names(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",").map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func isCompressible(_ type: String) -> Bool {
    ["text/", "application/json", "application/vnd.mapbox-vector-tile", "image/svg+xml"]
      .contains { type.hasPrefix($0) }
  }

  private func compressed(_ body: [UInt8], tag: String) -> [UInt8]? {
    if let known = state.withLock({ $0.bodies[tag] }) { return known }
    guard let bytes = Self.gzip(body), bytes.count < body.count else { return nil }
    state.withLock { state in
      guard state.bodies.updateValue(bytes, forKey: tag) == nil else { return }
      state.order.append(tag)
      state.byteCount += bytes.count
      while state.byteCount > byteLimit, !state.order.isEmpty {
        let oldest = state.order.removeFirst()
        state.byteCount -= state.bodies.removeValue(forKey: oldest)?.count ?? 0
      }
    }
    return bytes
  }

  /// The bytes in the gzip format, RFC 1952; nil without memory.
  static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 for a gzip header.
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    // zlib reads the input only, although its interface does not say so.
    var input = bytes
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    guard isWhole else { return nil }
    return Array(output.prefix(Int(stream.total_out)))
  }
}

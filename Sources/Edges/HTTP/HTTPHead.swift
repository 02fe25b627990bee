package import NIOHTTP1

/// The head of a received request.
public struct HTTPHead: Hashable, Sendable {
  public var method: String
  /// Path and query, not decoded.
  public var target: [UInt8]
  /// By lower-case name; the last value if a name occurs several times.
  public var headers: [String: String]
  /// Whether the connection stays open after the answer.
  public var keepsAlive: Bool
  /// Bytes of a body that follow the head.
  public var bodyLength: Int
  /// Whether the request is HTTP/1.0, which does not require a Host header.
  var isOld = false
}

/// The reason why a request is refused before it reaches a handler; the connection ends with the answer.
public struct HTTPFault: Error, Hashable, Sendable {
  public var status: Int
  public var sentence: String

  public init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  /// Creates the fault for an error that the parser reports.
  package init(_ error: any Error) {
    switch error {
    case let fault as HTTPFault: self = fault
    case HTTPParserError.headerOverflow: self = HTTPHead.tooManyLines
    case HTTPParserError.invalidVersion: self = HTTPHead.otherVersion
    case HTTPParserError.invalidContentLength:
      self.init(400, "Content-Length is not a number")
    case HTTPParserError.unexpectedContentLength:
      self.init(400, "the request has two lengths")
    case HTTPParserError.invalidHeaderToken, HTTPParserError.lfExpected:
      self.init(400, "a line of the head is not \"Name: value\"")
    default: self = HTTPHead.badRequestLine
    }
  }
}

extension HTTPHead {
  /// Maximum size of a head in bytes, and of its lines.
  public static let sizeLimit = 64 * 1024
  public static let lineLimit = 100
  /// Maximum size of a body in bytes; no request of this server uses one.
  public static let bodyLimit = 64 * 1024

  static let tooLarge = HTTPFault(431, "the head of a request may have at most \(sizeLimit) bytes")
  static let tooManyLines = HTTPFault(
    431, "the head of a request may have at most \(lineLimit) lines")
  static let badRequestLine = HTTPFault(
    400, "the request line is not \"METHOD /path HTTP/1.1\"")
  static let otherVersion = HTTPFault(505, "this server supports HTTP/1.1 only")

  /// Limits of the parser that match those of a head.
  package static var parserLimits: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldCount = lineLimit - 1
    limits.maxHeaderFieldSize = sizeLimit
    limits.maxHeaderListSize = sizeLimit
    return limits
  }

  /// Checks a parsed head by the rules of this server (RFC 9112), which are stricter than the parser's.
  ///
  /// - Throws: `HTTPFault` with the status to answer.
  package init(_ request: HTTPRequestHead) throws(HTTPFault) {
    guard let (authority, target) = Self.target(Array(request.uri.utf8)) else {
      throw Self.badRequestLine
    }
    guard request.version == .http1_1 || request.version == .http1_0 else {
      throw Self.otherVersion
    }
    var headers: [String: String] = [:]
    for (name, value) in request.headers {
      let name = name.lowercased()
      let value = Self.trimmed(value)
      if name == "content-length" || name == "host", let known = headers[name], known != value {
        throw HTTPFault(400, "the request has two \(name) lines")
      }
      // These two headers may be spread over several lines.
      if name == "connection" || name == "upgrade", let known = headers[name] {
        headers[name] = "\(known), \(value)"
      } else {
        headers[name] = value
      }
    }
    if let authority { headers["host"] = authority }
    guard headers["transfer-encoding"] == nil else {
      throw HTTPFault(501, "this server supports no transfer encoding")
    }
    let connection = (headers["connection"] ?? "").lowercased().split(separator: ",")
      .map { word in word.filter { $0 != " " && $0 != "\t" } }
    let isOld = request.version == .http1_0
    // The parser stops at a request for another protocol, so that such a request is the last one.
    let ends =
      connection.contains("close")
      || connection.contains("upgrade") && headers["upgrade"] != nil
    self.init(
      method: request.method.rawValue, target: target, headers: headers,
      keepsAlive: !ends && (!isOld || connection.contains("keep-alive")),
      bodyLength: try Self.bodyLength(headers["content-length"]), isOld: isOld)
  }

  /// A header's value without the spaces around it, which the parser keeps at the end.
  private static func trimmed(_ value: String) -> String {
    guard let last = value.utf8.last, last == 0x20 || last == 0x09 else { return value }
    var bytes = value.utf8[...]
    while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Splits a request target into its path and, in absolute form, its host (RFC 9112, 3.2.2).
  ///
  /// The result is nil for a target of any other form.
  private static func target(_ word: [UInt8]) -> (authority: String?, path: [UInt8])? {
    guard word.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    if word.first == 0x2F { return (nil, word) }
    let scheme = Array("http://".utf8)
    guard String(decoding: word.prefix(scheme.count), as: UTF8.self).lowercased() == "http://"
    else {
      return nil
    }
    let rest = word.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != 0x2F && $0 != 0x3F }
    guard !authority.isEmpty else { return nil }
    let path = rest.dropFirst(authority.count)
    return (
      String(decoding: authority, as: UTF8.self), path.first == 0x2F ? Array(path) : [0x2F] + path
    )
  }

  private static func bodyLength(_ text: String?) throws(HTTPFault) -> Int {
    guard let text else { return 0 }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
      throw HTTPFault(400, "Content-Length is not a number")
    }
    guard length <= bodyLimit else {
      throw HTTPFault(413, "the body of a request may have at most \(bodyLimit) bytes")
    }
    return length
  }
}

/// One request as passed to a handler.
public struct WebRequest: Hashable, Sendable {
  public enum Method: Hashable, Sendable {
    case get
    case head
    case post
    /// Any other method, by its name.
    case other(String)
  }

  public var method: Method
  /// Percent-decoded and normalised: starts with `/`, contains no `..` and no empty parts.
  public var path: String
  public var query: [String: String]
  /// The `Host` header; nil if the client sent none.
  public var host: String?
  /// The `Origin` header; nil if the client sent none, as is usual for clients other than browsers.
  public var origin: String?

  public init(
    method: Method = .get, path: String, query: [String: String] = [:], host: String? = nil,
    origin: String? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.host = host
    self.origin = origin
  }
}

/// The answer of a handler.
public struct WebResponse: Hashable, Sendable {
  /// HTTP status code, 100 to 599.
  public var status: Int
  /// Media type: `application/json`.
  public var contentType: String
  /// Further header lines by name.
  public var headers: [String: String]
  public var body: [UInt8]

  public init(
    status: Int = 200, contentType: String, headers: [String: String] = [:], body: [UInt8]
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
  }

  /// A plain-text sentence about what was wrong with the request.
  public static func refusal(_ status: Int, _ sentence: String) -> WebResponse {
    WebResponse(
      status: status, contentType: "text/plain; charset=utf-8",
      headers: ["Cache-Control": "no-store"], body: Array((sentence + "\n").utf8))
  }

  public static func json(_ text: String) -> WebResponse {
    WebResponse(
      contentType: "application/json", headers: ["Cache-Control": "no-cache"],
      body: Array(text.utf8))
  }
}

/// The access checks of a server, and the encoding of its answers.
struct HTTPGate: Sendable {
  let hosts: HostGuard
  /// Sites whose pages may read the responses; nil allows only the server's own pages.
  let origins: CrossOrigin?
  /// Headers of every response.
  var headers: [String: String] = [:]
  /// Check of the token; nil if requests need none.
  var access: HTTPAccess?

  /// The answer that needs no calculation; nil if the request may pass.
  func answer(to head: HTTPHead) -> WebResponse? {
    // Every browser sends a Host header; an HTTP/1.0 request without one is a health check.
    let host = head.headers["host"] ?? (head.isOld ? "localhost" : nil)
    let request = WebRequest(
      path: "/", host: host, origin: origins == nil ? head.headers["origin"] : nil)
    if let objection = hosts.objection(to: request) { return .refusal(403, objection) }
    if let origins, let origin = head.headers["origin"], !origins.allows(origin) {
      return .refusal(403, "pages of \"\(origin)\" may not use this server")
    }
    switch head.method {
    case "GET", "HEAD": return access?.answer(to: head)
    case "OPTIONS" where origins != nil:
      return WebResponse(
        status: 204, contentType: "text/plain",
        headers: [
          "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
          "Access-Control-Allow-Headers": "X-Requested-With, Content-Type, Authorization",
          "Access-Control-Max-Age": "86400",
        ], body: [])
    default:
      let methods = origins == nil ? "GET and HEAD" : "GET, HEAD and OPTIONS"
      var refusal = WebResponse.refusal(405, "only \(methods) are answered here")
      refusal.headers["Allow"] = origins == nil ? "GET, HEAD" : "GET, HEAD, OPTIONS"
      return refusal
    }
  }

  /// Encodes status line, headers and body.
  func bytes(_ response: WebResponse, to head: HTTPHead?, isLast: Bool) -> [UInt8] {
    var lines = "HTTP/1.1 \(response.status) \(Self.phrase(response.status))\r\n"
    lines += "Content-Type: \(response.contentType)\r\n"
    for (name, value) in headers.merging(response.headers, uniquingKeysWith: { $1 }).sorted(by: {
      $0.key < $1.key
    }) {
      lines += "\(name): \(value)\r\n"
    }
    if let origin = head?.headers["origin"], origins?.allows(origin) == true {
      lines += "Access-Control-Allow-Origin: \(origin)\r\nVary: Origin\r\n"
    }
    if response.status != 204 { lines += "Content-Length: \(response.body.count)\r\n" }
    if headers["X-Content-Type-Options"] == nil { lines += "X-Content-Type-Options: nosniff\r\n" }
    lines += isLast ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n"
    return Array(lines.utf8) + (head?.method == "HEAD" ? [] : response.body)
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 303: "See Other"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}

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
  func respond(to head: HTTPHead) -> WebResponse? {
    // Every browser sends a Host header; an HTTP/1.0 request without one is a health check.
    let host = head.headers["host"] ?? (head.isOld ? "localhost" : nil)
    let request = WebRequest(
      path: "/", host: host, origin: origins == nil ? head.headers["origin"] : nil)
    if let objection = hosts.objection(to: request) { return .refusal(403, objection) }
    if let origins, let origin = head.headers["origin"], !origins.allows(origin) {
      return .refusal(403, "pages of \"\(origin)\" may not use this server")
    }
    switch head.method {
    case "GET", "HEAD": return access?.response(to: head)
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

  /// The answer as it is sent: status, headers, and the body unless the request is a HEAD.
  func response(_ response: WebResponse, to head: HTTPHead?, isLast: Bool) -> HTTPAnswer {
    var answer = HTTPAnswer(
      status: response.status, bodyLength: response.body.count, isLast: isLast)
    answer.add("Content-Type", response.contentType)
    let own =
      headers.isEmpty
      ? response.headers : headers.merging(response.headers, uniquingKeysWith: { $1 })
    for (name, value) in own.sorted(by: { $0.key < $1.key }) { answer.add(name, value) }
    if let origin = head?.headers["origin"], origins?.allows(origin) == true {
      answer.add("Access-Control-Allow-Origin", origin)
      answer.add("Vary", "Origin")
    }
    if response.status != 204, response.status != 304 {
      answer.add("Content-Length", String(response.body.count))
    }
    if headers["X-Content-Type-Options"] == nil { answer.add("X-Content-Type-Options", "nosniff") }
    answer.add("Connection", isLast ? "close" : "keep-alive")
    answer.end(body: head?.method == "HEAD" ? [] : response.body)
    return answer
  }
}

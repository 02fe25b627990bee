import Stage

/// The address on which the HTTP API is served.
struct OSRMAddress {
  /// OSRM's own port, accessible from this machine only.
  static let usual = "127.0.0.1:5000"

  var host: String
  var port: UInt16

  /// The parameter `http`: `HOST:PORT`, `PORT` or `:PORT`; nil if it is not given.
  init?(_ parameters: Parameters) throws(StageFailure) {
    guard let text = parameters.string("http"), !text.isEmpty, text != "off" else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let host = parts.count > 1 ? parts.dropLast().joined(separator: ":") : ""
    guard let last = parts.last, let port = UInt16(last) else {
      throw StageFailure(
        "http: \"\(text)\" is not an address; write HOST:PORT, such as \(Self.usual)")
    }
    self.host = host.isEmpty ? "127.0.0.1" : host
    self.port = port
  }
}

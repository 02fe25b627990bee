extension WebRequest {
  /// Creates the request of a head; its path has no escapes, `.`, `..` or empty parts.
  public init(_ head: HTTPHead) {
    let method: Method =
      switch head.method {
      case "GET": .get
      case "HEAD": .head
      case "POST": .post
      default: .other(head.method)
      }
    let parts = head.target.split(separator: 0x3F, maxSplits: 1, omittingEmptySubsequences: false)
    var steps: [String] = []
    for step in Self.unescaped(parts.first ?? []).split(separator: "/") {
      switch step {
      case ".": continue
      case "..": _ = steps.popLast()
      default: steps.append(String(step))
      }
    }
    var query: [String: String] = [:]
    for item in (parts.count > 1 ? parts[1] : []).split(separator: 0x26) {
      let pair = item.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      query[Self.unescaped(pair[0])] = pair.count > 1 ? Self.unescaped(pair[1]) : ""
    }
    self.init(
      method: method, path: "/" + steps.joined(separator: "/"), query: query,
      host: head.headers["host"], origin: head.headers["origin"])
  }

  private static func unescaped(_ bytes: some Sequence<UInt8>) -> String {
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x41...0x46: byte - 0x37
      case 0x61...0x66: byte - 0x57
      default: nil
      }
    }
    let bytes = Array(bytes)
    var out: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == 0x25, at + 2 < bytes.count, let high = digit(bytes[at + 1]),
        let low = digit(bytes[at + 2])
      {
        out.append(high << 4 | low)
        at += 3
      } else {
        out.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

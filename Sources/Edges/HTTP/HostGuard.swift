/// Blocks requests of other sites' pages to a server that listens on this machine.
///
/// A page of another site can send requests to a loopback port. By re-binding its own name to
/// 127.0.0.1 it can also read the answers. Both are refused: the `Host` must be one of the server's
/// own names. An `Origin`, which every browser sends with a WebSocket, must be the same host. A
/// server that listens on every address accepts any name, because it cannot know its own.
public struct HostGuard: Hashable, Sendable {
  /// Lower-case names that are accepted; nil accepts any.
  public let names: Set<String>?

  /// Creates a guard for a server that listens at `host` and also has the names `others`.
  ///
  /// A `*` among the others accepts any name.
  public init(listeningAt host: String, also others: [String] = []) {
    switch host {
    case "0.0.0.0", "::": names = nil
    default:
      let own = [host, "localhost", "127.0.0.1", "::1"] + others
      names = others.contains("*") ? nil : Set(own.map { $0.lowercased() })
    }
  }

  /// The reason why a request is refused; nil if it may pass.
  public func objection(to request: WebRequest) -> String? {
    guard let host = request.host else { return "the request has no Host header" }
    guard host.utf8.allSatisfy(Self.mayStandInAuthority) else {
      return "the Host header is not the name of a host"
    }
    if let names, !names.contains(Self.name(ofAuthority: host)) {
      return "this server does not answer to the name \"\(host)\""
    }
    if let origin = request.origin, Self.authority(ofOrigin: origin) != host.lowercased() {
      return "pages of \"\(origin)\" may not use this server"
    }
    return nil
  }

  /// `127.0.0.1` of `127.0.0.1:8123`, `::1` of `[::1]:8123`, in lower case.
  static func name(ofAuthority authority: String) -> String {
    let text = authority.lowercased()
    if text.hasPrefix("[") {
      return String(text.dropFirst().prefix { $0 != "]" })
    }
    return String(text.prefix { $0 != ":" })
  }

  private static func mayStandInAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    // Digits and letters, then "-", ".", ":", "[", "]", "_".
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F: true
    default: false
    }
  }

  private static func authority(ofOrigin origin: String) -> String? {
    let text = origin.lowercased()
    for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
      return String(text.dropFirst(scheme.count))
    }
    return nil
  }
}

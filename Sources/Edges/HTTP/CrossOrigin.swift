/// The sites whose pages may read a server's answers.
///
/// By default these are pages that this machine itself serves. A list names others, and `*` allows
/// all.
public struct CrossOrigin: Hashable, Sendable {
  private let named: Set<String>

  /// Creates a list of `origins` as a browser sends them, `https://maps.example:8443`, or `*`.
  public init(_ origins: [String] = []) { named = Set(origins.map { $0.lowercased() }) }

  public func allows(_ origin: String) -> Bool {
    let origin = origin.lowercased()
    return named.contains("*") || named.contains(origin) || Self.isLoopback(origin)
  }

  private static func isLoopback(_ origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      let name = HostGuard.name(ofAuthority: String(origin.dropFirst(scheme.count)))
      return ["localhost", "127.0.0.1", "::1"].contains(name)
    }
    return false
  }
}

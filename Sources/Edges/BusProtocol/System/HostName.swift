import Glibc

/// The name of this machine, under which tools list the nodes of a stack on several machines.
public enum HostName {
  /// NAV_HOST if it is set, otherwise the system's host name; at most 64 bytes, empty if there is
  /// none.
  public static let own: String = {
    if let given = getenv("NAV_HOST").map({ String(cString: $0) }), !given.isEmpty {
      return String(given.prefix(64))
    }
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, 64) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()
}

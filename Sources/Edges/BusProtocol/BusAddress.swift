import Glibc

/// The address of a bus: a base, from which the three endpoints are derived.
///
/// `ipc:///run/user/1000/navstack/demo` means the sockets `in`, `out` and `control` in that
/// directory; `tcp://host:7400` means the ports 7400, 7401 and 7402. Nodes listen at `out.0` or port
/// 7403, lane n of a replica at `out.n` or port 7403 + n.
public struct BusAddress: Hashable, Sendable {
  /// The reason why an address cannot be used, as a sentence.
  public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  public let base: String
  /// Endpoint for PUSH sockets.
  public let ingest: String
  /// Endpoint for SUB sockets that read messages in three parts.
  public let egress: String
  /// Endpoint for DEALER sockets.
  public let control: String
  /// The directory of the sockets; nil over tcp.
  public let directory: String?
  private let laneBase: String
  private let laneNumber: Int

  /// A socket's path has to fit into `sun_path`.
  static let maximumPathLength = 107

  /// Parses a base; without `isInsecureAllowed` (`insecure: yes` in the configuration), tcp is
  /// refused.
  public init(_ base: String, isInsecureAllowed: Bool = false) throws(Invalid) {
    self.base = base
    if let path = base.dropping(prefix: "ipc://") {
      guard path.hasPrefix("/"), path.count > 1 else {
        throw Invalid(description: "bus address \(base): an ipc path must be absolute")
      }
      let longest = "\(path)/control"
      guard longest.utf8.count <= Self.maximumPathLength else {
        throw Invalid(
          description: "bus address \(base): the path \(longest) has \(longest.utf8.count) bytes, "
            + "a socket's path at most \(Self.maximumPathLength)")
      }
      directory = path
      ingest = "ipc://\(path)/in"
      egress = "ipc://\(path)/out"
      control = "ipc://\(path)/control"
      laneBase = "ipc://\(path)/out."
      laneNumber = 0
    } else if let rest = base.dropping(prefix: "tcp://") {
      guard let colon = rest.lastIndex(of: ":"), colon != rest.startIndex,
        let port = UInt16(rest[rest.index(after: colon)...]), port > 0,
        port < 65_533 - EgressSet.last
      else {
        throw Invalid(description: "bus address \(base): expected tcp://host:port")
      }
      guard isInsecureAllowed else {
        throw Invalid(
          description: "bus address \(base): tcp is open to every host that can reach it, and keys "
            + "are not supported yet; use ipc, or set insecure: yes (NAV_BUS_INSECURE=yes)")
      }
      let host = rest[..<colon]
      directory = nil
      ingest = "tcp://\(host):\(port)"
      egress = "tcp://\(host):\(port + 1)"
      control = "tcp://\(host):\(port + 2)"
      laneBase = "tcp://\(host):"
      laneNumber = Int(port) + 3
    } else {
      throw Invalid(description: "bus address \(base): expected ipc:///path or tcp://host:port")
    }
  }

  /// The endpoint at which a node receives messages in one part: lane 0, or a replica's lane, 1 to
  /// 62.
  public func egress(lane: Int) -> String {
    lane == EgressSet.plainNumber ? egress : "\(laneBase)\(laneNumber + lane)"
  }

  /// Whether a peer may be on another machine.
  public var isRemote: Bool { directory == nil }

  /// Creates the directory of the sockets, accessible to this user only; does nothing for tcp.
  public func makeDirectory() throws(Invalid) {
    guard let directory else { return }
    var path = ""
    for part in directory.split(separator: "/") {
      path += "/\(part)"
      if mkdir(path, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        throw Invalid(
          description:
            "bus directory \(path) cannot be created: \(String(cString: strerror(errno)))")
      }
    }
    var info = stat()
    guard stat(directory, &info) == 0, info.st_uid == getuid(), info.st_mode & 0o077 == 0 else {
      throw Invalid(
        description:
          "bus directory \(directory) must be owned by the current user and closed to others (mode 0700)"
      )
    }
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

public import Stage

/// The address of a receiver: an entry of the parameter `receivers`.
public struct ReceiverAddress: Hashable, Sendable {
  public enum Link: Hashable, Sendable {
    /// A serial device, or any other device that is read like a file.
    case serial(path: String, baud: UInt32)
    case tcp(host: String, port: UInt16)
    /// Datagrams received by this machine.
    case udp(port: UInt16)
    /// A gpsd; `device` is one of its receivers, nil for all.
    case gpsd(host: String, port: UInt16, device: String?)
  }

  /// The address as written; it is the provider name of its fixes.
  public let text: String
  public let link: Link
  /// Among several live receivers, the one with the highest priority is used.
  public let priority: Int64

  /// Parses `serial:/dev/ttyUSB0@9600`, `tcp:host:port`, `udp:port`, `gpsd:host:port/dev/ttyUSB0`.
  ///
  /// - Throws: `StageFailure` with the expected format.
  public init(_ text: String, priority: Int64) throws(StageFailure) {
    self.text = text
    self.priority = priority
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let link = Self.link(parts[0], parts[1]) else {
      throw StageFailure(
        "receivers: \"\(text)\" is not a receiver; expected serial:/dev/ttyUSB0@9600, tcp:host:port, "
          + "udp:port or gpsd:host:2947")
    }
    self.link = link
  }

  private static func link(_ kind: String, _ rest: String) -> Link? {
    switch kind {
    case "serial":
      let parts = rest.split(separator: "@", maxSplits: 1).map(String.init)
      guard let path = parts.first, path.hasPrefix("/") else { return nil }
      guard parts.count == 2 else { return .serial(path: path, baud: 9600) }
      return UInt32(parts[1]).map { .serial(path: path, baud: $0) }
    case "tcp": return endpoint(rest, standard: nil).map { .tcp(host: $0, port: $1) }
    case "udp": return UInt16(rest).flatMap { $0 > 0 ? .udp(port: $0) : nil }
    case "gpsd":
      let cut = rest.firstIndex(of: "/")
      return endpoint(String(rest[..<(cut ?? rest.endIndex)]), standard: 2947).map {
        .gpsd(host: $0, port: $1, device: cut.map { String(rest[$0...]) })
      }
    default: return nil
    }
  }

  private static func endpoint(_ text: String, standard: UInt16?) -> (String, UInt16)? {
    let parts = text.split(separator: ":").map(String.init)
    guard let host = parts.first, parts.count <= 2 else { return nil }
    let port = parts.count == 2 ? UInt16(parts[1]) : standard
    return port.flatMap { $0 > 0 ? (host, $0) : nil }
  }
}

import CLinux
import Glibc

/// Identifies the processes of one node, which may share a listening socket.
///
/// A standby takes the socket of the process that it replaces, and a replica that of another
/// replica. The socket is passed over a local socket in the abstract namespace, and only between
/// processes of one user.
public struct ListenerSharing: Hashable, Sendable {
  /// Name of the process in its stack: `router`, or `router.1` for a replica.
  public var process: String
  /// Name shared by all processes of the node, unique to this stack.
  public var scope: String
  /// Whether this process takes the place of another one of the same name.
  public var isStandby: Bool
  /// Whether other processes of the node listen at the same time.
  public var isReplica: Bool

  public init(process: String, scope: String, isStandby: Bool = false, isReplica: Bool = false) {
    self.process = process
    self.scope = scope
    self.isStandby = isStandby
    self.isReplica = isReplica
  }

  /// Returns the place of this process in its stack, from NAV_NODE, NAV_GROUP, NAV_STANDBY and NAV_RUN_DIR or
  /// NAV_BUS; nil for a process outside a stack.
  public static func ofProcess() -> ListenerSharing? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    guard let process = variable("NAV_NODE"),
      let stack = variable("NAV_RUN_DIR") ?? variable("NAV_BUS")
    else { return nil }
    let group = variable("NAV_GROUP")
    return ListenerSharing(
      process: process, scope: "\(stack) \(group ?? process)",
      isStandby: variable("NAV_STANDBY") == "1", isReplica: group != nil)
  }

  /// Processes of a node that can share a socket: at most the replicas of a stack, and a standby for each.
  static let places = 128

  /// The local name of one of the processes that listen at an address.
  func name(host: String, port: UInt16, place: Int) -> String {
    // FNV-1a, 64 bits: the name of a socket has at most 107 bytes, the path of a stack may be longer.
    let hash = scope.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return "navstack/\(geteuid())/\(String(hash, radix: 16))/\(host):\(port)/\(place)"
  }
}

/// A listening socket, its own or another process's, with the data needed to pass it on.
struct SharedListener: Sendable {
  let listener: Int32
  /// Connection to the process whose place this one takes; -1 if there is none.
  let predecessor: Int32
  let host: String
  /// The requested port: 0 for any.
  let port: UInt16
  let sharing: ListenerSharing?

  /// Maximum time for which a replica waits for the socket of another one that is also starting.
  private static let replicaPatienceNS: Int64 = 3_000_000_000
  private static let answerMS: Int32 = 1_000

  /// Takes the socket of another process of the node, or binds one.
  static func open(
    host: String, port: UInt16, _ sharing: ListenerSharing?
  ) throws(HTTPServiceFailure) -> (SharedListener, port: UInt16) {
    let address = host == "localhost" ? "127.0.0.1" : host
    if let sharing, sharing.isStandby || sharing.isReplica,
      let found = ask(host: address, port: port, sharing)
    {
      return (found, clinux_tcp_port(found.listener))
    }
    let deadline = clinux_monotonic_ns() + replicaPatienceNS
    while true {
      var actual: UInt16 = 0
      let listener = clinux_tcp_listen(address, port, &actual)
      if listener >= 0 {
        let own = SharedListener(
          listener: listener, predecessor: -1, host: address, port: port, sharing: sharing)
        return (own, actual)
      }
      let isTaken = errno == EADDRINUSE
      let reason = HTTPSocket.reason
      guard isTaken, let sharing, sharing.isReplica, clinux_monotonic_ns() < deadline else {
        throw HTTPServiceFailure(
          description:
            "cannot listen on \(host):\(port): \(reason); give an IPv4 address of this machine and a free port",
          reason: reason)
      }
      // Another replica has bound the port and is about to start.
      usleep(20_000)
      if let found = ask(host: address, port: port, sharing) {
        return (found, clinux_tcp_port(found.listener))
      }
    }
  }

  /// Asks the other processes of the node for their socket; nil if none of them has it.
  private static func ask(
    host: String, port: UInt16, _ sharing: ListenerSharing
  ) -> SharedListener? {
    var listener: Int32 = -1
    for place in 0..<ListenerSharing.places {
      let link = clinux_local_connect(
        sharing.name(host: host, port: port, place: place), answerMS)
      guard link >= 0 else { continue }
      let hello = ListenerHello(process: sharing.process, sharing.isStandby ? .succeeds : .shares)
      guard let (answer, passed) = hello.exchange(over: link, waitingMS: answerMS) else {
        clinux_close(link)
        continue
      }
      let isPredecessor = sharing.isStandby && answer.process == sharing.process
      if listener < 0 { listener = passed } else { clinux_close(passed) }
      guard !isPredecessor else {
        return SharedListener(
          listener: listener, predecessor: link, host: host, port: port, sharing: sharing)
      }
      clinux_close(link)
      if !sharing.isStandby { break }
    }
    guard listener >= 0 else { return nil }
    return SharedListener(
      listener: listener, predecessor: -1, host: host, port: port, sharing: sharing)
  }

  func close() {
    clinux_close(listener)
    if predecessor >= 0 { clinux_close(predecessor) }
  }
}

/// The first message between two processes that share a listening socket.
struct ListenerHello: Hashable, Sendable {
  enum Kind: String {
    /// The sender listens next to the receiver.
    case shares
    /// The sender takes the receiver's place if it has the same name.
    case succeeds
    /// The sender ends, and its connections follow.
    case gives
  }

  var process: String
  var kind: Kind

  static let capacity = 256

  init(process: String, _ kind: Kind) {
    self.process = process
    self.kind = kind
  }

  /// nil for bytes that are not a greeting of this version.
  init?(_ bytes: some Sequence<UInt8>) {
    let words = String(decoding: Array(bytes), as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "listener/1", let kind = Kind(rawValue: String(words[1]))
    else { return nil }
    self.init(process: String(words[2]), kind)
  }

  var bytes: [UInt8] { Array("listener/1 \(kind.rawValue) \(process)".utf8) }

  /// Sends the greeting and waits for the answer with the socket.
  func exchange(over link: Int32, waitingMS: Int32) -> (ListenerHello, listener: Int32)? {
    let own = bytes
    guard clinux_local_send(link, own, Int64(own.count), -1, waitingMS) == own.count else {
      return nil
    }
    var buffer = [UInt8](repeating: 0, count: Self.capacity)
    var passed: Int32 = -1
    let got = clinux_local_receive(link, &buffer, Int64(buffer.count), &passed, waitingMS)
    guard got > 0, let answer = ListenerHello(buffer.prefix(Int(got))), passed >= 0 else {
      if passed >= 0 { clinux_close(passed) }
      return nil
    }
    return (answer, passed)
  }
}

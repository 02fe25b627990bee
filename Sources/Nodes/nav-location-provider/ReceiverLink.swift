import CLinux
import Glibc
import LocationStage

/// An open link to a receiver: bytes in, and a request out for a gpsd.
struct ReceiverLink: ~Copyable {
  struct Failure: Error {
    var sentence: String

    /// Describes a failure of `what` by `errno`.
    init(_ what: String) { sentence = "\(what): \(String(cString: strerror(errno)))" }
    init(saying sentence: String) { self.sentence = sentence }
  }

  private let descriptor: Int32
  /// Whether no bytes mean the end: true for a stream, while a datagram may be empty.
  private let hasEnd: Bool

  init(_ link: ReceiverAddress.Link) throws(Failure) {
    descriptor = try Self.descriptor(of: link)
    if case .udp = link { hasEnd = false } else { hasEnd = true }
  }

  deinit { close(descriptor) }

  private static func descriptor(of link: ReceiverAddress.Link) throws(Failure) -> Int32 {
    switch link {
    case .serial(let path, let baud): return try serial(path, baud: baud)
    case .tcp(let host, let port), .gpsd(let host, let port, _):
      let descriptor = clinux_tcp_connect(host, port, 2_000)
      guard descriptor >= 0 else { throw Failure("\(host):\(port)") }
      return descriptor
    case .udp(let port): return try datagrams(port)
    }
  }

  private static func serial(_ path: String, baud: UInt32) throws(Failure) -> Int32 {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path) }
    var line = termios()
    // Other files than terminals, such as a pipe, are read unchanged.
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &line) == 0 else { return descriptor }
    guard let speed = speeds[baud] else {
      close(descriptor)
      throw Failure(saying: "\(path): \(baud) baud is not a speed of a serial line")
    }
    cfmakeraw(&line)
    cfsetispeed(&line, speed)
    cfsetospeed(&line, speed)
    guard tcsetattr(descriptor, TCSANOW, &line) == 0 else {
      let failure = Failure(path)
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  private static let speeds: [UInt32: speed_t] = [
    4800: speed_t(B4800), 9600: speed_t(B9600), 19200: speed_t(B19200), 38400: speed_t(B38400),
    57600: speed_t(B57600), 115200: speed_t(B115200), 230400: speed_t(B230400),
    460800: speed_t(B460800), 921600: speed_t(B921600),
  ]

  private static func datagrams(_ port: UInt16) throws(Failure) -> Int32 {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw Failure("udp:\(port)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else {
      let failure = Failure("udp:\(port)")
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// The available bytes; empty if none arrived in time, nil if the other side has closed.
  borrowing func read(waitingMS: Int32) throws(Failure) -> [UInt8]? {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&item, 1, waitingMS)
    guard ready > 0 else {
      if ready < 0, errno != EINTR { throw Failure("waiting") }
      return []
    }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    if count == 0 { return hasEnd ? nil : [] }
    if errno == EAGAIN || errno == EINTR { return [] }
    // A pseudo-terminal whose other side has gone reports EIO.
    if errno == EIO { return nil }
    throw Failure("reading")
  }

  borrowing func write(_ bytes: [UInt8]) throws(Failure) {
    guard clinux_tcp_write(descriptor, bytes, Int64(bytes.count), 2_000) == bytes.count else {
      throw Failure("writing")
    }
  }
}

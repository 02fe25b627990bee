import BusProtocol
import CLinux
import CZeroMQ
import Glibc
import ZMQ

/// What libzmq alone gives: PUB, proxy, SUB, called as from C.
enum Floor {
  /// How many are sent to measure latency: three seconds of them, within reason.
  static var latencyMessages: Int { min(300, max(20, 3 * BusHop.rateHz)) }

  /// The proxy on a thread of its own, and a PUB and a SUB that are connected to it.
  final class Path {
    let publisher: PlainSocket
    let reader: PlainReader
    private let context: Context
    private let thread: OSThread
    private let paths: [String]

    init(_ directory: String) throws {
      paths = ["\(directory)/front", "\(directory)/back"]
      let front = "ipc://\(paths[0])"
      let back = "ipc://\(paths[1])"
      let context = try Context()
      self.context = context
      let bound = try ThreadWaker()
      thread = OSThread("proxy") {
        guard let xsub = PlainSocket(context, ZMQ_XSUB), let xpub = PlainSocket(context, ZMQ_XPUB)
        else { return }
        xpub.set(ZMQ_XPUB_NODROP, 1)
        xsub.bind(front)
        xpub.bind(back)
        bound.signal()
        // Ends when the context is shut down.
        zmq_proxy(xsub.handle, xpub.handle, nil)
      }
      var items = [bound.pollItem]
      try poll(&items, timeoutMS: 5_000)
      reader = try PlainReader(back, "")
      guard let publisher = PlainSocket(try Context(), ZMQ_PUB) else {
        throw Failed()
      }
      self.publisher = publisher
      publisher.set(ZMQ_XPUB_NODROP, 1)
      publisher.connect(front)
      while !reader.hears(withinMS: 10) { publisher.send([[0]]) }
      while reader.hears(withinMS: 100) {}
    }

    func end() {
      context.shutDown()
      thread.join()
      for path in paths { unlink(path) }
    }
  }

  struct Failed: Error {}

  /// A message of one part, or of three that are as long as a topic, its header and the payload.
  static func message(parts: Int) -> [[UInt8]] {
    let lengths = parts == 1 ? [BusHop.payloadBytes] : [13, 100, BusHop.payloadBytes]
    return lengths.map { [UInt8](repeating: 0x61, count: $0) }
  }

  static func latency(_ directory: String, parts: Int) throws -> [Int64] {
    let path = try Path(directory)
    defer { path.end() }
    let message = message(parts: parts)
    return latencies(path.reader) { path.publisher.send(message) }
  }

  /// How long it takes from the beginning of `send` to the end of what is heard, `BusHop.rateHz` times a second.
  static func latencies(_ reader: PlainReader, _ send: () -> Void) -> [Int64] {
    var latencies: [Int64] = []
    for _ in 0..<latencyMessages {
      let sent = MonotonicTime.now
      send()
      guard reader.hears(withinMS: 1_000) else { continue }
      latencies.append(MonotonicTime.now.nanoseconds - sent.nanoseconds)
      usleep(BusHop.pauseUS)
    }
    return latencies
  }

  static func throughput(_ directory: String, parts: Int, _ count: Int) throws -> Throughput {
    let path = try Path(directory)
    defer { path.end() }
    let message = message(parts: parts)
    return Throughput.measure(sent: count) {
      let publisher = path.publisher
      let sender = OSThread("sender") {
        for _ in 0..<count { publisher.send(message) }
      }
      defer { sender.join() }
      return path.reader.count(upTo: count, parts: parts)
    }
  }
}

public import BusProtocol
public import ZMQ

/// Publishes whole frames unchanged, whatever their source: for players and lock-step conductors.
///
/// Numbers, sources and runs are those of the frames; nothing is kept for a new broker.
public final class FramePublisher {
  private let context: Context
  private let socket: Socket
  /// Number of frames that the bus has accepted.
  public private(set) var sent: UInt64 = 0

  /// Connects; published frames wait for a broker that is not there yet.
  public init(to address: BusAddress) throws(BusError) {
    context = try Context()
    socket = try Socket(.push, in: context)
    try socket.setLinger(ms: 5_000)
    if address.isRemote { try socket.keepAlive() }
    try socket.connect(address.ingest)
  }

  /// Publishes a frame; blocks while the bus has no room, up to `waitingUpToMS`.
  ///
  /// - Throws: `BusError` if the bus had no room during that time.
  public func publish(_ frame: Frame, waitingUpToMS: Int = 60_000) throws(BusError) {
    try waitUntilWritable(waitingUpToMS)
    try socket.send(frame.parts)
    sent += 1
  }

  private func waitUntilWritable(_ limitMS: Int) throws(BusError) {
    var items = [PollItem(writable: socket)]
    _ = try poll(&items, timeoutMS: limitMS)
  }
}

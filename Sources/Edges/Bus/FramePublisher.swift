/// Publishes whole frames as they are, whoever wrote them: for players, and for who leads a stack
/// in lock-step.
///
/// Numbers, sources and runs are the frames' own; nothing is kept for a new broker.
public final class FramePublisher {
  private let context: Context
  private let socket: Socket
  /// Frames that the bus has taken.
  public private(set) var sent: UInt64 = 0

  /// Connects; what is published waits for a broker that is not there yet.
  public init(to address: BusAddress) throws(BusError) {
    context = try Context()
    socket = try Socket(.push, in: context)
    try socket.setLinger(ms: 5_000)
    if address.isRemote { try socket.keepAlive() }
    try socket.connect(address.ingest)
  }

  /// Publishes a frame; blocks while the bus has no room, up to `waitingUpToMS`.
  ///
  /// - Throws: `BusError` where it had none for so long.
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

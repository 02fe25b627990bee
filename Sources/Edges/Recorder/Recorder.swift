public import Bag
public import Broker
public import BusProtocol
import Synchronization

/// An event in the life of a recording.
public enum RecordingEvent: Sendable {
  /// Messages of a topic were lost because the disk is too slow, with the count so far.
  case losing(topic: String, count: UInt64)
  /// The recording failed; what was written stays.
  case failed(BagError)
  /// A file is closed.
  case closed(path: String)
  /// Everything is written and closed, or the recording had failed before.
  case ended(RecordingStatus)
}

/// The progress of a recording.
public struct RecordingStatus: Sendable {
  public var isRunning = true
  /// The file that is being written; it ends in `.part` until it is closed.
  public var path: String
  /// Closed files, oldest first.
  public var files: [String] = []
  public var messages: UInt64 = 0
  public var bytes = 0
  public var loss = LossTable()
  public var failure: BagError?
}

/// Records the messages of a broker: receives them as a tap, writes them on its own thread.
///
/// Accepted messages are copied into a bounded queue without waiting. If a disk is too slow,
/// messages are lost and counted, but the bus is never delayed. If the disk keeps up, each message
/// is written to the file within a second, and is on the disk within two.
public final class Recorder: BrokerTap {
  private enum Order: Sendable {
    case begin(latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64)
    case end(topics: [TopicReport])
  }

  private let queue: FrameQueue
  private let status: Mutex<RecordingStatus>
  private let beginning = Mutex<Order?>(nil)
  private let ending = Mutex<Order?>(nil)
  private let thread = Mutex<OSThread?>(nil)

  /// Opens the first file and starts the thread, on which `news` is called.
  ///
  /// - Throws: `BusError` if the system has no free descriptor for waking threads, `BagError` if
  ///   the file cannot be created.
  public init(
    _ plan: RecordingPlan, table: TopicTable, schemaText: @escaping @Sendable (String) -> String?,
    events: @escaping @Sendable (RecordingEvent) -> Void
  ) throws {
    queue = try FrameQueue(capacity: plan.queueBytes)
    let writing = try RecordingWriter(plan, table: table, schemaText: schemaText)
    status = Mutex(writing.status)
    let box = WriterBox(writing)
    thread.withLock {
      $0 = OSThread("recorder") { [self] in
        guard let writing = box.remove() else { return }
        run(writing, events)
      }
    }
  }

  public var state: RecordingStatus { status.withLock { $0 } }
  /// Number of bytes waiting to be written.
  public var queuedBytes: Int { queue.bytes }

  public func start(
    latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64
  ) {
    beginning.withLock {
      $0 = .begin(latched: latched, topics: topics, brokerRun: brokerRun, wallNS: wallNS)
    }
    queue.wake()
  }

  public func record(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64
  ) {
    queue.append(topic, header, payload, wallNS: wallNS)
  }

  public func end(_ figures: Broker.Figures, topics: [TopicReport]) {
    ending.withLock { $0 = .end(topics: topics) }
    queue.wake()
  }

  /// Ends a recording that no broker ends, because it never started.
  ///
  /// A recording that is already ending is not affected.
  public func cancel() {
    ending.withLock { $0 = $0 ?? .end(topics: []) }
    queue.wake()
  }

  /// Waits until the last file is closed, after `end` or `cancel`.
  public func join() { thread.withLock { $0.take() }?.join() }

  private func run(_ writing: consuming RecordingWriter, _ events: (RecordingEvent) -> Void) {
    let writer = writing
    while true {
      queue.wait(timeoutMS: writer.dueMS)
      // Read before the queue is emptied: if the end is there, so are all messages. The start is
      // read after it: if a message is there, so is the start.
      let end = ending.withLock { $0.take() }
      let batch = queue.drain()
      if case .begin(let latched, let topics, let brokerRun, let wallNS)? =
        beginning.withLock({ $0.take() })
      {
        writer.start(latched, topics, brokerRun: brokerRun, wallNS: wallNS)
      }
      for block in batch.blocks {
        writer.write(block)
        queue.giveBack(block)
      }
      writer.count(batch.dropped)
      writer.turn()
      if case .end(let topics)? = end { writer.end(topics) }
      status.withLock { $0 = writer.status }
      for one in writer.drainEvents() { events(one) }
      if end != nil { break }
    }
    events(.ended(writer.status))
  }
}

/// Transfers the writer to the thread that owns it from then on.
private final class WriterBox: Sendable {
  private let writer: Mutex<RecordingWriter?>

  init(_ writer: sending RecordingWriter) { self.writer = Mutex(writer) }

  func remove() -> sending RecordingWriter? { writer.withLock { $0.take() } }
}

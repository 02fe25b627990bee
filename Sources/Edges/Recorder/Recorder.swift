public import Bag
public import Bus
import Synchronization

/// What a recording says of itself.
public enum RecordingNews: Sendable {
  /// Messages of a topic were lost because the disk is too slow; how many so far.
  case losing(topic: String, count: UInt64)
  /// The recording could not go on; what was written stays.
  case failed(BagError)
  /// A file is closed.
  case closed(path: String)
  /// All is written and closed, or the recording had failed before.
  case ended(RecordingStatus)
}

/// How far a recording is.
public struct RecordingStatus: Sendable {
  public var isRunning = true
  /// The file that is written; it ends in `.part` until it is closed.
  public var path: String
  /// Closed files, oldest first.
  public var files: [String] = []
  public var messages: UInt64 = 0
  public var bytes = 0
  public var loss = LossTable()
  public var failure: BagError?
}

/// Records what passes through a broker: hears it as a tap, writes it on a thread of its own.
///
/// What the broker accepts is copied into a bounded queue and never waited for: a disk that is too
/// slow costs messages, which are counted, and never delays the bus. Within a second each message is
/// in the file as far as the system is concerned, and within two on the disk, where the disk keeps up.
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

  /// Opens the first file and starts the thread; `news` is called on it.
  ///
  /// - Throws: `BagError` where the file cannot be made, `BusError` where the system has no more of
  ///   what threads wake each other by.
  public init(
    _ plan: RecordingPlan, table: TopicTable, schemaText: @escaping @Sendable (String) -> String?,
    news: @escaping @Sendable (RecordingNews) -> Void
  ) throws {
    queue = try FrameQueue(capacity: plan.queueBytes)
    let writing = try RecordingWriter(plan, table: table, schemaText: schemaText)
    status = Mutex(writing.status)
    let box = WriterBox(writing)
    thread.withLock {
      $0 = OSThread("recorder") { [self] in
        guard let writing = box.take() else { return }
        run(writing, news)
      }
    }
  }

  public var state: RecordingStatus { status.withLock { $0 } }
  /// Bytes that wait to be written.
  public var queuedBytes: Int { queue.bytes }

  public func begin(
    latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64
  ) {
    beginning.withLock {
      $0 = .begin(latched: latched, topics: topics, brokerRun: brokerRun, wallNS: wallNS)
    }
    queue.wake()
  }

  public func take(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64
  ) {
    queue.append(topic, header, payload, wallNS: wallNS)
  }

  public func end(_ figures: Broker.Figures, topics: [TopicReport]) {
    ending.withLock { $0 = .end(topics: topics) }
    queue.wake()
  }

  /// Ends a recording that no broker ends: one that never began.
  ///
  /// One that is ending already is not disturbed.
  public func cancel() {
    ending.withLock { $0 = $0 ?? .end(topics: []) }
    queue.wake()
  }

  /// Waits until the last file is closed, after `end` or `cancel`.
  public func join() { thread.withLock { $0.take() }?.join() }

  private func run(_ writing: consuming RecordingWriter, _ news: (RecordingNews) -> Void) {
    let writer = writing
    while true {
      queue.wait(timeoutMS: writer.dueMS)
      // Asked before the queue is emptied: when the end is there, all messages are. The beginning
      // after it: when a message is there, the beginning is.
      let end = ending.withLock { $0.take() }
      let batch = queue.takeAll()
      if case .begin(let latched, let topics, let brokerRun, let wallNS)? =
        beginning.withLock({ $0.take() })
      {
        writer.begin(latched, topics, brokerRun: brokerRun, wallNS: wallNS)
      }
      for block in batch.blocks {
        writer.write(block)
        queue.giveBack(block)
      }
      writer.count(batch.dropped)
      writer.turn()
      if case .end(let topics)? = end { writer.end(topics) }
      status.withLock { $0 = writer.status }
      for one in writer.takeNews() { news(one) }
      if end != nil { break }
    }
    news(.ended(writer.status))
  }
}

/// Carries the writer to the thread that owns it from then on.
private final class WriterBox: Sendable {
  private let writer: Mutex<RecordingWriter?>

  init(_ writer: sending RecordingWriter) { self.writer = Mutex(writer) }

  func take() -> sending RecordingWriter? { writer.withLock { $0.take() } }
}

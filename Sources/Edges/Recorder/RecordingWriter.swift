import Bag
import BusProtocol

/// Writes the files of a recording, on one thread.
final class RecordingWriter {
  /// Maximum age of a chunk before it is handed to the system.
  ///
  /// Together with the queue, a killed broker loses less than a second.
  static let chunkAgeMS: Int64 = 800
  static let synchronizeMS: Int64 = 1_000

  private struct StateName: Hashable {
    var topic: String
    var key: String
  }

  private(set) var status: RecordingStatus
  private let plan: RecordingPlan
  private let table: TopicTable
  private let schemaText: @Sendable (String) -> String?
  private var files: RecordingFiles
  private var file: FrameWriter?
  private var events: [RecordingEvent] = []
  private var announcedLoss: [String: UInt64] = [:]
  private var wanted: [String: Bool] = [:]
  /// Topics that had a latched value when the recording started, whatever their class in the table.
  private var stateTopics: Set<String> = []
  /// The last value of each state, for the start of the next file.
  private var states: [StateName: (place: Int, frame: Frame)] = [:]
  private var place = 0
  private var closedBytes = 0
  private var closedMessages: UInt64 = 0
  private var messages: UInt64 = 0
  private var fileStartNS: Int64?
  private var brokerRun: UInt64 = 0
  private var firstReports: [TopicReport] = []
  private var chunkOpenedAt: MonotonicTime?
  private var synchronizedAt = MonotonicTime.now
  private var synchronizedBytes = 0

  init(
    _ plan: RecordingPlan, table: TopicTable, schemaText: @escaping @Sendable (String) -> String?
  ) throws(BagError) {
    self.plan = plan
    self.table = table
    self.schemaText = schemaText
    files = RecordingFiles(path: plan.path)
    status = RecordingStatus(path: files.next())
    file = try open()
  }

  private func open() throws(BagError) -> FrameWriter {
    let file = try FrameWriter(
      path: status.path, options: plan.options,
      schemaText: { [schemaText] in schemaText($0).map { Array($0.utf8) } },
      deliveryClass: { [unowned self] in
        stateTopics.contains($0) ? .state : table[$0].deliveryClass
      })
    for attachment in plan.attachments { try file.write(attachment) }
    return file
  }

  func drainEvents() -> [RecordingEvent] {
    defer { events = [] }
    return events
  }

  /// Milliseconds until the next action even without input; nil for none.
  var dueMS: Int? {
    guard let file, file.hasOpenChunk || file.writtenBytes > synchronizedBytes else { return nil }
    return 20
  }

  func start(_ latched: [Frame], _ topics: [TopicReport], brokerRun: UInt64, wallNS: Int64) {
    firstReports = topics
    self.brokerRun = brokerRun
    for frame in latched {
      stateTopics.insert(frame.topic)
      guard isWanted(frame.topic) else { continue }
      keep(frame)
    }
    attempt { file throws(BagError) in try start(file, atNS: wallNS) }
  }

  /// Writes the start of each file: notes, then the last value of each state.
  private func start(_ file: FrameWriter, atNS wallNS: Int64) throws(BagError) {
    fileStartNS = wallNS
    var notes = plan.notes
    notes["broker_run"] = "\(brokerRun)"
    notes["started_ns"] = "\(wallNS)"
    try file.write(BagMetadata(name: "session", entries: notes))
    for value in states.values.sorted(by: { $0.place < $1.place }) {
      try file.write(value.frame, logTimeNS: wallNS)
    }
  }

  func write(_ block: [UInt8]) {
    var offset = 0
    while let entry = FrameBytes.next(block, &offset) { write(entry) }
  }

  private func write(_ entry: FrameBytes.Entry) {
    let topic = String(decoding: entry.topic, as: UTF8.self)
    guard isWanted(topic) else { return }
    guard file != nil else { return status.loss.add(topic, .recorder) }
    let headerBytes = Array(entry.header)
    guard let header = try? Header(decoding: headerBytes) else {
      return status.loss.add(topic, .recorder)
    }
    let frame = Frame(topic: topic, header: header, payload: Array(entry.payload))
    if isOver(atNS: entry.wallNS) { roll(atNS: entry.wallNS) }
    attempt(topic) { file throws(BagError) in
      try put(frame, headerBytes, entry.wallNS, in: file)
    }
    if isState(header, topic) { keep(frame) }
  }

  private func put(
    _ frame: Frame, _ headerBytes: [UInt8], _ wallNS: Int64, in file: FrameWriter
  ) throws(BagError) {
    do throws(BagError) {
      try file.write(frame, headerBytes: headerBytes, logTimeNS: wallNS)
    } catch {
      // A file has room for 65,535 channels; the next file starts with none.
      guard case .outOfRange("channel_id") = error.reason else { throw error }
      roll(atNS: wallNS)
      guard let next = self.file else { throw error }
      try next.write(frame, headerBytes: headerBytes, logTimeNS: wallNS)
    }
    messages += 1
  }

  private func isState(_ header: Header, _ topic: String) -> Bool {
    (header.deliveryClass ?? table.declared(topic)?.deliveryClass) == .state
      || stateTopics.contains(topic)
  }

  private func keep(_ frame: Frame) {
    place += 1
    var latched = frame
    latched.header.isLatched = true
    states[StateName(topic: frame.topic, key: frame.header.key ?? "")] = (place, latched)
  }

  private func isWanted(_ topic: String) -> Bool {
    if let known = wanted[topic] { return known }
    let isWanted = plan.filter.includes(topic)
    wanted[topic] = isWanted
    return isWanted
  }

  func count(_ dropped: [String: UInt64]) {
    for (topic, count) in dropped where isWanted(topic) {
      status.loss.add(topic, .queue, count: count)
      let all = status.loss.lostByTopic[topic] ?? count
      // Reported immediately, and then each time the count has doubled.
      guard all >= 2 * (announcedLoss[topic] ?? 0) else { continue }
      announcedLoss[topic] = all
      events.append(.losing(topic: topic, count: all))
    }
  }

  /// Performs the actions that are due.
  func turn() {
    let now = MonotonicTime.now
    guard let file else { return }
    if !file.hasOpenChunk {
      chunkOpenedAt = nil
    } else if let opened = chunkOpenedAt {
      if now.milliseconds(since: opened) >= Self.chunkAgeMS {
        attempt { file throws(BagError) in try file.finishChunk() }
        chunkOpenedAt = nil
      }
    } else {
      chunkOpenedAt = now
    }
    if file.writtenBytes > synchronizedBytes,
      now.milliseconds(since: synchronizedAt) >= Self.synchronizeMS
    {
      synchronizedBytes = file.writtenBytes
      attempt { file throws(BagError) in try file.synchronize() }
      synchronizedAt = .now
    }
    measure()
  }

  private func measure() {
    status.messages = messages
    status.bytes = closedBytes + (file?.writtenBytes ?? 0)
    status.files = files.closed
  }

  private func isOver(atNS wallNS: Int64) -> Bool {
    guard let file, let start = fileStartNS else { return false }
    if let splitBytes = plan.splitBytes, file.writtenBytes >= splitBytes { return true }
    return plan.splitS.map { Double(wallNS - start) >= $0 * 1e9 } ?? false
  }

  /// Closes the file and starts the next.
  private func roll(atNS wallNS: Int64) {
    close()
    guard status.failure == nil else { return }
    status.path = files.next()
    do throws(BagError) {
      let next = try open()
      file = next
      synchronizedBytes = 0
      try start(next, atNS: wallNS)
    } catch {
      fail(error)
    }
  }

  private func close() {
    attempt { file throws(BagError) in
      try file.write(BagMetadata(name: LossTable.metadataName, entries: status.loss.entries))
      try file.close()
      closedBytes += RecordingFiles.size(status.path)
      files.add(status.path, keepBytes: plan.keepBytes)
      events.append(.closed(path: status.path))
    }
    file = nil
  }

  func end(_ topics: [TopicReport]) {
    status.loss.add(from: firstReports, to: topics.filter { isWanted($0.name) })
    close()
    measure()
    status.isRunning = false
  }

  /// Performs an operation on the file; the first failure is its last operation, and the bus
  /// continues.
  private func attempt(
    _ topic: String? = nil, _ action: (FrameWriter) throws(BagError) -> Void
  ) {
    guard let file else { return }
    let appended = file.messageCount
    do throws(BagError) {
      try action(file)
    } catch {
      if let topic, file.messageCount == appended {
        status.loss.add(topic, .recorder)
      } else if topic != nil {
        // The message is in the chunk that could not be written, and is counted with that chunk.
        messages += 1
      }
      // The file stays valid if a single message does not fit.
      if topic != nil, case .outOfRange = error.reason { return }
      fail(error)
    }
  }

  private func fail(_ error: BagError) {
    status.failure = error
    events.append(.failed(error))
    closedBytes += file?.writtenBytes ?? 0
    let unwritten = file?.unwrittenMessages ?? [:]
    file = nil
    for (topic, count) in unwritten {
      status.loss.add(topic, .recorder, count: count)
      messages -= min(messages, count)
    }
    measure()
  }
}

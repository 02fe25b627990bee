import BusProtocol
import MessagePack

/// The broker's state and counts for one topic.
struct TopicRecord {
  enum Refusal: String {
    case secondWriter = "second_writer"
    case staleRun = "stale_run"
  }

  let name: String
  /// The slot of its vehicle; nil if it has no vehicle.
  let slot: Int?
  /// The mark at the start of its joined messages.
  let mark: TopicHash
  /// Whether only the broker writes it.
  let isReserved: Bool
  /// Whether participants of a handover report their progress on it.
  let isOfHandovers: Bool
  var traits: TopicTraits {
    didSet { maximumBytes = traits.maximumBytes ?? .max }
  }
  private(set) var maximumBytes: Int
  /// Whether a node that knows the contract declared it; the writers of other topics are not
  /// checked.
  var isDeclared: Bool
  var messages: UInt64 = 0
  var bytes: UInt64 = 0
  var malformed: UInt64 = 0
  var oversize: UInt64 = 0
  var refused: UInt64 = 0
  private var schema: [UInt8] = []
  private var lastSequence: UInt64 = 0
  /// Whether it is watched until it falls silent.
  var isWatched = false
  private var lastStampNS: Int64 = 0
  /// The last writer.
  private(set) var owner: Writer? { didSet { ownerRun = owner?.run } }
  private var ownerRun: UInt64?
  /// The owner's name as encoded in a header.
  private var ownerName: [UInt8] = []
  var lastSeen = MonotonicTime(nanoseconds: 0)
  /// The last cause of a stream that is a message, as encoded in the header; empty if there is
  /// none.
  private var lastCause: [UInt8] = []
  private var notified: Set<Writer> = []

  init(name: String, declared: TopicTraits?) {
    self.name = name
    slot = TopicName.split(name).vehicle.map { SlotSet.slot(of: $0.utf8) }
    mark = Array(name.utf8).withUnsafeBytes { TopicHash(of: $0) }
    // A marker published by another process would stop a node for a handover that never happens.
    isReserved = name.hasPrefix(CallMirrors.prefix) || name.hasPrefix("_bus/")
    isOfHandovers = name.hasPrefix("_handover/")
    traits = declared ?? TopicTraits(TopicName.split(name).leaf, .stream)
    maximumBytes = traits.maximumBytes ?? .max
    isDeclared = declared != nil
  }

  /// The number that its last writer has reached.
  var tail: Origin? {
    owner.map {
      Origin(topic: name, source: $0.source, run: $0.run, sequence: lastSequence)
    }
  }

  /// Whether a message has the same writer incarnation as the one before.
  func isWriter(_ header: HeaderScan) -> Bool {
    ownerRun == header.run && isSame(header.source, ownerName)
  }

  /// The reason why a message is rejected; nil if it is accepted.
  ///
  /// If two runs have the same name, the registered one is accepted, whatever their numbers:
  /// any program can send any number. If neither is registered, the later one is accepted.
  func refusal(
    of header: HeaderScan, registry: NodeRegistry, now: MonotonicTime
  ) -> Refusal? {
    guard isDeclared, !traits.hasManyWriters, let owner else { return nil }
    let presence = registry.presence
    if isSame(header.source, ownerName) {
      let registered = registry.run(of: owner.source)
      if registered == header.run { return nil }
      if registered == owner.run { return .staleRun }
      let isRecent = now.milliseconds(since: lastSeen) < BrokerCore.strangerSilenceMS
      return header.run < owner.run && isRecent ? .staleRun : nil
    }
    switch presence(owner.source) {
    case .alive: return .secondWriter
    case .gone: return nil
    case .stranger:
      // A registered node has priority over an unknown writer, even one that came first.
      if presence(String(decoding: header.source, as: UTF8.self)) == .alive { return nil }
      let isRecent = now.milliseconds(since: lastSeen) < BrokerCore.strangerSilenceMS
      return isRecent ? .secondWriter : nil
    }
  }

  mutating func record(_ header: HeaderScan, size: Int, now: MonotonicTime) {
    messages += 1
    bytes += UInt64(size)
    lastSequence = header.sequence
    lastStampNS = header.stampNS
    lastSeen = now
    if !isSame(header.schema, schema) { schema = Array(header.schema) }
    if !isWriter(header) {
      ownerName = Array(header.source)
      owner = Writer(source: String(decoding: ownerName, as: UTF8.self), run: header.run)
    }
    if !isDeclared, let reported = header.deliveryClass { traits.deliveryClass = reported }
    if traits.deliveryClass == .stream, let cause = header.cause, !Self.isTick(cause) {
      lastCause.removeAll(keepingCapacity: true)
      lastCause.append(contentsOf: cause)
    }
  }

  /// Whether a cause is not a message, but for example a clock tick: its number, which is last, is
  /// 0.
  private static func isTick(_ cause: UnsafeRawBufferPointer) -> Bool {
    guard cause.last == 0 else { return false }
    var reader = Unpacker(Array(cause))
    return (try? Origin(from: &reader))?.isMessage != true
  }

  /// The last input that `source` has handled, by its full name, if it was the last writer here.
  func handled(by source: String) -> Origin? {
    guard owner?.source == source, !lastCause.isEmpty else { return nil }
    var reader = Unpacker(lastCause)
    guard var origin = try? Origin(from: &reader), origin.isMessage, !origin.topic.hasPrefix("_"),
      let vehicle = TopicName.split(name).vehicle
    else { return nil }
    origin.topic = "\(vehicle)/\(origin.topic)"
    return origin
  }

  /// Counts a rejected message; true for the first one of its writer.
  mutating func countRefusal(of writer: Writer) -> Bool {
    refused += 1
    return notified.count < 100 && notified.insert(writer).inserted
  }

  func report(readers: [String], now: MonotonicTime) -> TopicReport {
    TopicReport(
      name: name, deliveryClass: traits.deliveryClass,
      schema: String(decoding: schema, as: UTF8.self),
      source: owner?.source ?? "", messages: messages, bytes: bytes, oversize: oversize,
      refused: refused, lastSequence: lastSequence, lastStampNS: lastStampNS,
      ageMS: messages == 0 ? 0 : UInt64(max(0, now.milliseconds(since: lastSeen))),
      readers: readers)
  }
}

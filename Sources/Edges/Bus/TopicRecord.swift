import MessagePack

/// What the broker knows and counts of one topic.
struct TopicRecord {
  enum Refusal: String {
    case secondWriter = "second_writer"
    case staleRun = "stale_run"
  }

  let name: String
  /// The slot of its vehicle; nil where it is no vehicle's.
  let slot: Int?
  /// What its messages begin with where they are joined.
  let mark: LeafMark
  /// Whether the broker alone writes it.
  let isReserved: Bool
  /// Whether those who take part in a handover tell on it how far they are.
  let isOfHandovers: Bool
  var traits: TopicTraits {
    didSet { maximumBytes = traits.maximumBytes ?? .max }
  }
  private(set) var maximumBytes: Int
  /// Whether somebody who knows the contract told of it; the writers of others are not watched.
  var isDeclared: Bool
  var messages: UInt64 = 0
  var bytes: UInt64 = 0
  var malformed: UInt64 = 0
  var oversize: UInt64 = 0
  var refused: UInt64 = 0
  private var schema: [UInt8] = []
  private var lastSequence: UInt64 = 0
  /// Whether it is looked at until it falls silent.
  var isWatched = false
  private var lastStampNS: Int64 = 0
  /// Who wrote last.
  private(set) var owner: Writer? { didSet { ownerRun = owner?.run } }
  private var ownerRun: UInt64?
  /// The owner's name as it stands in a header.
  private var ownerName: [UInt8] = []
  var lastSeen = MonotonicTime(nanoseconds: 0)
  /// The last cause of a stream that is a message, as it stands in the header; empty where there is none.
  private var lastCause: [UInt8] = []
  private var notified: Set<Writer> = []

  init(name: String, declared: TopicTraits?) {
    self.name = name
    slot = TopicName.split(name).vehicle.map { SlotSet.slot(of: $0.utf8) }
    mark = Array(name.utf8).withUnsafeBytes { LeafMark(of: $0) }
    // A marker that somebody else published would stop a node for a handover that never comes.
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

  /// Whether a message is of the same incarnation as the one before.
  func isWriter(_ header: HeaderScan) -> Bool {
    ownerRun == header.run && isSame(header.source, ownerName)
  }

  /// Why a message is not taken; nil where it is.
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
      let isRecent = now.milliseconds(since: lastSeen) < Switchboard.strangerSilenceMS
      return header.run < owner.run && isRecent ? .staleRun : nil
    }
    switch presence(owner.source) {
    case .alive: return .secondWriter
    case .gone: return nil
    case .stranger:
      // A node is believed before somebody whom nobody knows, even one who came first.
      if presence(String(decoding: header.source, as: UTF8.self)) == .alive { return nil }
      let isRecent = now.milliseconds(since: lastSeen) < Switchboard.strangerSilenceMS
      return isRecent ? .secondWriter : nil
    }
  }

  mutating func take(_ header: HeaderScan, size: Int, now: MonotonicTime) {
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
    if !isDeclared, let told = header.deliveryClass { traits.deliveryClass = told }
    if traits.deliveryClass == .stream, let cause = header.cause, !Self.isTick(cause) {
      lastCause.removeAll(keepingCapacity: true)
      lastCause.append(contentsOf: cause)
    }
  }

  /// Whether a cause is no message, but for instance a tick of the clock: its number, which stands last, is 0.
  private static func isTick(_ cause: UnsafeRawBufferPointer) -> Bool {
    guard cause.last == 0 else { return false }
    var reader = Unpacker(Array(cause))
    return (try? Origin(from: &reader))?.isMessage != true
  }

  /// The input that `source` has handled last, by its full name, where it wrote here last.
  func handled(by source: String) -> Origin? {
    guard owner?.source == source, !lastCause.isEmpty else { return nil }
    var reader = Unpacker(lastCause)
    guard var origin = try? Origin(from: &reader), origin.isMessage, !origin.topic.hasPrefix("_"),
      let vehicle = TopicName.split(name).vehicle
    else { return nil }
    origin.topic = "\(vehicle)/\(origin.topic)"
    return origin
  }

  /// Counts a refused message; true for the first of its writer.
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

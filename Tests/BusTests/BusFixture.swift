import CLinux
import Glibc
import Synchronization

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// A broker of its own in a directory of its own, on a thread of its own.
final class TestBroker: Sendable {
  let address: BusAddress
  let broker: Broker
  var run: UInt64 { broker.run }
  private let stop: ThreadWaker
  private let thread: OSThread
  private let figures: Pauses
  /// How often the broker let messages come together, as it told last.
  var pauses: UInt64 { figures.value.pauses }
  /// How often it told its figures.
  var turns: Int { figures.value.turns }

  init(
    _ address: BusAddress, table: TopicTable = TestBroker.table, eventMS: Int64 = 30_000,
    rateLimits: MessageRate.Limits = MessageRate.Limits()
  ) throws {
    self.address = address
    let stop = try ThreadWaker()
    let bound = try ThreadWaker()
    var configuration = Broker.Configuration(address: address, table: table, eventMS: eventMS)
    configuration.rateLimits = rateLimits
    let broker = Broker(configuration)
    let failure = Synchronization.Mutex<String?>(nil)
    let report = Report(failure)
    self.broker = broker
    let pauses = Pauses()
    self.figures = pauses
    thread = OSThread("broker") {
      do {
        try broker.run(until: stop, whenBound: { bound.signal() }) { pauses.put($0.pauses) }
      } catch {
        report.put("\(error)")
        bound.signal()
      }
    }
    self.stop = stop
    var items = [bound.pollItem]
    try poll(&items, timeoutMS: 5_000)
    if let reason = report.value { throw Unbound(reason: reason) }
  }

  struct Unbound: Error { let reason: String }

  private final class Pauses: Sendable {
    private let state = Synchronization.Mutex<(pauses: UInt64, turns: Int)>((0, 0))
    var value: (pauses: UInt64, turns: Int) { state.withLock { $0 } }
    func put(_ pauses: UInt64) { state.withLock { $0 = (pauses, $0.turns + 1) } }
  }

  private final class Report: Sendable {
    private let text: Synchronization.Mutex<String?>
    init(_ text: consuming sending Synchronization.Mutex<String?>) { self.text = text }
    var value: String? { text.withLock { $0 } }
    func put(_ value: String) { text.withLock { $0 = value } }
  }

  func end() {
    stop.signal()
    thread.join()
    guard let directory = address.directory else { return }
    rmdir(directory)
    rmdir(String(directory.dropLast("/bus".count)))
  }

  static let table = TopicTable([
    TopicTraits("test/stream", .stream, maximumBytes: 1_024, isSeenOneByOne: true),
    TopicTraits("test/picture", .stream),
    TopicTraits("test/state", .state),
    TopicTraits("test/event", .event),
    TopicTraits("test/many", .event, hasManyWriters: true),
    TopicTraits("_node/<name>/status", .state), TopicTraits("_svc/<service>/<call>", .event),
  ])
}

struct NoDirectory: Error {}

/// A fresh address under the temporary directory.
func freshAddress() throws -> BusAddress {
  var name = Array("/tmp/navbus.XXXXXX".utf8CString)
  guard let made = mkdtemp(&name) else { throw NoDirectory() }
  return try BusAddress("ipc://\(String(cString: made))/bus")
}

func client(
  _ name: String, at address: BusAddress, run: UInt64? = nil, table: TopicTable = TestBroker.table,
  publishes: [String] = [], streamDepth: Int = 1
) throws -> BusClient {
  var configuration = BusClient.Configuration(
    address: address, name: name, table: table, publishes: publishes, streamDepth: streamDepth)
  if let run { configuration.run = run }
  return try BusClient(configuration)
}

func publication(_ topic: String, _ number: Int, key: String? = nil) -> Publication {
  Publication(
    topic: topic, stampNS: Int64(number), schema: "test/1.0", payload: [UInt8(number & 0xff)],
    key: key)
}

extension BusClient {
  /// Takes messages until `count` have come or the time is over.
  func messages(_ count: Int, withinMS: Int = 10_000) -> [Delivery] {
    var deliveries: [Delivery] = []
    let deadline = MonotonicTime.now.advanced(byMS: Int64(withinMS))
    while count > deliveries.count, deadline > .now {
      guard let event = next(waitingMS: deadline.millisecondsLeft()) else { break }
      if case .message(let delivery) = event { deliveries.append(delivery) }
    }
    return deliveries
  }

  /// Takes events until one is a call.
  func nextCall(withinMS: Int = 5_000) -> IncomingCall? {
    let deadline = MonotonicTime.now.advanced(byMS: Int64(withinMS))
    while deadline > .now {
      if case .call(let call)? = next(waitingMS: deadline.millisecondsLeft()) { return call }
    }
    return nil
  }
}

/// Whether a condition comes true in time; looked at every millisecond.
func eventually(withinMS: Int = 10_000, _ condition: () -> Bool) -> Bool {
  let deadline = MonotonicTime.now.advanced(byMS: Int64(withinMS))
  while !condition() {
    guard deadline > .now else { return false }
    var items: [PollItem] = []
    _ = try? poll(&items, timeoutMS: 1)
  }
  return true
}

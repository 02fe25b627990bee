import Broker
import BusClient
import BusProtocol
import Foundations
import Glibc
import Messages
import NodeKit
import Stage
import Synchronization
import ZMQ

@testable import Harness

/// A broker and nodes in one process, over real sockets in a directory of their own.
final class TestStack: Sendable {
  let address: BusAddress
  private let broker = Mutex<(stop: ThreadWaker, thread: OSThread)?>(nil)

  /// `isRemote`: over tcp, as nodes on other machines reach it.
  init(isRemote: Bool = false) throws {
    if isRemote {
      address = try BusAddress(
        "tcp://127.0.0.1:\(try freePorts(16))", isInsecureAllowed: true)
      try startBroker()
      return
    }
    var name = Array("/tmp/navnode.XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else { throw NoDirectory() }
    address = try BusAddress("ipc://\(String(cString: made))/bus")
    try startBroker()
  }

  /// Ends the broker and starts a new one at the same address.
  func restartBroker() throws {
    endBroker()
    try startBroker()
  }

  private func startBroker() throws {
    let stop = try ThreadWaker()
    let bound = try ThreadWaker()
    let broker = Broker(Broker.Configuration(address: address, table: Contract.table))
    let thread = OSThread("broker") {
      try? broker.run(until: stop, whenBound: { bound.signal() })
    }
    self.broker.withLock { $0 = (stop, thread) }
    var items = [bound.pollItem]
    try poll(&items, timeoutMS: 5_000)
  }

  struct NoDirectory: Error {}

  private func endBroker() {
    let ended = broker.withLock { broker in
      defer { broker = nil }
      return broker
    }
    ended?.stop.signal()
    ended?.thread.join()
  }

  func end() {
    endBroker()
    guard let directory = address.directory else { return }
    rmdir(directory)
    rmdir(String(directory.dropLast("/bus".count)))
  }

  func client(_ name: String) throws -> BusClient {
    try BusClient(
      BusClient.Configuration(
        address: address, name: name, kind: "tool", table: Contract.table, streamDepth: 100))
  }

  /// Starts a node, and comes back when it is ready.
  func start<S: Stage & SendableMetatype>(
    _ stage: S.Type, _ name: String, parameters: [String: ParameterValue] = [:],
    attachments: [any NodeAttachment] = [], isLockStep: Bool = false,
    environment variables: [String: String] = [:]
  ) throws -> TestNode {
    let ready = try client("watch-\(name)-\(wallClockNS())")
    defer { ready.close() }
    let environment = try NodeEnvironment(
      variables.merging([
        "NAV_BUS": address.base, "NAV_BUS_INSECURE": address.isRemote ? "yes" : "",
        "NAV_LOCKSTEP": isLockStep ? "1" : "",
      ]) { own, _ in own }, program: S.manifest.name,
      name: name)
    let declared = try Parameters(parameters, declared: S.manifest.parameters)
    let supervision = try Supervision(isSupervised: false, routesSignals: false)
    let shared = try S.load(declared)
    let node = TestNode(name, supervision.stop) { node in
      let setUp = BusHarness.SetUp(
        environment: environment, parameters: declared, supervision: supervision,
        notifier: Notifier(path: nil), host: StageHost<S>(shared), attachments: attachments)
      do {
        try BusHarness(setUp).run()
      } catch {
        print("node \(name): \(error)")
      }
      node.tellEnd()
    }
    if environment.isStandby { return node }
    _ = ready.subscribe(["_node/\(name)/status"], waitingMS: 5_000)
    let run = UInt64(node.startedNS / 1_000)
    guard ready.status({ $0.state == .ready && $0.run >= run }) != nil else { throw NotReady() }
    return node
  }

  struct NotReady: Error {}
}

struct NoPorts: Error {}

/// The first of so many tcp ports in a row that nobody listens on.
private func freePorts(_ count: UInt16) throws -> UInt16 {
  for _ in 0..<200 {
    let first = UInt16.random(in: 20_000...30_000)
    if (first..<first + count).allSatisfy(isFree) { return first }
  }
  throw NoPorts()
}

private func isFree(_ port: UInt16) -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  var place = sockaddr_in()
  place.sin_family = sa_family_t(AF_INET)
  place.sin_port = port.bigEndian
  place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return withUnsafePointer(to: &place) { place in
    place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}

/// A node on a thread.
final class TestNode: Sendable {
  let startedNS = wallClockNS()
  private let stop: ThreadWaker
  private let thread: OSThread
  private let hasEnded = Once()
  private let hasRun: Flag

  /// Whether it has ended by itself or was ended.
  final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func tellEnd() { value.withLock { $0 = true } }
  }

  var isOver: Bool { hasRun.isSet }

  init(_ name: String, _ stop: ThreadWaker, _ body: @escaping @Sendable (Flag) -> Void) {
    self.stop = stop
    let flag = Flag()
    hasRun = flag
    thread = OSThread(name) { body(flag) }
  }

  func end() {
    guard hasEnded.isFirst else { return }
    stop.signal()
    thread.join()
  }
}

extension BusClient {
  func publish(_ topic: String, _ payload: [UInt8], schema: String = "") {
    _ = publish(
      Publication(
        topic: topic, stampNS: ClockStage.day.nanoseconds, schema: schema, payload: payload))
  }

  /// Takes messages until `count` that are wanted have come.
  func deliveries(_ count: Int, where isWanted: (Delivery) -> Bool) -> [Delivery] {
    var found: [Delivery] = []
    let deadline = MonotonicTime.now.advanced(byMS: 10_000)
    while count > found.count, deadline > .now {
      if case .message(let delivery)? = next(waitingMS: deadline.millisecondsLeft()),
        isWanted(delivery)
      {
        found.append(delivery)
      }
    }
    return found
  }

  /// Takes messages until a status is as wanted.
  func status(_ isWanted: (NodeStatus) -> Bool) -> NodeStatus? {
    var found: NodeStatus?
    _ = deliveries(1) { delivery in
      guard let status = try? NodeStatus(decoding: delivery.payload), isWanted(status) else {
        return false
      }
      found = status
      return true
    }
    return found
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

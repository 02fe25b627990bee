import BusProtocol
import DequeModule

/// Calls in progress and the replies of the last minute; each call ends exactly once.
struct CallTable {
  struct Call {
    var id: String
    var name: String
    var vehicle: String?
    var caller: Identity
    /// Empty if the caller did not give its name.
    var callerName: String
    var server: Identity
    /// Empty if no node serves the call.
    var serverName: String
    var began: MonotonicTime
    var deadline: MonotonicTime
  }

  struct Reply {
    var head: ControlMessage.Reply
    var payload: [UInt8]
  }

  struct Service {
    /// nil if the node that served it has gone.
    var server: Identity?
    var serverName: String
    /// Set if several replicas serve it, each for its own vehicles.
    var group: String?
    var calls: UInt64 = 0
    var failures: UInt64 = 0
    /// Failures by code.
    var codes: [String: UInt64] = [:]
    /// Number of replies that arrived after their call had ended.
    var late: UInt64 = 0
    /// Names of the callers; bounded, because tools are among them.
    var callers: Set<String> = []
    var pending = 0

    mutating func countFailure(_ code: String) {
      failures += 1
      // A server may make codes up.
      let isRoom = codes[code] != nil || codes.count < 64
      codes[isRoom ? code : "other", default: 0] += 1
    }
  }

  static let maximumPending = 1_000
  static let maximumCallers = 256

  private(set) var services: [String: Service] = [:]
  private var pending: [String: Call] = [:]
  private var deadlines = DeadlineHeap<String>()
  private var replies: [String: (name: String, reply: Reply)] = [:]
  private var storedOrder = Deque<(id: String, at: MonotonicTime, bytes: Int)>()
  private var storedBytes = 0
  /// Number of replies that arrived after their call had ended.
  private(set) var lateReplies: UInt64 = 0

  /// Makes `server` serve these calls; returns those that another living node serves.
  mutating func serve(
    _ names: [String], by server: Identity, named node: String, group: String? = nil
  ) -> [String] {
    var taken: [String] = []
    for name in names {
      let isShared = group != nil && services[name]?.group == group
      if let other = services[name]?.server, other != server, services[name]?.serverName != node,
        !isShared
      {
        taken.append(name)
        continue
      }
      services[name, default: Service(server: nil, serverName: node)].server = server
      services[name]?.serverName = group ?? node
      services[name]?.group = group
    }
    return taken
  }

  func stored(_ id: String) -> Reply? { replies[id]?.reply }
  func call(_ id: String) -> Call? { pending[id] }
  var nextDeadline: MonotonicTime? { deadlines.next }

  /// Handles a retry of a call in progress: its end is sent to the latest caller.
  mutating func redirect(_ id: String, to caller: Identity) { pending[id]?.caller = caller }

  /// Assigns a waiting call to another node.
  mutating func redirect(_ id: String, toServer server: Identity) { pending[id]?.server = server }

  mutating func open(_ call: Call) {
    pending[call.id] = call
    deadlines.insert(call.id, at: call.deadline)
    services[call.name]?.calls += 1
    if !call.callerName.isEmpty, services[call.name]?.callers.count ?? 0 < Self.maximumCallers {
      services[call.name]?.callers.insert(call.callerName)
    }
    services[call.name]?.pending += 1
  }

  /// The reason why a call ends immediately; nil if a node is available to serve it.
  func refusal(of call: Call) -> (code: String, message: String)? {
    guard let service = services[call.name] else {
      return ("no_such_service", "no node on the bus answers \(call.name)")
    }
    guard !call.server.isEmpty else {
      return ("unavailable", "\(service.serverName), which answers \(call.name), is not connected")
    }
    guard service.pending < Self.maximumPending else {
      return ("busy", "\(service.serverName) has too many pending calls")
    }
    return nil
  }

  mutating func countRefusal(of name: String, _ code: String) {
    guard services[name] != nil else { return }
    services[name]?.calls += 1
    services[name]?.countFailure(code)
  }

  /// Counts a reply whose call has ended; returns the name of the call if it is still remembered.
  mutating func countLate(_ id: String) -> String {
    lateReplies += 1
    guard let name = replies[id]?.name else { return "to an unknown call" }
    services[name]?.late += 1
    return name
  }

  /// Ends a call; its reply is kept for retries.
  mutating func end(_ id: String, _ reply: Reply, now: MonotonicTime) -> Call? {
    guard let call = pending.removeValue(forKey: id) else { return nil }
    services[call.name]?.pending -= 1
    if !reply.head.ok {
      services[call.name]?.countFailure(reply.head.code ?? "internal")
    }
    replies[id] = (call.name, reply)
    storedOrder.append((id, now, reply.payload.count))
    storedBytes += reply.payload.count
    forget(now: now)
    return call
  }

  private mutating func forget(now: MonotonicTime) {
    while let oldest = storedOrder.first,
      storedBytes > StoredReplies.maximumBytes
        || now.milliseconds(since: oldest.at) > StoredReplies.lifetimeMS
    {
      _ = storedOrder.popFirst()
      storedBytes -= oldest.bytes
      replies[oldest.id] = nil
    }
  }

  /// Identities of the calls whose deadline has passed.
  mutating func overdue(now: MonotonicTime) -> [String] {
    var ids: [String] = []
    while let id = deadlines.popDue(now) {
      if let call = pending[id], call.deadline <= now { ids.append(id) }
    }
    forget(now: now)
    return ids
  }

  /// Removes a departed node: returns the calls it should have answered and the calls it made.
  mutating func leave(_ identity: Identity) -> (unanswered: [String], orphaned: [String]) {
    for (name, service) in services where service.server == identity {
      services[name]?.server = nil
    }
    let calls = pending.values.sorted { $0.id < $1.id }
    return (
      calls.filter { $0.server == identity }.map(\.id),
      calls.filter { $0.caller == identity && $0.server != identity }.map(\.id)
    )
  }

  /// Handles a node that reconnected over another connection without having left.
  mutating func move(from old: Identity, to new: Identity) {
    for (name, service) in services where service.server == old { services[name]?.server = new }
    for (id, call) in pending {
      if call.server == old { pending[id]?.server = new }
      if call.caller == old { pending[id]?.caller = new }
    }
  }

  var reports: [ServiceReport] {
    services.sorted { $0.key < $1.key }.map { name, service in
      ServiceReport(
        name: name, server: service.server == nil ? "" : service.serverName, calls: service.calls,
        failures: service.failures, pending: UInt64(service.pending), codes: service.codes,
        late: service.late, callers: service.callers.sorted())
    }
  }
}

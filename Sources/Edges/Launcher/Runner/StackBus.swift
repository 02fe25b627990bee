import BusClient
import BusProtocol
import Messages
import Supervision
import ZMQ

/// The launcher's side of the bus of a running stack.
///
/// It holds the connection, and prepares each new broker: the broker records first and knows who
/// shares which vehicles, and only then counts as ready.
struct StackBus {
  /// A node with replicas, and the lanes that share its vehicles.
  struct Group {
    var name: String
    var lanes: [Int]
  }

  /// The broker's report of readiness, and what it waits for.
  private struct HeldReadiness {
    var note: String?
    var mustRecord: Bool
    /// Groups whose vehicles are not assigned yet.
    var unshared: Set<String>
  }

  /// The connection; nil before the first broker is there.
  private(set) var client: LauncherBusClient?
  var losses = LossCounts()
  private var held: HeldReadiness?
  /// The results of the order to record.
  private let recordMail: LauncherMailbox<CallEnd>
  /// Whether the broker has once been sent the assignment of vehicles to replicas.
  private var hasShared = false
  /// Time at which that assignment is sent again; nil for never.
  private var shareAgainAtS: Double?
  /// Results of such assignments, by node.
  private let shareMail: LauncherMailbox<(String, HandoverReport)>

  /// Time for replicas to register at a new broker with their slots, before the rest is assigned.
  private static let sharePauseS = 4.0
  /// Delay before a broker that has not answered is asked again.
  private static let shareRetryS = 0.05

  init() throws(BusError) {
    recordMail = try LauncherMailbox()
    shareMail = try LauncherMailbox()
  }

  /// Descriptors that are readable when something has arrived.
  var descriptors: [Int32] {
    [shareMail.descriptor, recordMail.descriptor] + (client?.descriptors ?? [])
  }

  /// Time of the next action if nothing happens before; nil for never.
  var deadlineS: Double? { shareAgainAtS }

  mutating func connect(to address: BusAddress) throws(LaunchError) {
    guard client == nil else { return }
    client = try LauncherBusClient(address)
  }

  func close() { client?.close() }
}

// A new broker.
extension StackBus {
  /// Whether a broker has reported that it is ready, and is still being prepared.
  var isPreparing: Bool { held != nil }

  /// Prepares a broker that has reported that it is ready, with `note`.
  mutating func prepare(
    _ note: String?, groups: [Group], record: RecordStartRequest?, atS now: Double
  ) {
    held = HeldReadiness(
      note: note, mustRecord: record != nil, unshared: Set(hasShared ? [] : groups.map(\.name)))
    if let record, let client {
      let mail = recordMail
      client.client.call(
        RecordStartRequest.call, payload: record.encoded(),
        timeoutMS: UInt32(1_000 * (Calls.declaration(of: RecordStartRequest.call)?.timeoutS ?? 5))
      ) { mail.put($0) }
    }
    if hasShared { shareAgainAtS = now + Self.sharePauseS } else { share(groups) }
  }

  /// The readiness of the broker as an event, once everything is prepared; nil before and after.
  mutating func drainReadiness() -> Supervisor.Event? {
    guard let held, !held.mustRecord, held.unshared.isEmpty else { return nil }
    self.held = nil
    hasShared = true
    return .ready(Supervisor.bus, note: held.note)
  }

  mutating func brokerEnded() { held = nil }

  /// Handles the results of the order to record.
  mutating func drainRecordings(_ log: inout StackLog) -> [Supervisor.Event] {
    var events: [Supervisor.Event] = []
    for end in recordMail.drain() {
      switch end {
      case .ok(let payload):
        let path = (try? RecordStartReply(decoding: payload))?.path ?? ""
        log.say("nav", "recording \(path)")
        held?.mustRecord = false
        if let event = drainReadiness() { events.append(event) }
      case .failed(let code, let message, _):
        let reason = "recording cannot start: \(message.isEmpty ? code : message)"
        log.say("nav", reason, isError: true)
        events.append(.stop(reason: reason, code: Supervisor.ExitCode.failure))
      }
    }
    return events
  }
}

// The vehicles of nodes with replicas.
extension StackBus {
  /// Sends the broker the lanes that share the vehicles of each node with replicas.
  mutating func share(_ groups: [Group]) {
    shareAgainAtS = nil
    for group in groups {
      let mail = shareMail
      client?.rescale(group.name, lanes: group.lanes) { mail.put((group.name, $0)) }
    }
  }

  /// Whether the vehicles must be shared again.
  func mustShare(atS now: Double) -> Bool { shareAgainAtS.map { $0 <= now } ?? false }

  /// Handles the results of such assignments.
  mutating func drainShares(_ log: inout StackLog, atS now: Double) -> [Supervisor.Event] {
    var events: [Supervisor.Event] = []
    for (name, report) in shareMail.drain() {
      if report.failure == nil {
        held?.unshared.remove(name)
        if let event = drainReadiness() { events.append(event) }
      } else if held != nil {
        // It has only just started to listen.
        shareAgainAtS = now + Self.shareRetryS
      } else {
        let reason = report.failure ?? ""
        log.say("nav", "\(name): its vehicles were not redistributed: \(reason)", isError: true)
        shareAgainAtS = now + Self.sharePauseS
      }
    }
    return events
  }
}

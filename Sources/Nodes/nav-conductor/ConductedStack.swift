import BusClient
import BusProtocol
import Digest
import Foundation
import Foundations
import Harness
import MessagePack
import Messages
import NodeKit
import Replay
import Stage
import ZMQ

/// The processes of a stack as one run in lock-step, which is published on the bus meanwhile.
struct ConductedStack {
  /// Time limit for a node's process until a conductor can drive it.
  private static let readyMS = 60_000
  /// Number of messages between two checks whether the run must end.
  private static let messagesPerLook = 64

  let plan: LockStepPlan

  init(_ plan: LockStepPlan) { self.plan = plan }

  func run() throws {
    let environment: NodeEnvironment
    let supervision: Supervision
    let client: BusClient
    let publisher: FramePublisher
    do {
      environment = try NodeEnvironment(program: "nav-conductor")
      supervision = try Supervision(isSupervised: environment.isSupervised)
      client = try BusClient(
        BusClient.Configuration(
          address: environment.bus, name: environment.name, version: NodeVersion.text,
          table: Contract.table, publishes: [RunDigest.topic, CallMirror.topic]))
      publisher = try FramePublisher(to: environment.bus)
    } catch let failure as StageFailure {
      throw ConductFailure(failure.message, .configuration)
    } catch {
      throw ConductFailure("\(error)", .failure)
    }
    defer { client.close() }
    let log = LogSink(node: environment.name, isSupervised: environment.isSupervised)
    let notifier = Notifier(path: environment.notifySocket)
    guard client.waitForBroker(timeoutMS: 20_000) else {
      throw ConductFailure("no bus at \(environment.bus.base) within 20 s", .unavailable)
    }
    log.attach(client)
    try waitForNodes(client)
    let record: RunRecord
    do {
      record = try RunRecord(expect: plan.expect)
    } catch {
      throw ConductFailure(error.description, .configuration)
    }
    notifier.ready()
    let problem = try lead(client, publisher, record, supervision)
    try say(record, publisher, client, environment.name)
    log.write(.info, "stopping")
    if let problem { throw ConductFailure(problem, .failure) }
  }

  /// Waits until each node answers batches.
  private func waitForNodes(_ client: BusClient) throws {
    let deadline = MonotonicTime.now.advanced(byMS: Int64(Self.readyMS))
    while true {
      let served = Set((client.serviceReports() ?? []).filter { !$0.server.isEmpty }.map(\.name))
      let missing = plan.nodes.map(\.name).filter { !served.contains("_lockstep/\($0)") }
      guard let first = missing.first else { return }
      guard deadline > .now else {
        throw ConductFailure(
          "\(first) cannot run in lock-step: it does not answer _lockstep/\(first) (NAV_LOCKSTEP=1)",
          .unavailable)
      }
      var items: [PollItem] = []
      pollOrPause(&items, timeoutMS: 10)
    }
  }

  /// Runs the drive; returns a sentence if it did not end as intended.
  private func lead(
    _ client: BusClient, _ publisher: FramePublisher, _ record: RunRecord,
    _ supervision: Supervision
  ) throws -> String? {
    let conductor = Conductor(vehicles: plan.vehicles.isEmpty ? ["ego"] : plan.vehicles)
    conductor.publishesStates = true
    conductor.mirrorsCalls = true
    for node in plan.nodes {
      conductor.add(
        try RemoteNode(name: node.name, facts: NodeFacts(node.manifest), client: client))
    }
    var failure: String?
    var count = 0
    var isStopped = false
    conductor.tap = { message in
      record.add(message)
      do {
        // The sender's clock is the stack's, so that a replay knows when each message was
        // published.
        try publisher.publish(message.frame(sentNS: conductor.now.nanoseconds))
      } catch {
        failure = failure ?? "the bus refuses \(message.name): \(error)"
      }
    }
    let problem = try drive().run(conductor) {
      count += 1
      if count % Self.messagesPerLook == 0 {
        var items = [supervision.stop.pollItem]
        isStopped = pollOrPause(&items, timeoutMS: 0) || supervision.isOrphaned
      }
      return isStopped || failure != nil
    }
    if let failure { return failure }
    return isStopped ? "stopped before its end" : problem
  }

  private func drive() throws -> Drive {
    do {
      return try Drive(plan)
    } catch {
      throw ConductFailure("the plan's end: \(error.message)", .configuration)
    }
  }

  /// Publishes and prints the digests, and compares.
  private func say(
    _ record: RunRecord, _ publisher: FramePublisher, _ client: BusClient, _ name: String
  ) throws {
    do {
      let sheet = try record.sheet()
      try publish(sheet, publisher, client, name)
      if let digest = plan.digest { try record.write(to: digest) }
      let messages = sheet.topics.values.reduce(0) { $0 + $1.count }
      print("\(messages) messages on \(sheet.topics.count) topics")
      let differences = try record.differences()
      guard differences.isEmpty else {
        throw ConductFailure(differences.joined(separator: "\n"), .failure)
      }
    } catch let problem as ReplayProblem {
      throw ConductFailure(problem.description, .failure)
    }
  }

  /// Publishes the last message of the run: a reader that receives it has received everything.
  private func publish(
    _ sheet: DigestList, _ publisher: FramePublisher, _ client: BusClient, _ name: String
  ) throws {
    let digest = RunDigest(
      topics: sheet.topics.sorted { $0.key < $1.key }.map {
        WireTopicDigest(topic: $0.key, sha256: $0.value.sha256, count: $0.value.count)
      })
    _ = client.subscribe([RunDigest.topic], waitingMS: 5_000)
    try publisher.publish(
      Frame(
        topic: RunDigest.topic,
        header: Header(
          sequence: 1, stampNS: 0, source: name, run: 1, schema: RunDigest.schema),
        payload: digest.encoded()))
    let deadline = MonotonicTime.now.advanced(byMS: 60_000)
    while deadline > .now {
      if case .message(let delivery)? = client.next(waitingMS: 1_000),
        delivery.topic == RunDigest.topic
      {
        return
      }
    }
    throw ConductFailure("the broker did not forward all messages within 60 s", .failure)
  }
}

extension Drive {
  init(_ plan: LockStepPlan) throws(DecodeError) {
    self.init(
      start: plan.start.map { Call(name: $0.name, payload: Array($0.request)) },
      limitS: plan.limitS)
    guard let end = plan.until else { return }
    let value = try MessagePackValue(decoding: Array(end.fields))
    var fields: [MessagePackValue.Entry] = []
    if case .map(let entries) = value { fields = entries }
    until = End(
      topic: end.topic, vehicle: end.vehicle, fields: fields, count: end.count ?? 1)
  }
}

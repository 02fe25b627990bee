import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import MessagePack
import Messages
import NodeKit
import Stage
import Watch

/// `nav why [NODE|GROUP|VEHICLE|TOPIC]`: the causes of the state of a node, a vehicle, a topic or
/// the stack.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain faults of a node, a vehicle, a topic or the whole stack.",
    discussion: """
      Without a name: each node with a fault, and its cause.
      A node: from its missing input upstream to the first fault; refused input by reason; crashes, hangs, stops and
      failed orders with their times.
      A node with replicas (matcher): all its processes (matcher.0, matcher.1).
      A vehicle: its fixes, the node that matches them, and why fixes have no match.
      A topic: its writer, its last message, and the messages that led to it, back to the fix.

      Exit codes: 0 no fault, 1 a fault, 2 the state could not be determined.
      """)

  @Argument(
    help: "A node, a node with replicas, a vehicle, or a topic with or without the vehicle.")
  var name: String?

  @Option(help: "Seconds to listen for a topic's next message.")
  var seconds = 3.0

  @OptionGroup var stack: StackOptions

  func run() throws {
    do {
      try explain()
    } catch let problem as Problem {
      FileHandle.standardError.write(Data("Error: \(problem)\n".utf8))
      throw ExitCode(2)
    }
  }

  private func explain() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard var watcher = StackWatcher(client), let picture = watcher.picture() else {
      throw Problem("the broker does not answer")
    }
    let evidence = evidence(picture, client)
    guard let name else {
      return try show("stack", "stack", picture, evidence, client) {
        Explanation(stack: picture, evidence: $0)
      }
    }
    if picture.nodes[name] != nil || evidence.processes.contains(where: { $0.name == name }) {
      return try show("node", name, picture, evidence, client) {
        Explanation(node: name, in: picture, evidence: $0)
      }
    }
    let members = Self.members(of: name, picture, evidence)
    if !members.isEmpty {
      return try show("group", name, picture, evidence, client) {
        Explanation(group: name, members: members, in: picture, evidence: $0)
      }
    }
    if picture.knows(vehicle: name) {
      return try show("vehicle", name, picture, evidence, client) {
        Explanation(vehicle: name, in: picture, evidence: $0)
      }
    }
    let topic = stack.fullName(name)
    let leaf = StackOptions.leaf(topic)
    guard
      picture.topics.contains(where: { $0.name == topic }) || Topics.declaration(of: leaf) != nil
    else {
      let names = picture.nodes.keys.sorted(by: StackSnapshot.isBefore)
      let near = Suggestion.nearest(to: name, among: names + Topics.all.map(\.name))
      let hint = near.map { "; did you mean \($0)?" } ?? ""
      throw Problem(
        "\"\(name)\" is not a node, vehicle or topic\(hint); nodes are \(names.joined(separator: ", "))"
      )
    }
    try explainTopic(topic, leaf, picture, evidence, client)
  }

  /// The processes of a node with replicas, including those that are down.
  private static func members(
    of name: String, _ picture: StackSnapshot, _ evidence: Evidence
  ) -> [String] {
    let planned = evidence.processes.filter { $0.node == name && $0.role == .member }.map(\.name)
    return Set(picture.members(of: name)).union(planned).sorted(by: StackSnapshot.isBefore)
  }

  private struct NodeAnswer: Encodable {
    var kind: String
    var node: String
    var state: String
    var why: String?
    var deviates: Bool
    var steps: [Explanation.Step]
  }

  /// Returns what the broker and the programs report in addition to the lists.
  private func evidence(_ picture: StackSnapshot, _ client: BusClient) -> Evidence {
    var evidence = Evidence(of: picture, through: client)
    for program in Set(picture.nodes.values.compactMap { $0.status?.program }) {
      evidence.calls[program] = StageCatalogue.entry(of: program)?.manifest.calls
    }
    return evidence
  }

  /// Listens briefly to topics that show the state of a drive: clock, session, matched locations.
  private func listen(
    to vehicle: String?, into evidence: inout Evidence, _ client: BusClient
  ) {
    var wanted = [StackClock.topic]
    for leaf in [Session.topic, LocationMatched.topic] {
      wanted.append("\(vehicle ?? "*")/\(leaf)")
    }
    guard client.subscribe(wanted, waitingMS: 2_000) else { return }
    evidence.hasListened = true
    let end = MonotonicTime.now.advanced(byMS: Self.listeningMS)
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 50) else { continue }
      let (vehicle, leaf) = TopicName.split(delivery.topic)
      evidence.ingest(vehicle, leaf, delivery.payload)
      if evidence.matched.values.contains(where: { $0.all >= 5 }) { break }
    }
  }

  /// Listening time in milliseconds, in which a receiver at one fix per second sends three fixes.
  private static let listeningMS: Int64 = 3_500

  /// Prints an explanation; if there is no deviation yet, messages are first collected for a short
  /// time.
  private func show(
    _ kind: String, _ name: String, _ picture: StackSnapshot, _ known: Evidence,
    _ client: BusClient,
    _ explain: (Evidence) -> Explanation
  ) throws {
    var evidence = known
    var explanation = explain(evidence)
    if !explanation.deviates {
      listen(to: kind == "vehicle" ? name : nil, into: &evidence, client)
      explanation = explain(evidence)
    }
    if stack.json {
      let node = picture.nodes[name]
      print(
        try Lines.json(
          NodeAnswer(
            kind: kind, node: name, state: node?.word ?? "", why: node?.status?.why,
            deviates: explanation.deviates, steps: explanation.steps)))
    } else {
      for line in explanation.lines { print(line) }
    }
    if explanation.deviates { throw ExitCode(1) }
  }

  private struct TopicAnswer: Encodable {
    var topic: String
    var report: TopicReport?
    var hz: Double?
    var deviates: Bool
    var steps: [Explanation.Step]
    var trail: [CauseTrail.Step]
    var isWhole: Bool
  }

  private func explainTopic(
    _ topic: String, _ leaf: String, _ picture: StackSnapshot, _ known: Evidence,
    _ client: BusClient
  ) throws {
    var evidence = known
    let found = try listen(topic, client)
    let later = client.topicReports()?.first { $0.name == topic }
    let report = picture.topics.first { $0.name == topic }
    let passed = Double(MonotonicTime.now.nanoseconds - picture.at.nanoseconds) / 1e9
    let hz = later.map { Double($0.messages - min($0.messages, report?.messages ?? 0)) / passed }
    let vehicle = TopicName.split(topic).vehicle
    var explanation = Explanation(topic: leaf, vehicle: vehicle, in: picture, evidence: evidence)
    if !explanation.deviates, found.frame == nil || found.frame?.header.isLatched == true {
      listen(to: vehicle, into: &evidence, client)
      explanation = Explanation(topic: leaf, vehicle: vehicle, in: picture, evidence: evidence)
    }
    let trail = found.frame.map { CauseTrail(of: $0, through: found.heard) }
    if stack.json {
      print(
        try Lines.json(
          TopicAnswer(
            topic: topic, report: later, hz: hz, deviates: explanation.deviates,
            steps: explanation.steps, trail: trail?.steps ?? [], isWhole: trail?.isWhole ?? false)))
    } else {
      if let later {
        print(
          "\(topic)  \(later.deliveryClass.rawValue)  seq \(later.lastSequence)  "
            + "\(Explanation.text(ms: later.ageMS)) ago  "
            + String(format: "%.2f Hz over the last %.1f s", hz ?? 0, passed))
      } else {
        print("\(topic)  nothing published yet")
      }
      for line in explanation.lines { print("  \(line)") }
      for (index, line) in (trail?.lines(nowNS: wallClockNS()) ?? []).enumerated() {
        print(String(repeating: "  ", count: index + 1) + line)
      }
      if trail == nil, later != nil { print("  the bus does not keep its last message") }
    }
    if explanation.deviates { throw ExitCode(1) }
  }

  /// Receives all messages of the vehicle until a message of the topic and its causes have arrived.
  ///
  /// A state's last value and the events of the last half minute are available at once.
  private func listen(
    _ topic: String, _ client: BusClient
  ) throws -> (frame: Frame?, heard: RecentHeaders) {
    let vehicle = TopicName.split(topic).vehicle.map { ["\($0)/"] } ?? []
    // The past is requested first: nothing older is needed from the other topics.
    guard client.subscribe([topic], sinceMS: 30_000, waitingMS: 2_000),
      vehicle.isEmpty || client.subscribe(vehicle, waitingMS: 2_000)
    else { throw Problem("the broker did not confirm the subscription") }
    var heard = RecentHeaders()
    var last: Frame?
    let end = MonotonicTime.now.advanced(byMS: TimeoutArgument.ms(seconds))
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 50) else { continue }
      heard.ingest(delivery.frame)
      guard delivery.topic == topic else { continue }
      last = delivery.frame
      if CauseTrail(of: delivery.frame, through: heard).isWhole, !delivery.header.isLatched {
        break
      }
    }
    return (last, heard)
  }
}

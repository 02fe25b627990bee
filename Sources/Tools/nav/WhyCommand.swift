import ArgumentParser
import Bus
import Foundation
import MessagePack
import Messages
import NodeKit
import Stage
import Watch

/// `nav why NODE|TOPIC`: the chain of causes behind what a node or a topic is.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Why a node is as it is, or what led to the last message of a topic.",
    discussion: """
      Of a node: from what it lacks upstream to the first thing that is not as it should be.
      Of a topic: who writes it, its last message, and what led to that, back to the fix.
      Exits with 0 where all is well, 1 where something is not, 2 where that cannot be told.
      """)

  @Argument(help: "Name of a node, or a topic with or without the vehicle.")
  var name: String

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
    if picture.nodes[name] != nil { return try explainNode(picture, client) }
    let topic = stack.fullName(name)
    let leaf = StackOptions.leaf(topic)
    guard
      picture.topics.contains(where: { $0.name == topic }) || Topics.declaration(of: leaf) != nil
    else {
      let names = picture.nodes.keys.sorted()
      let near = Suggestion.nearest(to: name, among: names + Topics.all.map(\.name))
      let hint = near.map { "; did you mean \($0)?" } ?? ""
      throw Problem(
        "\"\(name)\" is neither a topic nor a node\(hint); nodes are \(names.joined(separator: ", "))"
      )
    }
    try explainTopic(topic, leaf, picture, client)
  }

  private struct NodeAnswer: Encodable {
    var node: String
    var state: String
    var why: String?
    var deviates: Bool
    var steps: [Explanation.Step]
  }

  /// Returns what the broker and the programs report in addition to the picture.
  private func evidence(_ picture: StackPicture, _ client: BusClient) -> Evidence {
    var evidence = Evidence()
    evidence.counters = client.busCounters() ?? [:]
    evidence.invalidTopic = client.malformedTopic()
    for program in Set(picture.nodes.values.compactMap { $0.status?.program }) {
      evidence.calls[program] = StageCatalogue.entry(of: program)?.manifest.calls
    }
    if picture.services.contains(where: { $0.name == StackNodesRequest.call && !$0.server.isEmpty }
    ),
      case .ok(let payload) = client.callAndWait(
        StackNodesRequest.call, payload: StackNodesRequest().encoded()),
      let reply = try? StackNodesReply(decoding: payload)
    {
      for process in reply.processes { evidence.failedOrders[process.name] = process.failedOrder }
    }
    return evidence
  }

  /// Listens briefly to topics that show the state of a drive: clock, session, matched locations.
  private func listen(into evidence: inout Evidence, _ client: BusClient) {
    let wanted = [StackClock.topic, "*/\(Session.topic)", "*/\(LocationMatched.topic)"]
    guard client.subscribe(wanted, waitingMS: 2_000) else { return }
    evidence.hasListened = true
    let end = MonotonicTime.now.advanced(byMS: Self.listeningMS)
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 50) else { continue }
      let (vehicle, leaf) = TopicName.split(delivery.topic)
      evidence.hear(vehicle, leaf, delivery.payload)
      if evidence.matched.values.contains(where: { $0.all >= 5 }) { break }
    }
  }

  /// Listening time in milliseconds, in which a receiver at one fix per second sends three fixes.
  private static let listeningMS: Int64 = 3_500

  private func explainNode(_ picture: StackPicture, _ client: BusClient) throws {
    var evidence = evidence(picture, client)
    var explanation = Explanation(node: name, in: picture, evidence: evidence)
    if !explanation.deviates {
      listen(into: &evidence, client)
      explanation = Explanation(node: name, in: picture, evidence: evidence)
    }
    if stack.json {
      let node = picture.nodes[name]
      print(
        try Lines.json(
          NodeAnswer(
            node: name, state: node?.word ?? "", why: node?.status?.why,
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
    var trail: [Trail.Step]
    var isWhole: Bool
  }

  private func explainTopic(
    _ topic: String, _ leaf: String, _ picture: StackPicture, _ client: BusClient
  ) throws {
    var evidence = evidence(picture, client)
    let found = try listen(topic, client)
    let later = client.topicReports()?.first { $0.name == topic }
    let report = picture.topics.first { $0.name == topic }
    let passed = Double(MonotonicTime.now.nanoseconds - picture.at.nanoseconds) / 1e9
    let hz = later.map { Double($0.messages - min($0.messages, report?.messages ?? 0)) / passed }
    let vehicle = TopicName.split(topic).vehicle
    var explanation = Explanation(topic: leaf, vehicle: vehicle, in: picture, evidence: evidence)
    if !explanation.deviates, found.frame == nil || found.frame?.header.isLatched == true {
      listen(into: &evidence, client)
      explanation = Explanation(topic: leaf, vehicle: vehicle, in: picture, evidence: evidence)
    }
    let trail = found.frame.map { Trail(of: $0, through: found.heard) }
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
        print("\(topic)  nothing was published yet")
      }
      for line in explanation.lines { print("  \(line)") }
      for (index, line) in (trail?.lines(nowNS: wallClockNS()) ?? []).enumerated() {
        print(String(repeating: "  ", count: index + 1) + line)
      }
      if trail == nil, later != nil { print("  its last message is not kept by the bus") }
    }
    if explanation.deviates { throw ExitCode(1) }
  }

  /// Listens to everything of the vehicle until a message of the topic and its causes were heard.
  ///
  /// A state's last value and the events of the last half minute are there at once.
  private func listen(
    _ topic: String, _ client: BusClient
  ) throws -> (frame: Frame?, heard: HeardHeaders) {
    let vehicle = TopicName.split(topic).vehicle.map { ["\($0)/"] } ?? []
    // What is asked of the past comes first: nothing older is wanted of the other topics.
    guard client.subscribe([topic], sinceMS: 30_000, waitingMS: 2_000),
      vehicle.isEmpty || client.subscribe(vehicle, waitingMS: 2_000)
    else { throw Problem("the broker did not confirm the subscription") }
    var heard = HeardHeaders()
    var last: Frame?
    let end = MonotonicTime.now.advanced(byMS: Waiting.ms(seconds))
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 50) else { continue }
      heard.hear(delivery.frame)
      guard delivery.topic == topic else { continue }
      last = delivery.frame
      if Trail(of: delivery.frame, through: heard).isWhole, !delivery.header.isLatched { break }
    }
    return (last, heard)
  }
}

import Bus
import MessagePack
import Messages

// Why something that should come does not: nobody writes it, or it comes under another name.
extension Explanation {
  /// What is known of a topic that nobody writes for these vehicles (none: for any).
  func absence(of leaf: String, vehicles: Set<String>) -> String {
    let promise =
      Topics.declaration(of: leaf)?.expectHz.map { "; \(Self.figure($0)) Hz is expected" } ?? ""
    let text = "nobody writes \(leaf)\(promise)"
    let served = picture.nodes.values.reduce(into: Set<String>()) { $0.formUnion($1.vehicles) }
    if !vehicles.isEmpty, !served.isEmpty, served.isDisjoint(with: vehicles) {
      return "nobody serves \(vehicles.sorted().joined(separator: ", ")); the stack serves "
        + served.sorted().joined(separator: ", ")
    }
    let others = picture.topics(leaf: leaf).filter { $0.messages > 0 }
    if let other = others.first(where: { TopicName.split($0.name).vehicle != nil }),
      let vehicle = TopicName.split(other.name).vehicle, !vehicles.isEmpty
    {
      return "\(text) for \(vehicles.sorted().joined(separator: ", ")); \(other.source) writes it "
        + "for \(vehicle), which the stack does not serve (`vehicles:` of the stack file)"
    }
    if let similar = similarTopic(to: leaf) {
      return
        "\(text); \(similar.source) writes \(similar.name), which nobody reads: a slip of the pen?"
    }
    if let name = evidence.invalidTopic {
      return "\(text); what is sent as \(name) is dropped, since that is no name of a topic "
        + "(vehicle/topic of a-z 0-9 . _ - /)"
    }
    return text
  }

  /// A topic that somebody writes, that the contract does not know and nobody reads, and whose name is nearly this one.
  private func similarTopic(to leaf: String) -> TopicReport? {
    let unknown = picture.topics.filter { topic in
      let own = TopicName.split(topic.name).leaf
      return topic.messages > 0 && !own.hasPrefix("_") && topic.readers.isEmpty
        && Topics.declaration(of: own) == nil
    }
    guard
      let near = Suggestion.nearest(
        to: leaf, among: unknown.map { TopicName.split($0.name).leaf })
    else { return nil }
    return unknown.first { TopicName.split($0.name).leaf == near }
  }

  /// Calls without whose answer a stage cannot do its work.
  private static let essentialCalls = ["route/calculate"]

  /// The calls that a program needs and nobody answers.
  func unanswered(by node: StackPicture.Node) -> [String] {
    guard let program = node.status?.program else { return [] }
    let calls = (evidence.calls[program] ?? []).filter(Self.essentialCalls.contains)
    return calls.filter { call in
      let isServed = picture.services.contains { $0.name == call && !$0.server.isEmpty }
      return !isServed && !picture.nodes.values.contains { $0.serves(call) }
    }
  }

  /// What is the matter with the drive itself, whatever each process says: the clock, the session, the map.
  func driveTroubles(of node: StackPicture.Node) -> [(node: String?, text: String)] {
    guard node.isOfDrive else { return [] }
    var found: [(node: String?, text: String)] = []
    if let clock = evidence.clock, clock.paused {
      found.append(
        (
          nil,
          "time stands still since somebody paused it (location/control); stack time is \(Watch.clock(clock.nowNs))"
        ))
    }
    for (vehicle, session) in evidence.sessions.sorted(by: { $0.key < $1.key })
    where session.state == .paused {
      found.append(
        (
          nil,
          "guidance of \(vehicle) is paused (navigate/pause; navigate/resume takes it up again)"
        ))
    }
    for (vehicle, count) in evidence.matched.sorted(by: { $0.key < $1.key }) {
      guard let reason = count.commonReason else { continue }
      found.append(
        (picture.writers(ofLeaf: LocationMatched.topic).first, text(vehicle, reason, count)))
    }
    if found.isEmpty, let end = endOfSource() { found.append(end) }
    // What fails for the want of fixes on the map is not told first.
    if found.isEmpty, evidence.hasListened {
      found = node.failingCalls(picture.services).map { (node.name, $0) }
    }
    return found
  }

  private func text(_ vehicle: String, _ reason: String, _ count: Evidence.MatchedCount) -> String {
    var place = ""
    if let lat = count.latDeg, let lon = count.lonDeg {
      place = " (\(Self.degrees(lat)),\(Self.degrees(lon)))"
    }
    let matter =
      switch reason {
      case "no_map_data":
        "no fix of \(vehicle) lies on the map\(place): is it the map of another place? `nav map info` prints where it is"
      case "no_time": "no fix of \(vehicle) has a time, and without one none is matched"
      case "off_road": "no fix of \(vehicle) lies near a road of the map\(place)"
      case "warming_up":
        "no fix of \(vehicle) is good enough to begin with\(place): look at its accuracy"
      default: "no fix of \(vehicle) can be true\(place)"
      }
    return "\(matter) (\(reason), all of the last \(count.all))"
  }

  private static func degrees(_ value: Double) -> String {
    "\((value * 100_000).rounded() / 100_000)"
  }

  /// Seconds without a fix after which a source has come to its end.
  private static let sourceSilenceMS: UInt64 = 10_000

  /// A source that is well and gives nothing more.
  private func endOfSource() -> (node: String?, text: String)? {
    let raw = picture.topics(leaf: LocationRaw.topic).filter { $0.messages > 0 }
    guard let last = raw.min(by: { $0.ageMS < $1.ageMS }), last.ageMS > Self.sourceSilenceMS else {
      return nil
    }
    let node = picture.nodes[last.source]
    // One that is not well is told of as that.
    guard node == nil || node?.isReady == true else { return nil }
    return (
      last.source,
      "\(last.source) has written no \(LocationRaw.topic) for \(Self.text(ms: last.ageMS)), after \(last.messages): its recording, track or route is at its end, or its receiver is silent"
    )
  }

  /// Why a topic of guidance was never written by a navigator that is well; nil where it was.
  func driveNotBegun(_ leaf: String, _ vehicles: Set<String>) -> String? {
    guard leaf.hasPrefix("guidance/") || leaf.hasPrefix("route/"), evidence.sessions.isEmpty,
      !picture.topics(leaf: leaf).contains(where: { $0.messages > 0 })
    else { return nil }
    let isWaiting = picture.services.contains { $0.name == "navigate/start" && $0.pending > 0 }
    return isWaiting
      ? "no drive has begun: navigate/start was called and is not answered yet"
      : "no drive has begun: nobody has called navigate/start"
  }

  /// What the broker dropped: not a cause by itself, but to be known.
  func drops() -> [String] {
    var lines: [String] = []
    for topic in picture.topics where topic.refused > 0 && !topic.name.hasPrefix("_") {
      lines.append(
        "\(topic.refused) messages on \(topic.name) were dropped: of another writer than \(topic.source), or of an earlier run of it"
      )
    }
    if let refused = evidence.counters["connections_refused"], refused > 0 {
      lines.append("\(refused) connections were refused: the broker's descriptors had run out")
    }
    if let name = evidence.invalidTopic {
      let count = evidence.counters["malformed_topic"] ?? 1
      lines.append("\(count) messages were dropped whose topic is no name, the last one \(name)")
    }
    return lines
  }
}

extension StackPicture.Node {
  /// Vehicles that it reads something of; empty where it reads that of any.
  var vehicles: Set<String> {
    var found: Set<String> = []
    for pattern in report?.subscribes ?? [] where !pattern.hasPrefix("_") {
      guard let vehicle = TopicName.split(pattern).vehicle, TopicName.isValidVehicle(vehicle) else {
        if pattern.contains("/") { return [] }
        continue
      }
      found.insert(vehicle)
    }
    return found
  }

  /// Whether its work is that of a drive: it reads or writes where the vehicle is.
  var isOfDrive: Bool {
    inputs.union(outputs).contains { leaf in
      ["location/", "guidance/", "scene/"].contains { leaf.hasPrefix($0) }
    }
  }

  /// Calls of those that it answers which have never worked, as sentences.
  func failingCalls(_ services: [ServiceReport]) -> [String] {
    services.filter {
      $0.server == name && $0.calls > 0 && $0.failures == $0.calls && $0.pending == 0
    }
    .filter { $0.name == "navigate/start" || $0.name == "route/calculate" }
    .map { service in
      let codes = service.codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
      return
        "\(service.name) has failed each time, \(service.calls) in all: \(codes.joined(separator: ", "))"
    }
  }

  func serves(_ call: String) -> Bool {
    report?.isAlive == true && report?.serves.contains(call) == true
  }

  var isReady: Bool { if case .says(.ready) = condition { true } else { false } }
}

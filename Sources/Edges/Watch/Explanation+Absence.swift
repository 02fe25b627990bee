import BusProtocol
import MessagePack
import Messages

// Explains why an expected topic is missing: no node writes it, or it has another name.
extension Explanation {
  /// Explains why a topic has no writer for these vehicles; an empty set stands for any vehicle.
  func absence(of leaf: String, vehicles: Set<String>) -> String {
    let promise =
      Topics.declaration(of: leaf)?.expectHz.map { "; \(Self.figure($0)) Hz is expected" } ?? ""
    let text = "no node writes \(leaf)\(promise)"
    let served = picture.nodes.values.reduce(into: Set<String>()) { $0.formUnion($1.vehicles) }
    if !vehicles.isEmpty, !served.isEmpty, served.isDisjoint(with: vehicles) {
      return "no node serves \(vehicles.sorted().joined(separator: ", ")); the stack serves "
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
        "\(text); \(similar.source) writes \(similar.name), which no node reads: is the name misspelt?"
    }
    if let name = evidence.invalidTopic {
      return "\(text); messages on \(name) are dropped, because this is not a topic name "
        + "(vehicle/topic of a-z 0-9 . _ - /)"
    }
    return text
  }

  /// Finds a topic with a similar name that is written but not read, and not in the contract.
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

  /// Calls whose reply a stage needs for its work.
  private static let essentialCalls = ["route/calculate"]

  /// Returns the essential calls of a node's program that no node serves.
  func unanswered(by node: StackSnapshot.Node) -> [String] {
    guard let program = node.status?.program else { return [] }
    let calls = (evidence.calls[program] ?? []).filter(Self.essentialCalls.contains)
    return calls.filter { call in
      let isServed = picture.services.contains { $0.name == call && !$0.server.isEmpty }
      return !isServed && !picture.nodes.values.contains { $0.serves(call) }
    }
  }

  /// Returns the problems of the drive itself: its clock, its session, its map.
  ///
  /// They do not depend on what each process reports.
  func driveTroubles(of node: StackSnapshot.Node) -> [(node: String?, text: String)] {
    guard node.isOfDrive else { return [] }
    var found: [(node: String?, text: String)] = []
    if let clock = evidence.clock, clock.paused {
      found.append(
        (
          nil,
          "time was paused by location/control; stack time is \(Watch.clock(clock.nowNs))"
        ))
    }
    for (vehicle, session) in evidence.sessions.sorted(by: { $0.key < $1.key })
    where session.state == .paused {
      found.append(
        (
          nil,
          "guidance of \(vehicle) is paused (navigate/pause; navigate/resume continues it)"
        ))
    }
    found += unmatchedTroubles(evidence.matched)
    if found.isEmpty, let end = endOfSource() { found.append(end) }
    // Calls may fail because no fix is on the map. They are reported only without other problems.
    if found.isEmpty, evidence.hasListened {
      found = node.failingCalls(picture.services).map { (node.name, $0) }
    }
    return found
  }

  /// Returns the problems of one vehicle: a pause, or locations without a match.
  func driveTroubles(ofVehicle vehicle: String) -> [(node: String?, text: String)] {
    var found: [(node: String?, text: String)] = []
    if let clock = evidence.clock, clock.paused {
      found.append(
        (nil, "time was paused by location/control; stack time is \(Watch.clock(clock.nowNs))"))
    }
    return found + unmatchedTroubles(evidence.matched.filter { $0.key == vehicle })
  }

  /// Reports vehicles of which all, or most, received locations have no match, at most five.
  private func unmatchedTroubles(
    _ matched: [String: Evidence.MatchedCount]
  ) -> [(node: String?, text: String)] {
    var texts: [String] = []
    for (vehicle, count) in matched.sorted(by: { $0.key < $1.key }) {
      if let reason = count.commonReason {
        texts.append(text(vehicle, reason, count))
      } else if count.all >= 5, 2 * count.unmatched > count.all {
        let reasons = count.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
          .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        texts.append(
          "\(count.unmatched) of the last \(count.all) locations of \(vehicle) have no match: \(reasons)"
        )
      }
    }
    let writer = picture.writers(ofLeaf: LocationMatched.topic).first
    var found: [(node: String?, text: String)] = texts.prefix(5).map { (writer, $0) }
    if texts.count > 5 {
      found.append((writer, "\(texts.count - 5) more vehicles have no match either"))
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
        "no fix of \(vehicle) lies on the map\(place): is it the map of another region? `nav map info` prints its area"
      case "no_time":
        "no fix of \(vehicle) has a time, which is required for matching: set time_ns to nanoseconds since 1970"
      case "off_road": "no fix of \(vehicle) lies near a road of the map\(place)"
      case "warming_up":
        "no fix of \(vehicle) is accurate enough for a start\(place): check its accuracy"
      default: "no fix of \(vehicle) is plausible\(place)"
      }
    return "\(matter) (\(reason), all of the last \(count.all))"
  }

  private static func degrees(_ value: Double) -> String {
    "\((value * 100_000).rounded() / 100_000)"
  }

  /// Milliseconds without a fix after which a source counts as ended.
  private static let sourceSilenceMS: UInt64 = 10_000

  /// Finds a healthy source that no longer publishes fixes.
  private func endOfSource() -> (node: String?, text: String)? {
    let raw = picture.topics(leaf: LocationRaw.topic).filter { $0.messages > 0 }
    guard let last = raw.min(by: { $0.ageMS < $1.ageMS }), last.ageMS > Self.sourceSilenceMS else {
      return nil
    }
    let node = picture.nodes[last.source]
    // A source that is not ready is reported as such elsewhere.
    guard node == nil || node?.isReady == true else { return nil }
    return (
      last.source,
      "\(last.source) has written no \(LocationRaw.topic) for \(Self.text(ms: last.ageMS)), after \(last.messages): its recording, track or route has ended, or its receiver is silent"
    )
  }

  /// Explains why a healthy navigator never wrote a topic of guidance; nil if it did.
  func driveNotBegun(_ leaf: String, _ vehicles: Set<String>) -> String? {
    guard leaf.hasPrefix("guidance/") || leaf.hasPrefix("route/"), evidence.sessions.isEmpty,
      !picture.topics(leaf: leaf).contains(where: { $0.messages > 0 })
    else { return nil }
    let isWaiting = picture.services.contains { $0.name == "navigate/start" && $0.pending > 0 }
    return isWaiting
      ? "no drive has started: navigate/start was called and is not answered yet"
      : "no drive has started: navigate/start has not been called"
  }

  /// Describes what the broker dropped.
  ///
  /// This is not a cause by itself, but useful to know.
  func drops() -> [String] {
    var lines: [String] = []
    for topic in picture.topics where topic.refused > 0 && !topic.name.hasPrefix("_") {
      lines.append(
        "\(topic.refused) messages on \(topic.name) were dropped: from a writer other than \(topic.source), or from an earlier run of it"
      )
    }
    if let refused = evidence.counters["connections_refused"], refused > 0 {
      lines.append("\(refused) connections were refused: the broker had no file descriptors left")
    }
    if let name = evidence.invalidTopic {
      let count = evidence.counters["malformed_topic"] ?? 1
      lines.append(
        "\(count) messages with an invalid topic name were dropped, the last one \(name)")
    }
    return lines
  }
}

extension StackSnapshot.Node {
  /// Vehicles whose topics the node reads; empty if it reads those of any vehicle.
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

  /// Whether the node takes part in a drive: it reads or writes location, guidance or scene topics.
  var isOfDrive: Bool {
    inputs.union(outputs).contains { leaf in
      ["location/", "guidance/", "scene/"].contains { leaf.hasPrefix($0) }
    }
  }

  /// Describes calls that the node serves and that have failed every time.
  func failingCalls(_ services: [ServiceReport]) -> [String] {
    services.filter {
      $0.server == name && $0.calls > 0 && $0.failures == $0.calls && $0.pending == 0
    }
    .filter { $0.name == "navigate/start" || $0.name == "route/calculate" }
    .map { service in
      let codes = service.codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
      return
        "\(service.name) has failed each time, \(service.calls) in total: \(codes.joined(separator: ", "))"
    }
  }

  func serves(_ call: String) -> Bool {
    report?.isAlive == true && report?.serves.contains(call) == true
  }

  var isReady: Bool { if case .says(.ready) = condition { true } else { false } }
}

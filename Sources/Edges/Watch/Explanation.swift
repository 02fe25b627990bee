import BusProtocol
import Messages

/// The reasons for the state of a node, a group of replicas, a vehicle or the whole stack.
///
/// It leads from the node upstream, through the writers of missing topics, to the first deviation.
public struct Explanation: Sendable {
  /// One line of the explanation.
  public struct Step: Hashable, Sendable, Encodable {
    /// Distance from the node that was asked about.
    public var depth: Int
    public var node: String?
    /// Topic without the vehicle.
    public var topic: String?
    public var text: String
    /// Whether everything downstream follows from this.
    public var isFirstDeviation = false
  }

  public private(set) var steps: [Step] = []
  let picture: StackSnapshot
  let evidence: Evidence
  private var seen: Set<String> = []
  /// Whether failed orders and refusals are reported for a whole group of replicas.
  private var isInGroup = false

  /// Follows the inputs of `node` upstream; costs no more than all inputs of all nodes.
  public init(node: String, in picture: StackSnapshot, evidence: Evidence = Evidence()) {
    self.picture = picture
    self.evidence = evidence
    if !explain(node, depth: 0), !explainDrive(of: node) {
      add(0, node: node, "it has no fault, and its inputs are healthy")
    }
    if deviates || picture.nodes[node]?.status?.program == "nav-bus" { addDrops() }
  }

  /// Follows the inputs of each process of a node with replicas.
  public init(
    group: String, members: [String], in picture: StackSnapshot, evidence: Evidence = Evidence()
  ) {
    self.picture = picture
    self.evidence = evidence
    let count = members.count == 1 ? "1 process" : "\(members.count) processes"
    add(0, node: group, "\(group) is \(count): \(listed(members, most: 4))")
    explainGroup(group, members, depth: 1)
    let isOfDrive = members.first { picture.nodes[$0]?.isOfDrive == true }
    if !deviates, isOfDrive.map({ !explainDrive(of: $0) }) ?? true {
      add(0, node: group, "they have no fault, and their inputs are healthy")
    }
    if deviates { addDrops() }
  }

  /// Checks each node of the stack; reports only deviations.
  public init(stack picture: StackSnapshot, evidence: Evidence = Evidence()) {
    self.picture = picture
    self.evidence = evidence
    let names = Set(picture.nodes.keys).union(
      evidence.processes.filter(Self.isExpected).map(\.name))
    for group in picture.groups {
      let members = names.filter { StackSnapshot.isReplica($0, of: group) }
      let start = steps.count
      add(0, node: group, "\(group) (\(members.count) processes)")
      if !explainGroup(group, members.sorted(by: StackSnapshot.isBefore), depth: 1) {
        steps.removeSubrange(start...)
      }
    }
    for name in names.sorted(by: StackSnapshot.isBefore) where !seen.contains(name) {
      let start = steps.count
      if !explain(name, depth: 0) { steps.removeSubrange(start...) }
    }
    if !deviates, let node = picture.nodes.values.first(where: \.isOfDrive)?.name {
      _ = explainDrive(of: node)
    }
    if deviates {
      addDrops()
    } else {
      add(0, "the \(names.count) nodes have no fault")
    }
  }

  /// Follows the fixes of a vehicle: from their source to the locations on roads.
  public init(
    vehicle: String, in picture: StackSnapshot, evidence: Evidence = Evidence()
  ) {
    self.picture = picture
    self.evidence = evidence
    explainVehicle(vehicle)
    if !deviates {
      let trouble = driveTroubles(ofVehicle: vehicle)
      for one in trouble { add(1, node: one.node, one.text, isFirst: true) }
      if trouble.isEmpty { add(0, "the locations of \(vehicle) have no fault") }
    }
  }

  /// Follows a topic (without the vehicle) to its writers for `vehicle`.
  public init(
    topic: String, vehicle: String? = nil, in picture: StackSnapshot,
    evidence: Evidence = Evidence()
  ) {
    self.picture = picture
    self.evidence = evidence
    let vehicles = Set([vehicle].compactMap { $0 })
    let isFound = explainWriters(of: topic, depth: 0, isLacking: false, vehicles: vehicles)
    if !isFound, let writer = picture.writers(ofLeaf: topic).first, !explainDrive(of: writer),
      evidence.hasListened, let text = driveNotBegun(topic, vehicles)
    {
      add(1, node: writer, text, isFirst: true)
    }
    if deviates { addDrops() }
  }

  private mutating func explainDrive(of name: String) -> Bool {
    guard let node = picture.nodes[name] else { return false }
    let troubles = driveTroubles(of: node)
    for trouble in troubles { add(1, node: trouble.node, trouble.text, isFirst: true) }
    return !troubles.isEmpty
  }

  private mutating func addDrops() {
    for line in drops() { add(0, line) }
  }

  /// Whether any deviation was found.
  public var deviates: Bool { steps.contains { $0.isFirstDeviation } }

  /// The lines for people.
  public var lines: [String] {
    steps.map { step in
      String(repeating: "  ", count: step.depth) + step.text
        + (step.isFirstDeviation ? "  <-- first deviation" : "")
    }
  }

  private mutating func add(
    _ depth: Int, node: String? = nil, topic: String? = nil, _ text: String,
    isFirst: Bool = false
  ) {
    steps.append(
      Step(depth: depth, node: node, topic: topic, text: text, isFirstDeviation: isFirst))
  }

  /// Reports on a node and, if it lacks something, on what is upstream; true if a deviation was
  /// found.
  ///
  /// `isLacking` means that a reader of the node's topics has waited in vain.
  private mutating func explain(_ name: String, depth: Int, isLacking: Bool = false) -> Bool {
    guard seen.insert(name).inserted else {
      add(depth, node: name, "\(name): see above")
      return true
    }
    let history = evidence.history(of: name)
    guard let node = picture.nodes[name] else {
      let trouble = history?.trouble ?? history.map { "is \($0.process.state.rawValue)" }
      add(depth, node: name, "\(name) \(trouble ?? "is not a node of this bus")", isFirst: true)
      return true
    }
    if let trouble = node.trouble {
      add(depth, node: name, "\(picture.title(of: name)) \(trouble)", isFirst: true)
      if let cause = history?.trouble ?? history?.past {
        add(depth + 1, node: name, "\(name) \(cause)")
      }
      return true
    }
    let status = node.status
    add(depth, node: name, "\(picture.title(of: name)) \(node.summary)")
    if let past = history?.past { add(depth + 1, node: name, "it \(past)") }
    if let order = evidence.failedOrders[name], !isInGroup {
      add(depth + 1, node: name, "the last order for it failed: \(order)")
    }
    let own = node.ownTroubles
    for trouble in own { add(depth + 1, node: name, trouble, isFirst: true) }
    var found = !own.isEmpty
    for refusal in isInGroup ? [] : refusals(of: [node]) {
      add(
        depth + 1, node: name, topic: refusal.topic, refusal.text, isFirst: refusal.isFault)
      found = found || refusal.isFault
    }
    for call in unanswered(by: node) {
      add(
        depth + 1, node: name,
        "no node serves \(call), which it needs: start a node that serves it", isFirst: true)
      found = true
    }
    for leaf in node.problemInputs(isAwaited: isLacking) {
      guard let input = status?.subscriptions[leaf] else { continue }
      add(depth + 1, node: name, topic: leaf, "its input \(leaf) \(Self.text(of: input))")
      if explainWriters(of: leaf, depth: depth + 2, isLacking: true, vehicles: node.vehicles) {
        found = true
      }
    }
    return found
  }

  /// Explains each replica that deviates, and names the others in one line; true where one deviates.
  ///
  /// Refusals and failed orders are reported once for all of them.
  @discardableResult
  private mutating func explainGroup(_ group: String, _ members: [String], depth: Int) -> Bool {
    isInGroup = true
    defer { isInGroup = false }
    var found = false
    if let order = members.compactMap({ evidence.failedOrders[$0] }).first {
      add(depth, node: group, "the last order for it failed: \(order)")
    }
    let nodes = picture.nodes
    for refusal in refusals(of: members.compactMap { nodes[$0] }) {
      add(depth, node: group, topic: refusal.topic, refusal.text, isFirst: refusal.isFault)
      found = found || refusal.isFault
    }
    var well: [String] = []
    for name in members where !seen.contains(name) {
      let start = steps.count
      if explain(name, depth: depth) {
        found = true
        continue
      }
      // Past ends are of interest, the figures of each process are not.
      let facts = steps[start...].filter { $0.depth > depth }
      steps.removeSubrange(start...)
      guard facts.isEmpty else {
        add(depth, node: name, "\(name) is \(picture.nodes[name]?.word ?? "gone")")
        steps += facts
        continue
      }
      well.append(name)
    }
    if !well.isEmpty {
      add(depth, "\(listed(well, most: 4)) \(well.count == 1 ? "is" : "are") ready")
    }
    return found
  }

  /// Explains the fixes of a vehicle, the node that matches them, and what it does with them.
  private mutating func explainVehicle(_ vehicle: String) {
    let raw = picture.topics(leaf: LocationRaw.topic, vehicle: vehicle)
    let matched = picture.topics(leaf: LocationMatched.topic, vehicle: vehicle)
    guard let raw, raw.messages > 0 else {
      let text = absence(of: LocationRaw.topic, vehicles: [vehicle])
      return add(0, topic: LocationRaw.topic, "\(vehicle) has no fixes: \(text)", isFirst: true)
    }
    add(
      0, node: raw.source, topic: LocationRaw.topic,
      "\(vehicle)/\(LocationRaw.topic): \(raw.messages) messages from \(raw.source), the last \(Self.text(ms: raw.ageMS)) ago"
    )
    if raw.ageMS > Self.vehicleSilenceMS {
      add(
        1, node: raw.source, topic: LocationRaw.topic,
        "the source \(raw.source) is silent: its recording or route has ended, or its receiver is off",
        isFirst: true)
      if picture.nodes[raw.source] != nil { _ = explain(raw.source, depth: 1) }
      return
    }
    if let matched, matched.messages > 0 {
      add(
        0, node: matched.source, topic: LocationMatched.topic,
        "\(vehicle)/\(LocationMatched.topic): \(matched.messages) messages from \(matched.source), the last \(Self.text(ms: matched.ageMS)) ago"
      )
    } else {
      add(0, topic: LocationMatched.topic, "\(vehicle)/\(LocationMatched.topic): none yet")
    }
    let writers = matched.map { [$0.source] } ?? picture.readers(ofLeaf: LocationRaw.topic)
    var isExplained = false
    for name in writers.sorted(by: StackSnapshot.isBefore) {
      if let node = picture.nodes[name], node.trouble == nil {
        for refusal in refusals(of: [node], vehicle: vehicle) {
          add(
            1, node: name, topic: refusal.topic, "\(name): \(refusal.text)",
            isFirst: refusal.isFault)
          isExplained = true
        }
      } else if explain(name, depth: 1) {
        isExplained = true
      }
    }
    guard !isExplained, matched.map({ $0.ageMS > raw.ageMS + Self.vehicleSilenceMS }) ?? true else {
      return
    }
    if writers.isEmpty {
      add(
        1, topic: LocationMatched.topic,
        absence(of: LocationMatched.topic, vehicles: [vehicle]), isFirst: true)
    } else {
      add(
        1, node: writers.first, topic: LocationMatched.topic,
        "its fixes are not matched, and \(listed(writers)) does not report why: does it serve \(vehicle)?",
        isFirst: true)
    }
  }

  /// Milliseconds without a message of a vehicle after which its source counts as silent.
  private static let vehicleSilenceMS: UInt64 = 10_000

  /// Whether a process should be on the bus.
  private static func isExpected(_ process: WireStackProcess) -> Bool {
    process.role == .member && process.state != .exited
  }

  /// Reports the writers of a topic; if none of them has a reason (`isLacking`), they are the
  /// cause.
  private mutating func explainWriters(
    of leaf: String, depth: Int, isLacking: Bool, vehicles: Set<String>
  ) -> Bool {
    let writers = picture.writers(ofLeaf: leaf, vehicles: vehicles)
    guard !writers.isEmpty else {
      add(depth, topic: leaf, absence(of: leaf, vehicles: vehicles), isFirst: true)
      return true
    }
    var found = false
    for writer in writers {
      guard picture.nodes[writer] != nil else {
        let age = picture.topics(leaf: leaf).map(\.ageMS).min() ?? 0
        add(
          depth, node: writer, topic: leaf,
          "\(leaf) comes from \(writer), which is not a node of this bus, last \(Self.text(ms: age)) ago",
          isFirst: isLacking)
        found = found || isLacking
        continue
      }
      let start = steps.count
      if explain(writer, depth: depth, isLacking: isLacking) {
        found = true
      } else if isLacking {
        // The writer has everything that it needs and does not publish what it should.
        steps[start].isFirstDeviation = true
        found = true
      }
      steps[start].text = "\(leaf) comes from \(steps[start].text)"
      steps[start].topic = leaf
    }
    return found
  }

  /// A description of an input's state.
  static func text(of input: WireSubscriptionStatus) -> String {
    let rate = input.rateHz.map { hz in
      " (\(figure(hz)) of \(figure(input.expectHz ?? hz)) Hz)"
    }
    switch input.health {
    case .slow: return "is slow\(rate ?? "")"
    case .stale: return "is stale: no message for \(figure(input.silenceS ?? 0)) s"
    case .never:
      let promise = input.expectHz.map { ", although \(figure($0)) Hz is expected" } ?? ""
      return "has had no message yet\(promise)"
    case .invalid: return "is invalid: \(input.refused + input.schemaMismatch) messages refused"
    case .ok, nil:
      let refused = input.refused + input.schemaMismatch
      if refused > 0 {
        return "is received, but \(refused) of \(input.received) messages are refused"
      }
      return "is healthy\(rate ?? "")"
    }
  }

  /// A figure for people: about three digits, without trailing zeros after the decimal point.
  public static func figure(_ value: Double) -> String {
    guard value < 100 else { return "\(Int(value.rounded()))" }
    let shown = (value * (value < 1 ? 100 : 10)).rounded() / (value < 1 ? 100 : 10)
    return shown == shown.rounded() ? "\(Int(shown))" : "\(shown)"
  }

  /// `850 ms`, `3.2 s`, `2 min`.
  public static func text(ms: UInt64) -> String {
    switch ms {
    case ..<1_000: "\(ms) ms"
    case ..<120_000: "\(figure(Double(ms) / 1_000)) s"
    default: "\(ms / 60_000) min"
    }
  }
}

extension StackSnapshot.Node {
  /// The problem of the process itself; nil if it works.
  var trouble: String? {
    switch condition {
    case .gone(let ms): "is disconnected: last message \(Explanation.text(ms: ms)) ago"
    case .silent(let ms):
      "is silent: its process has made no progress for \(Explanation.text(ms: ms))"
    case .stuck(let ms):
      "is stuck: its work loop has made no progress for \(Explanation.text(ms: ms))"
    case .says(.failed): "has failed: \(status?.why ?? "no reason given")"
    case .says(.stopping): "is stopping"
    default: nil
    }
  }

  /// State, its start time, and the loop's figures.
  fileprivate var summary: String {
    guard let status else { return "is on the bus and publishes no status" }
    var text = "is \(status.state.rawValue)"
    if let since = status.sinceNs, status.state == .degraded { text += " since \(clock(since))" }
    if let why = status.why { return "\(text): \(why)" }
    let loop = status.loopAgeMs.map { "loop \(Explanation.figure($0)) ms" }
    let queue = status.queue.map { "queue \($0)" }
    let figures = [loop, queue].compactMap { $0 }.joined(separator: ", ")
    return figures.isEmpty ? text : "\(text) (\(figures))"
  }

  /// Inputs with problems, sorted by name.
  ///
  /// One that never came counts if the node reports it as missing.
  func problemInputs(isAwaited: Bool) -> [String] {
    (status?.subscriptions ?? [:]).sorted { $0.key < $1.key }.compactMap { leaf, input in
      switch input.health {
      case .slow, .stale, .invalid: leaf
      case .never: misses(leaf, input, isAwaited: isAwaited) ? leaf : nil
      case .ok, nil: isRefusing(input) ? leaf : nil
      }
    }
  }

  /// Whether an input that never arrived should have.
  ///
  /// The node reports it as missing, or the input is the location of the vehicle.
  private func misses(
    _ leaf: String, _ input: WireSubscriptionStatus, isAwaited: Bool
  ) -> Bool {
    if status?.why?.contains("input \(leaf) is") == true { return true }
    guard leaf == LocationRaw.topic || leaf == LocationMatched.topic, input.expectHz != nil else {
      return false
    }
    // A node that serves any vehicle does not miss a particular one.
    return !vehicles.isEmpty && (isAwaited || status?.uptimeS ?? 0 > Self.patienceS)
  }

  /// Seconds after its start in which a node misses no input yet.
  private static let patienceS = 5.0

  /// Whether the node refuses more than half of the messages of an input.
  private func isRefusing(_ input: WireSubscriptionStatus) -> Bool {
    let refused = input.refused + input.schemaMismatch
    return refused > 0 && 2 * refused > input.received
  }

  /// The problems that the node reports about itself and that no input causes.
  fileprivate var ownTroubles: [String] {
    guard let status, status.state == .degraded, let why = status.why else { return [] }
    return why.split(separator: ";").map { String($0.drop { $0 == " " }) }
      .filter { !$0.hasPrefix("input ") }
  }
}

/// `12:04:40` of a moment of event time, UTC.
public func clock(_ nanoseconds: Int64) -> String {
  let day = ((nanoseconds / 1_000_000_000) % 86_400 + 86_400) % 86_400
  func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return "\(two(day / 3_600)):\(two(day / 60 % 60)):\(two(day % 60))"
}

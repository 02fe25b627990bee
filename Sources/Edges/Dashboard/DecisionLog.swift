import BusProtocol
import Messages
import Watch

/// The last decisions, and what is needed to notice changes that no message reports.
struct DecisionLog {
  static let kept = 150

  private(set) var decisions: [Decision] = []
  /// Whether there are new ones since the last `drain`.
  private(set) var hasNews = false
  private var nextNumber: UInt64 = 1
  /// By node: the last observed condition, and the number of restarts.
  private var nodes: [String: (word: String, restarts: UInt64)] = [:]
  private var hasSnapshot = false
  /// By vehicle: why its location has no match; an empty text for a match.
  private var matches: [String: String] = [:]

  mutating func append(_ decision: Decision) {
    var decision = decision
    decision.number = nextNumber
    nextNumber += 1
    decisions.append(decision)
    if decisions.count > Self.kept { decisions.removeFirst(decisions.count - Self.kept) }
    hasNews = true
  }

  /// The decisions, the newest first; they are not new any more.
  mutating func drain() -> [Decision] {
    hasNews = false
    return decisions.sorted { ($0.wallNS, $0.number) > ($1.wallNS, $1.number) }
  }

  /// Records restarts of the matcher and changes between matched and unmatched locations.
  mutating func ingestMatch(
    _ payload: [UInt8], of vehicle: String, header: Header, trail: [CauseTrail.Step]
  ) {
    guard let match = try? LocationMatched(decoding: payload) else { return }
    func add(_ level: Decision.Level, _ text: String) {
      var decision = Decision(
        wallNS: header.wallNS ?? wallClockNS(), stampNS: header.stampNS,
        kind: LocationMatched.topic, level: level, vehicle: vehicle, node: header.source,
        text: text)
      decision.evidence = .fields([
        "probability": .number(match.probability), "distance_m": .number(match.distanceM),
        "off_road_probability": .number(match.offRoadProbability),
        "candidates": .count(match.candidates), "uncertainty_m": .number(match.uncertaintyM),
      ])
      decision.trail = trail
      append(decision)
    }
    if match.teleport { add(.warning, "Map matching restarted after a jump") }
    let reason = match.state == .noMatch ? match.reason?.rawValue ?? "unknown" : ""
    guard let before = matches.updateValue(reason, forKey: vehicle), before != reason else {
      return
    }
    if reason.isEmpty {
      add(.good, "Location matched again")
    } else {
      add(.warning, "Location without a match: \(reason.replacing("_", with: " "))")
    }
  }

  /// Records nodes that have changed their state or were started again.
  mutating func ingest(_ picture: StackSnapshot, _ evidence: Evidence, wallNS: Int64) {
    for name in picture.nodes.keys.sorted() {
      guard let node = picture.nodes[name] else { continue }
      let process = evidence.processes.first { $0.name == name && $0.role == .member }
      let restarts = max(node.report?.restarts ?? 0, process?.restarts ?? 0)
      let before = nodes.updateValue((node.word, restarts), forKey: name)
      guard hasSnapshot, let before else { continue }
      if restarts > before.restarts {
        let end = process?.lastEnd.map { " after \($0)" } ?? ""
        append(
          Decision(
            wallNS: wallNS, kind: "process", level: .warning, node: name,
            text: "\(name) was started again\(end), restart \(restarts)"))
      }
      guard node.word != before.word else { continue }
      let level: Decision.Level =
        node.word == "ready" ? .good : ["gone", "failed"].contains(node.word) ? .error : .warning
      append(
        Decision(
          wallNS: wallNS, kind: "process", level: level, node: name,
          text: "\(name) is \(node.word)" + (node.status?.why.map { ": \($0)" } ?? "")))
    }
    for name in nodes.keys where picture.nodes[name] == nil { nodes[name] = nil }
    hasSnapshot = true
  }
}

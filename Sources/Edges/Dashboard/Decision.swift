import BusProtocol
import MessagePack
import Messages
import Watch

/// Something that the stack decided or that happened to it, with the evidence.
struct Decision: Hashable, Sendable {
  enum Level: String, Sendable { case info, good, warning, error }

  /// Increments with each decision.
  var number: UInt64 = 0
  /// By the clock of the machine, nanoseconds since 1970.
  var wallNS: Int64
  /// Event time; nil for what is not a message.
  var stampNS: Int64?
  /// Topic without the vehicle, `log`, or `process`.
  var kind: String
  var level: Level
  var vehicle: String?
  /// The node that decided.
  var node: String?
  var text: String
  /// Small fields of the message.
  var evidence: MessagePackValue = .map([])
  /// The message and its causes, the first cause last.
  var trail: [CauseTrail.Step] = []

  /// Topics without the vehicle whose messages are decisions.
  static let topics = [
    GuidanceReroute.topic, RouteBetter.topic, GuidanceWarning.topic, GuidanceArrival.topic,
    GuidanceDeviation.topic, RouteError.topic,
  ]

  /// The decision that a message reports; nil if it reports none.
  init?(_ frame: Frame, vehicle: String?, leaf: String, receivedNS: Int64) {
    guard let payload = try? MessagePackValue(decoding: frame.payload),
      let (level, text) = Self.sentence(leaf, payload)
    else { return nil }
    self.init(
      wallNS: frame.header.wallNS ?? receivedNS, stampNS: frame.header.stampNS, kind: leaf,
      level: level, vehicle: vehicle, node: frame.header.source, text: text)
    evidence = Self.small(payload, depth: 0) ?? .map([])
  }

  init(
    wallNS: Int64, stampNS: Int64? = nil, kind: String, level: Level, vehicle: String? = nil,
    node: String? = nil, text: String
  ) {
    self.wallNS = wallNS
    self.stampNS = stampNS
    self.kind = kind
    self.level = level
    self.vehicle = vehicle
    self.node = node
    self.text = text
  }

  private static func sentence(
    _ leaf: String, _ payload: MessagePackValue
  ) -> (Level, String)? {
    func plain(_ key: String) -> String? {
      payload[key]?.string?.replacing("_", with: " ")
    }
    func metres(_ key: String) -> String? {
      payload[key]?.number.map { "\(Explanation.figure($0)) m" }
    }
    let state = plain("state") ?? plain("event") ?? ""
    switch leaf {
    case GuidanceReroute.topic:
      let cause = plain("error_text") ?? plain("reason")
      let level: Level =
        state == "failed" ? .error : state == "completed" ? .good : .warning
      return (level, "Reroute \(state)" + (cause.map { ": \($0)" } ?? ""))
    case RouteBetter.topic:
      let gain = payload["gain_s"]?.number.map { ", \(Explanation.figure($0)) s faster" } ?? ""
      let longer = payload["longer_m"]?.number.map { metres in
        ", \(Int(abs(metres).rounded())) m \(metres < 0 ? "shorter" : "longer")"
      }
      let level: Level = ["accepted", "found", "proposed"].contains(state) ? .good : .info
      return (level, "Better route \(state)\(gain)\(longer ?? "")")
    case GuidanceWarning.topic:
      let distance = metres("distance_m").map { " in \($0)" } ?? ""
      let kind = plain("kind") ?? "warning"
      return (.info, "Warning \(state): \(kind)\(state == "ahead" ? distance : "")")
    case GuidanceArrival.topic:
      let name = plain("name").map { ": \($0)" } ?? ""
      return (.good, "\(state.prefix(1).uppercased())\(state.dropFirst())\(name)")
    case GuidanceDeviation.topic:
      guard payload["first"]?.bool == true else { return nil }
      return (.warning, "Off the route" + (metres("distance_m").map { ", \($0) from it" } ?? ""))
    case RouteError.topic:
      return (.error, "\(plain("during") ?? "request") failed: \(plain("text") ?? "")")
    default: return nil
    }
  }

  /// A value without long lists and texts, such as shapes; nil if nothing is left.
  static func small(_ value: MessagePackValue, depth: Int) -> MessagePackValue? {
    switch value {
    case .map(let entries):
      guard depth < 3 else { return nil }
      let kept = entries.compactMap { entry in
        small(entry.value, depth: depth + 1).map { MessagePackValue.Entry(entry.key, $0) }
      }
      return kept.isEmpty && depth > 0 ? nil : .map(Array(kept.prefix(24)))
    case .array(let values):
      guard values.count <= 8 else { return nil }
      return .array(values.compactMap { small($0, depth: depth + 1) })
    case .string(let text): return text.utf8.count > 200 ? nil : value
    case .bytes, .null: return nil
    case .bool, .int, .uint, .double: return value
    }
  }

  var value: MessagePackValue {
    .fields([
      "number": .int(Int64(clamping: number)), "wall_ns": .int(wallNS),
      "stamp_ns": stampNS.map { .int($0) }, "kind": .string(kind),
      "level": .string(level.rawValue), "vehicle": vehicle.map { .string($0) },
      "node": node.map { .string($0) }, "text": .string(text), "evidence": evidence,
      "trail": .array(trail.map(\.value)),
    ])
  }
}

extension CauseTrail.Step {
  var value: MessagePackValue {
    .fields([
      "topic": .string(topic), "source": .string(source),
      "sequence": .int(Int64(clamping: sequence)), "stamp_ns": stampNS.map { .int($0) },
      "sent_ns": sentNS.map { .int($0) },
    ])
  }
}

extension MessagePackValue {
  /// A map without the keys whose value is nil.
  static func fields(_ pairs: KeyValuePairs<String, MessagePackValue?>) -> MessagePackValue {
    .map(pairs.compactMap { key, value in value.map { Entry(key, $0) } })
  }

  static func text(_ value: String?) -> MessagePackValue? { value.map { .string($0) } }
  static func number(_ value: Double?) -> MessagePackValue? { value.map { .double($0) } }
  static func count(_ value: UInt64?) -> MessagePackValue? {
    value.map { .int(Int64(clamping: $0)) }
  }
  static func texts(_ values: some Sequence<String>) -> MessagePackValue {
    .array(values.map { .string($0) })
  }

  /// A number of any kind.
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

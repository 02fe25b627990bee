import BusProtocol

/// The outcome of an order to hand a node over to its standby.
public struct HandoverOutcome: Hashable, Sendable {
  /// Whether the standby has taken over; if not, the node continues as before.
  public var isDone: Bool
  /// Code for programs: empty, `unavailable` if no broker answered, or a code of
  /// `Protocols/control.md`.
  public var code: String
  /// Sentence for people; empty if all went well and there is nothing to remark.
  public var message: String
  /// How long input was held, in milliseconds.
  public var heldMS: Double
  /// Size of what was handed over, in bytes.
  public var stateBytes: UInt64
  /// Number of calls that arrived meanwhile and waited.
  public var heldCalls: UInt64
  /// Number of parts of the handover; 1 if everything was handed over at once.
  public var parts: UInt64
  /// Run of the process that continues; nil if there is none.
  public var run: UInt64?
  /// Number of the node's messages that an earlier shadow compared with its own; nil without a
  /// shadow.
  public var compared: UInt64?
  /// Number of these messages that were different.
  public var different: UInt64?
  /// The first difference, as a sentence.
  public var difference: String?
}

/// The outcome of an order to share a group's slots among other lanes.
public struct RescaleOutcome: Hashable, Sendable {
  /// Whether the slots are where they should be; if not, moved slots stay moved.
  public var isDone: Bool
  public var code: String
  public var message: String
  /// The longest time for which input of a slot was held, in milliseconds.
  public var heldMS: Double
  /// Number of moved slots, of 256.
  public var movedSlots: UInt64
  /// Number of handovers that were needed.
  public var moves: UInt64
  /// How many slots each lane has now.
  public var slotsByLane: [Int: Int]
}

extension BusClient {
  /// Maximum time for which a handover may hold input, in milliseconds.
  public static let maximumHoldMS: UInt64 = HandoverLimits.maximumHoldMS

  /// Orders the broker to hand `node` over to the standby that waits under its name.
  ///
  /// `completion` gets the outcome on the client's thread, at the latest when the broker counts as
  /// gone. A node that is handed over ends with code 0.
  public func handOver(
    node: String, limitMS: UInt64 = maximumHoldMS,
    completion: @escaping @Sendable (HandoverOutcome) -> Void
  ) {
    send(
      .order({ .handover(.init(token: $0, name: node, limitMs: limitMS)) }) {
        completion(HandoverOutcome($0))
      })
  }

  /// Orders the standby of `node` to do the node's work silently, starting from the node's own
  /// state.
  ///
  /// Its output is compared with the node's output until a handover is ordered, whose outcome
  /// reports the result. The node continues meanwhile. A shadow neither makes nor answers calls, so
  /// a stage that depends on calls differs.
  public func shadow(
    node: String, limitMS: UInt64 = maximumHoldMS,
    completion: @escaping @Sendable (HandoverOutcome) -> Void
  ) {
    send(
      .order({ .shadow(.init(token: $0, name: node, limitMs: limitMS)) }) {
        completion(HandoverOutcome($0))
      })
  }

  /// Starts a shadow and waits until it runs on its own.
  public func shadow(node: String, limitMS: UInt64 = maximumHoldMS) -> HandoverOutcome {
    wait(Int(limitMS) + 1_000) { done in shadow(node: node, limitMS: limitMS, completion: done) }
      ?? HandoverOutcome(nil)
  }

  /// Hands over and waits for the outcome, long enough for the maximum number of parts.
  public func handOver(node: String, limitMS: UInt64 = maximumHoldMS) -> HandoverOutcome {
    wait(Int(limitMS) * 512 + 1_000) { done in
      handOver(node: node, limitMS: limitMS, completion: done)
    }
      ?? HandoverOutcome(nil)
  }

  /// Orders the broker to share the slots of `group` among `lanes`, each 1 to 62.
  ///
  /// Replicas must be running and ready on lanes that get slots of others. The first order of a
  /// group needs no replicas: it fills the table.
  public func rescale(
    group: String, lanes: [Int], limitMS: UInt64 = maximumHoldMS,
    completion: @escaping @Sendable (RescaleOutcome) -> Void
  ) {
    let lanes = lanes.map { UInt64(clamping: $0) }
    send(
      .order({ .rescale(.init(token: $0, limitMs: limitMS, group: group, lanes: lanes)) }) {
        completion(RescaleOutcome($0))
      })
  }

  /// Rescales and waits for the outcome, long enough for the maximum number of moves.
  public func rescale(
    group: String, lanes: [Int], limitMS: UInt64 = maximumHoldMS
  ) -> RescaleOutcome {
    wait(Int(limitMS) * 512 + 1_000) { done in
      rescale(group: group, lanes: lanes, limitMS: limitMS, completion: done)
    } ?? RescaleOutcome(nil)
  }
}

extension HandoverOutcome {
  /// Decodes a broker's answer; nil if none arrived.
  init(_ answer: ControlMessage.Outcome?) {
    isDone = answer?.ok ?? false
    code = answer.map { $0.code ?? "" } ?? "unavailable"
    message = answer.map { $0.message ?? "" } ?? "the broker did not answer"
    heldMS = answer?.heldMs ?? 0
    stateBytes = answer?.bytes ?? 0
    heldCalls = answer?.count ?? 0
    parts = answer?.moves ?? 0
    run = answer?.run
    compared = answer?.compared
    different = answer?.different
    difference = answer?.difference
  }
}

extension RescaleOutcome {
  init(_ answer: ControlMessage.Outcome?) {
    isDone = answer?.ok ?? false
    code = answer.map { $0.code ?? "" } ?? "unavailable"
    message = answer.map { $0.message ?? "" } ?? "the broker did not answer"
    heldMS = answer?.heldMs ?? 0
    movedSlots = answer?.count ?? 0
    moves = answer?.moves ?? 0
    let pairs = answer?.lanes ?? []
    slotsByLane = Dictionary(
      stride(from: 0, to: pairs.count - 1, by: 2).map { (Int(pairs[$0]), Int(pairs[$0 + 1])) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// What came of an order to hand a node over to its standby.
public struct HandOverOutcome: Hashable, Sendable {
  /// Whether the standby has taken over; if not, the node goes on as before.
  public var isDone: Bool
  /// A word for programs: empty, or one of those in `Protocols/control.md`; `unavailable` where no
  /// broker answered.
  public var code: String
  /// A sentence for people; empty where all went well and there is nothing to remark.
  public var message: String
  /// How long input was held, in milliseconds.
  public var heldMS: Double
  /// Size of what was handed over, in bytes.
  public var stateBytes: UInt64
  /// Calls that came meanwhile and waited.
  public var heldCalls: UInt64
  /// Parts in which it went over; 1 where all went at once.
  public var parts: UInt64
  /// Run of the process that goes on; nil where there is none.
  public var run: UInt64?
  /// Messages of the node that a shadow before this compared with its own; nil without a shadow.
  public var compared: UInt64?
  /// How many of them were different.
  public var different: UInt64?
  /// The first difference, in a sentence.
  public var difference: String?
}

/// What came of an order to share a group's slots among other lanes.
public struct RescaleOutcome: Hashable, Sendable {
  /// Whether the slots are where they shall be; if not, what has moved stays moved.
  public var isDone: Bool
  public var code: String
  public var message: String
  /// The longest time that input of a slot was held, in milliseconds.
  public var heldMS: Double
  /// Slots that were moved, of 256.
  public var movedSlots: UInt64
  /// Handovers that it took.
  public var moves: UInt64
  /// How many slots each lane has now.
  public var slotsByLane: [Int: Int]
}

extension BusClient {
  /// How long a handover may hold input at most, in milliseconds.
  public static let maximumHoldMS: UInt64 = 2_000

  /// Orders the broker to hand `node` over to the standby that waits under its name.
  ///
  /// `completion` gets the outcome on the client's thread, at the latest when the broker is taken
  /// for gone. A node that is handed over ends with code 0.
  public func handOver(
    node: String, limitMS: UInt64 = maximumHoldMS,
    completion: @escaping @Sendable (HandOverOutcome) -> Void
  ) {
    var head = Control(.handover)
    head.name = node
    head.limitMS = limitMS
    send(.order(head) { completion(HandOverOutcome($0)) })
  }

  /// Orders the standby of `node` to do in silence what the node does, from the node's own state.
  ///
  /// What it would say is compared with what the node says, until a handover is ordered, whose
  /// outcome tells of it. The node goes on all the while. Calls are neither made nor answered by
  /// a shadow: a stage that lives by them differs.
  public func shadow(
    node: String, limitMS: UInt64 = maximumHoldMS,
    completion: @escaping @Sendable (HandOverOutcome) -> Void
  ) {
    var head = Control(.shadow)
    head.name = node
    head.limitMS = limitMS
    send(.order(head) { completion(HandOverOutcome($0)) })
  }

  /// Begins a shadow and waits until it goes on by itself.
  public func shadow(node: String, limitMS: UInt64 = maximumHoldMS) -> HandOverOutcome {
    wait(Int(limitMS) + 1_000) { done in shadow(node: node, limitMS: limitMS, completion: done) }
      ?? HandOverOutcome(nil)
  }

  /// Hands over and waits for the outcome, for as many parts as there can be.
  public func handOver(node: String, limitMS: UInt64 = maximumHoldMS) -> HandOverOutcome {
    wait(Int(limitMS) * 512 + 1_000) { done in
      handOver(node: node, limitMS: limitMS, completion: done)
    }
      ?? HandOverOutcome(nil)
  }

  /// Orders the broker to share the slots of `group` among `lanes`, each 1 to 62.
  ///
  /// Replicas must be there and ready on lanes that get slots of others. The first order of a
  /// group needs none: it fills the table.
  public func rescale(
    group: String, lanes: [Int], limitMS: UInt64 = maximumHoldMS,
    completion: @escaping @Sendable (RescaleOutcome) -> Void
  ) {
    var head = Control(.rescale)
    head.group = group
    head.lanes = lanes.map { UInt64(clamping: $0) }
    head.limitMS = limitMS
    send(.order(head) { completion(RescaleOutcome($0)) })
  }

  /// Rescales and waits for the outcome, for as many moves as there can be.
  public func rescale(
    group: String, lanes: [Int], limitMS: UInt64 = maximumHoldMS
  ) -> RescaleOutcome {
    wait(Int(limitMS) * 512 + 1_000) { done in
      rescale(group: group, lanes: lanes, limitMS: limitMS, completion: done)
    } ?? RescaleOutcome(nil)
  }
}

extension HandOverOutcome {
  /// Reads a broker's answer; nil where none came.
  init(_ answer: Control?) {
    isDone = answer?.isOK ?? false
    code = answer.map { $0.code ?? "" } ?? "unavailable"
    message = answer.map { $0.message ?? "" } ?? "the broker did not answer"
    heldMS = answer?.heldMS ?? 0
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
  init(_ answer: Control?) {
    isDone = answer?.isOK ?? false
    code = answer.map { $0.code ?? "" } ?? "unavailable"
    message = answer.map { $0.message ?? "" } ?? "the broker did not answer"
    heldMS = answer?.heldMS ?? 0
    movedSlots = answer?.count ?? 0
    moves = answer?.moves ?? 0
    let pairs = answer?.lanes ?? []
    slotsByLane = Dictionary(
      stride(from: 0, to: pairs.count - 1, by: 2).map { (Int(pairs[$0]), Int(pairs[$0 + 1])) },
      uniquingKeysWith: { first, _ in first })
  }
}

public import Messages

// Explains why messages were refused or not used, by reason.
extension Explanation {
  /// A reason why a node refused messages, or did not use them.
  struct RefusalFinding {
    var topic: String
    var text: String
    /// Whether it is a fault that was seen just now.
    var isFault: Bool
  }

  /// Milliseconds for which a refusal counts as a present fault.
  private static let presentMS: Int64 = 15_000

  /// Reasons that belong to a healthy drive.
  private static let harmless: Set<String> = ["other_source", "late", "expired"]
  /// Reasons that belong to a healthy fleet, and yet explain why a vehicle has no matches.
  private static let harmlessInFleets: Set<String> = ["frozen_position"]

  /// The meaning of reasons for which the node reports no sentence, with what to do.
  private static let meanings = [
    "no_time": "a fix without time_ns is never matched; set it to nanoseconds since 1970",
    "frozen_position":
      "the receiver repeats its last position while the vehicle moves, so these fixes are ignored and the location is estimated",
    "other_source":
      "another source of the vehicle has a higher priority or was first; it is used until it becomes silent",
    "late": "they are older than the stack clock",
  ]

  /// Returns the refusals of the last ten minutes, those of `vehicle` if one is given.
  ///
  /// The refusals of replicas of a node are added up.
  func refusals(of nodes: [StackSnapshot.Node], vehicle: String? = nil) -> [RefusalFinding] {
    Self.merged(nodes.flatMap { $0.status?.refused ?? [] }).compactMap { refused in
      let isListed = vehicle.map { refused.byVehicle[$0] != nil } ?? true
      // Of many vehicles only those with most messages are listed.
      guard isListed || refused.vehicles > UInt64(refused.byVehicle.count) else { return nil }
      let ageMS = evidence.wallNS.flatMap { now in
        refused.lastWallNs.map { max(0, (now - $0) / 1_000_000) }
      }
      return RefusalFinding(
        topic: refused.topic,
        text: Self.text(of: refused, vehicle: isListed ? vehicle : nil, evidence),
        isFault: !Self.harmless.contains(refused.reason) && ageMS ?? 0 <= Self.presentMS
          && (vehicle != nil || !Self.harmlessInFleets.contains(refused.reason)))
    }
  }

  /// Adds up the messages of one topic and reason.
  private static func merged(_ all: [WireRefusedInput]) -> [WireRefusedInput] {
    var sums: [WireRefusedInput] = []
    for one in all {
      guard
        let index = sums.firstIndex(where: { $0.topic == one.topic && $0.reason == one.reason })
      else {
        sums.append(one)
        continue
      }
      var sum = sums[index]
      sum.count += one.count
      sum.vehicles += one.vehicles
      sum.byVehicle.merge(one.byVehicle, uniquingKeysWith: +)
      sum.firstWallNs = [sum.firstWallNs, one.firstWallNs].compactMap { $0 }.min()
      if let last = one.lastWallNs, last >= sum.lastWallNs ?? last {
        sum.lastWallNs = last
        sum.text = one.text ?? sum.text
      }
      sums[index] = sum
    }
    return sums
  }

  /// A sentence about refused input, as `nav node info` prints it.
  public static func text(of refused: WireRefusedInput) -> String {
    text(of: refused, vehicle: nil, Evidence())
  }

  private static func text(
    of refused: WireRefusedInput, vehicle: String?, _ evidence: Evidence
  ) -> String {
    let count = vehicle.flatMap { refused.byVehicle[$0] } ?? refused.count
    let isUnused = refused.text == nil
    var text = "\(count) \(count == 1 ? "message" : "messages") on \(refused.topic)"
    if let vehicle {
      text += " of \(vehicle)"
    } else if refused.vehicles > 1 {
      let names = refused.byVehicle.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
      let all = Int(refused.vehicles)
      let more = all > 3 ? " and \(all - 3) more" : ""
      text +=
        all > 3 ? " of \(names.prefix(3).joined(separator: ", "))\(more)" : " of \(listed(names))"
    } else if let only = refused.byVehicle.keys.first {
      text += " of \(only)"
    }
    text += count == 1 ? " was " : " were "
    text += isUnused ? "not used" : "refused"
    text += ", the last\(evidence.moment(refused.lastWallNs))"
    let meaning = refused.text ?? meanings[refused.reason]
    return "\(text): \(meaning.map { "\($0) (\(refused.reason))" } ?? refused.reason)"
  }
}

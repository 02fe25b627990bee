import Messages

/// Counts input that was refused or not used, by topic, reason and vehicle, for the status of the node.
struct RefusedInputs {
  private struct Key: Hashable {
    var topic: String
    var reason: String
  }

  private struct Entry {
    var count: UInt64 = 0
    var byVehicle: [String: UInt64] = [:]
    var firstNS: Int64
    var lastNS: Int64
    var text: String?
  }

  private static let mostEntries = 256
  private static let mostVehicles = 256
  private static let listedEntries = 32
  private static let listedVehicles = 32
  /// Nanoseconds after its last message for which a reason is listed.
  private static let recentNS: Int64 = 600_000_000_000

  private var entries: [Key: Entry] = [:]

  /// Records messages that were refused or not used; `wallNS` is the time of the machine's clock.
  mutating func record(
    _ topic: String, _ reason: String, vehicle: String?, text: String? = nil, count: Int = 1,
    wallNS: Int64
  ) {
    let key = Key(topic: topic, reason: reason)
    var entry: Entry
    if let known = entries.removeValue(forKey: key) {
      entry = known
    } else {
      if entries.count >= Self.mostEntries,
        let oldest = entries.min(by: { $0.value.lastNS < $1.value.lastNS })
      {
        entries[oldest.key] = nil
      }
      entry = Entry(firstNS: wallNS, lastNS: wallNS)
    }
    let amount = UInt64(max(0, count))
    entry.count += amount
    entry.lastNS = wallNS
    entry.text = text ?? entry.text
    if let vehicle, entry.byVehicle[vehicle] != nil || entry.byVehicle.count < Self.mostVehicles {
      entry.byVehicle[vehicle, default: 0] += amount
    }
    entries[key] = entry
  }

  /// Returns the reasons of the last ten minutes, the newest first.
  func recent(at wallNS: Int64) -> [WireRefusedInput] {
    guard !entries.isEmpty else { return [] }
    let recent = entries.filter { wallNS - $0.value.lastNS <= Self.recentNS }.sorted {
      ($1.value.lastNS, $0.key.topic, $0.key.reason) < (
        $0.value.lastNS, $1.key.topic, $1.key.reason
      )
    }
    return recent.prefix(Self.listedEntries).map { key, entry in
      var listed = entry.byVehicle
      if listed.count > Self.listedVehicles {
        let most = listed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        listed = Dictionary(
          most.prefix(Self.listedVehicles).map { ($0.key, $0.value) },
          uniquingKeysWith: { first, _ in first })
      }
      return WireRefusedInput(
        topic: key.topic, reason: key.reason, count: entry.count,
        vehicles: UInt64(entry.byVehicle.count), byVehicle: listed, firstWallNs: entry.firstNS,
        lastWallNs: entry.lastNS, text: entry.text)
    }
  }
}

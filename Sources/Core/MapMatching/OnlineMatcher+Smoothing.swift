import EventTime

// What is said of a fix once what came after it is known (MM-8).
extension OnlineMatcher {
  mutating func smooth(until now: Instant?) -> [Match] {
    var count = max(0, entries.count - max(1, tuning.lagFixes))
    if let now {
      while count < entries.count - 1,
        now.seconds(since: entries[count].time ?? now) >= tuning.lagS
      { count += 1 }
    }
    if tuning.lagFixes == .max { count = 0 }
    guard count > 0 else { return [] }
    let lastSerial = entries.prefix(count).last { $0.serial != nil }?.serial
    let decoded = lastSerial.map { trellis.decoded($0 - trellis.firstSerial + 1) } ?? []
    let smoothed = entries.prefix(count).map { settled($0, decoded) }
    entries.removeFirst(count)
    return smoothed
  }

  mutating func settleAll() {
    guard entries.contains(where: { $0.settled == nil }) else { return }
    explainSteps()
    let decoded = trellis.decoded(trellis.steps.count)
    for index in unsettled..<entries.count {
      entries[index].settled = settled(entries[index], decoded)
      entries[index].serial = nil
    }
    if !answersAtOnce { unsettled = entries.count }
  }

  func settled(
    _ entry: Entry, _ decoded: [(state: Int, probability: Double, offRoad: Double)]
  ) -> Match {
    if let settled = entry.settled { return settled }
    guard let serial = entry.serial, serial >= trellis.firstSerial,
      serial - trellis.firstSerial < decoded.count
    else { return Match(outcome: .noMatch(.outlier), fix: entry.fix) }
    let index = serial - trellis.firstSerial
    let (state, probability, offRoad) = decoded[index]
    let match = answer(
      step: index, state: state, probability: probability, offRoad: offRoad, fix: entry.fix,
      isTeleport: entry.isTeleport)
    return entry.isHeld ? Self.standing(match) : match
  }
}

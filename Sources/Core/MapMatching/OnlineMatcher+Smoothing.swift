import EventTime
import Positioning

// What is said of a fix once what came after it is known (MM-8).
extension OnlineMatcher {
  mutating func smooth(until now: Instant?) -> [Match] {
    var count = max(0, entries.count - max(1, tuning.lagFixes))
    if let now {
      while count < entries.count - 1,
        now.seconds(since: entries[count].fix.time ?? now) >= tuning.lagS
      { count += 1 }
    }
    if tuning.settlesWhereAgreed, let index = trellis.convergence(before: trellis.steps.count) {
      let agreed = trellis.firstSerial + index
      while count < entries.count, entries[count].isTold(by: agreed) { count += 1 }
    }
    guard count > 0 else { return [] }
    let lastSerial = entries.prefix(count).last { $0.serial != nil }?.serial
    let decoded = lastSerial.map { trellis.decoded($0 - trellis.firstSerial + 1) } ?? []
    var smoothed: [Match] = []
    settle(count, decoded, into: &smoothed)
    entries.removeFirst(count)
    if tuning.settlesWhereAgreed { learn(from: decoded) }
    return smoothed
  }

  /// Learns from the fixes that have their last word how far others of the same receiver are to be believed.
  private mutating func learn(from decoded: [Trellis.Decoded]) {
    let end = trellis.firstSerial + decoded.count
    let first = max(trellis.firstSerial, firstUnlearnt)
    guard first < end else { return }
    trellis.note(decoded[(first - trellis.firstSerial)...], in: &receiverError)
    firstUnlearnt = end
    trellis.believe(sigmaM: learntSigmaM)
  }

  /// The sigma of fixes that tell no accuracy, by what was learnt.
  var learntSigmaM: Double {
    receiverError.sigmaM(tuning, leastPairs: ReceiverError.leastPairsOnline)
  }

  /// Gives all fixes that wait their last word: what comes now says nothing of them.
  mutating func settleAll() {
    guard entries.contains(where: { $0.settled == nil }) else { return }
    explainSteps(entries.count)
    let decoded = trellis.decoded(trellis.steps.count, countsAlternatives: isWholeTrace)
    if isWholeTrace {
      settle(entries.count, decoded, into: &finished)
      entries.removeAll(keepingCapacity: true)
    } else {
      var matches: [Match] = []
      settle(entries.count, decoded, into: &matches)
      for (index, match) in matches.enumerated() { entries[index].word = .settled(match) }
    }
  }

  /// Adds the last word on the first `count` fixes that wait.
  func settle(_ count: Int, _ decoded: [Trellis.Decoded], into matches: inout [Match]) {
    if matches.isEmpty { matches.reserveCapacity(count) }
    var way: WayBetween?
    // Where the step that was answered last is, and one that was answered ahead of its turn: ways are dear.
    var step: (serial: Int, index: Int)?
    var ahead: (serial: Int, match: Match)?
    for entry in entries.prefix(count) {
      guard case .step(let serial) = entry.word else {
        matches.append(entry.settled ?? Match(outcome: .noMatch(.outlier), fix: entry.fix))
        continue
      }
      guard entry.part != .step else {
        var match =
          (ahead?.serial == serial ? ahead?.match : nil) ?? told(serial, decoded, entry)
        match.isTeleport = entry.isTeleport
        step = (serial, matches.count)
        matches.append(way?.arrived(match) ?? match)
        way = nil
        continue
      }
      // The step may have been answered before the others of these fixes came.
      let known = step?.serial == serial ? step.map { matches[$0.index] } : nil
      var match = known ?? told(serial, decoded, entry)
      if known == nil { step = (serial, matches.count) }
      match.fix = entry.fix
      match.isTeleport = false
      if let place = match.place {
        if entry.part == .between {
          if way == nil {
            ahead = next(behind: serial, decoded)
            way = WayBetween(
              from: place, since: trellis.time(of: serial),
              to: ahead?.match.place, slowestMps: tuning.standstillMps, network: network)
          }
          match.outcome = .matched(way?.take(entry.fix) ?? place)
        } else {
          match.outcome = .matched(way?.place ?? place)
          match = Self.standing(match)
        }
      }
      matches.append(match)
    }
  }

  /// What is known of the fix of the step behind `serial`, where that is known.
  private func next(
    behind serial: Int, _ decoded: [Trellis.Decoded]
  ) -> (serial: Int, match: Match)? {
    let index = serial + 1 - trellis.firstSerial
    guard decoded.indices.contains(index) else { return nil }
    let entry = Entry(
      fix: trellis.steps[index].fix, word: .step(serial + 1), isTeleport: false, part: .step)
    return (serial + 1, told(serial + 1, decoded, entry))
  }

  /// What the step of a fix tells of it.
  private func told(_ serial: Int, _ decoded: [Trellis.Decoded], _ entry: Entry) -> Match {
    let index = serial - trellis.firstSerial
    guard decoded.indices.contains(index) else {
      return Match(outcome: .noMatch(.outlier), fix: entry.fix)
    }
    let known = decoded[index]
    var match = answer(
      step: index, state: known.state, probability: known.probability, offRoad: known.offRoad,
      fix: entry.fix, isTeleport: entry.isTeleport)
    match.alternativeCount = known.alternatives
    return match
  }
}

extension OnlineMatcher.Entry {
  /// Whether all is known of the fix where the steps up to `serial` are: one between two steps needs both.
  fileprivate func isTold(by last: Int) -> Bool {
    guard let serial else { return true }
    return part == .between ? serial < last : serial <= last
  }
}

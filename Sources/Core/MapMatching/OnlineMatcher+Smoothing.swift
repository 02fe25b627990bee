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

  /// Learns from the fixes of a whole trace on which all likely ways agree.
  mutating func learnWhereAgreed() {
    guard let index = trellis.convergence(before: trellis.steps.count) else { return }
    learn(from: trellis.decoded(index + 1))
  }

  /// The sigma of fixes that tell no accuracy, by what was learnt.
  var learntSigmaM: Double { receiverError.sigmaM(tuning) }

  /// Gives all fixes that wait their last word: what comes now says nothing of them.
  mutating func settleAll() {
    guard entries.contains(where: { $0.settled == nil }) else { return }
    stepLast()
    explainSteps(entries.count)
    let decoded = trellis.decoded(trellis.steps.count, countsAlternatives: isWholeTrace)
    if isWholeTrace {
      finish(entries.count, decoded)
      entries.removeAll(keepingCapacity: true)
    } else {
      var matches: [Match] = []
      settle(entries.count, decoded, into: &matches)
      for (index, match) in matches.enumerated() { entries[index].word = .settled(match) }
    }
  }

  /// Makes the last fix a step of its own where it lies behind the newest: no other comes to say where its way leads.
  mutating func stepLast() {
    guard let index = entries.lastIndex(where: { $0.serial != nil }) else { return }
    let entry = entries[index]
    guard entry.part == .between, entry.serial == trellis.lastSerial, let time = entry.fix.time
    else { return }
    trellis.extend(with: entry.fix, at: time, elapsedS: lastElapsedS ?? 0, route: route)
    entries[index] = Entry(
      fix: entry.fix, word: .step(trellis.lastSerial), isTeleport: false, part: .step)
  }

  /// Gives the first `count` fixes of a whole trace that wait their last word.
  mutating func finish(_ count: Int, _ decoded: [Trellis.Decoded]) {
    // Taken out meanwhile: where the matcher holds it, too, all of it is copied each time.
    var matches: [Match] = []
    swap(&matches, &finished)
    settle(count, decoded, into: &matches)
    swap(&matches, &finished)
  }

  /// Adds the last word on the first `count` fixes that wait.
  func settle(_ count: Int, _ decoded: [Trellis.Decoded], into matches: inout [Match]) {
    if matches.isEmpty { matches.reserveCapacity(count) }
    let first = matches.count
    // The step that was answered last, and the first fix on the way from there to the next.
    var step: (serial: Int, index: Int)?
    var begun: Int?
    // Most ways are the road that the one before was, too: one list tells of all of them.
    var path: [TravelState] = []
    for index in 0..<count {
      guard case .step(let serial) = entries[index].word else {
        matches.append(
          entries[index].settled ?? Match(outcome: .noMatch(.outlier), fix: entries[index].fix))
        continue
      }
      let part = entries[index].part
      if part != .step, let step, step.serial == serial {
        matches.append(matches[step.index])
        matches[matches.count - 1].fix = entries[index].fix
        matches[matches.count - 1].isTeleport = false
      } else {
        // The step of a fix beside it may have been answered before that came.
        let last = step
        step = (serial, matches.count)
        matches.append(told(serial, decoded, entries[index].fix, &path))
        matches[matches.count - 1].isTeleport = part == .step && entries[index].isTeleport
        if let last, let from = begun {
          // It is known now where the way led to.
          put(
            from..<matches.count - 1, behind: last, to: matches[matches.count - 1].place,
            isArriving: true, first, &matches)
          begun = nil
        }
      }
      if part == .between {
        begun = begun ?? matches.count - 1
      } else if part == .held, begun == nil {
        matches[matches.count - 1].stand()
      }
    }
    guard let step, let begun else { return }
    put(
      begun..<matches.count, behind: step, to: next(behind: step.serial, decoded, &path)?.place,
      isArriving: false, first, &matches)
  }

  /// Puts some matches, which are those of their step as yet, on the way from there to `end`.
  ///
  /// `end` is that of the match behind them where it arrives there. The match at `first` is that of the first entry. Where the step is on
  /// no road they are, too.
  private func put(
    _ run: Range<Int>, behind step: (serial: Int, index: Int), to end: MatchedPlace?,
    isArriving: Bool, _ first: Int, _ matches: inout [Match]
  ) {
    guard let place = matches[step.index].place else { return }
    var way = WayBetween(
      from: place, since: trellis.time(of: step.serial), to: end,
      slowestMps: tuning.standstillMps, network: network)
    if way.beginsWithTurn {
      var between: [Fix] = []
      for index in run
      where entries[index - first].serial != nil && entries[index - first].part == .between {
        between.append(matches[index].fix)
      }
      way.lookForTurn(among: between)
    }
    for index in run where entries[index - first].serial != nil {
      let part = entries[index - first].part
      if part == .between { way.take(matches[index].fix) }
      matches[index].outcome = .matched(way.place)
      if part == .held { matches[index].stand() }
    }
    if isArriving { way.arrive(&matches[run.upperBound]) }
  }

  /// What is known of the fix of the step behind `serial`, where that is known.
  private func next(
    behind serial: Int, _ decoded: [Trellis.Decoded], _ path: inout [TravelState]
  ) -> Match? {
    let index = serial + 1 - trellis.firstSerial
    guard decoded.indices.contains(index) else { return nil }
    return told(serial + 1, decoded, trellis.steps[index].fix, &path)
  }

  /// What the step of a fix tells of it; `path` is the way told last, and becomes that to this one.
  @inline(__always) private func told(
    _ serial: Int, _ decoded: [Trellis.Decoded], _ fix: Fix, _ path: inout [TravelState]
  ) -> Match {
    let index = serial - trellis.firstSerial
    guard decoded.indices.contains(index) else {
      return Match(outcome: .noMatch(.outlier), fix: fix)
    }
    let known = decoded[index]
    path = trellis.path(to: known.state, at: index, after: path)
    var match = answer(
      step: index, state: known.state, path: path, probability: known.probability,
      offRoad: known.offRoad, fix: fix, isTeleport: false)
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

import Foundations
import Positioning

// Smoothed answers, given once later fixes are known (MM-8).
extension OnlineMatcher {
  mutating func smooth(until now: Instant?) -> [Match] {
    var count = max(0, entries.count - max(1, tuning.lagFixes))
    if let now {
      while count < entries.count - 1,
        now.seconds(since: entries[count].fix.time ?? now) >= tuning.lagS
      { count += 1 }
    }
    if tuning.answersAtConvergence, let index = trellis.convergence(before: trellis.steps.count) {
      let agreed = trellis.firstSerial + index
      while count < entries.count, entries[count].isReported(by: agreed) { count += 1 }
    }
    guard count > 0 else { return [] }
    let lastSerial = entries.prefix(count).last { $0.serial != nil }?.serial
    let decoded = lastSerial.map { trellis.decoded($0 - trellis.firstSerial + 1) } ?? []
    var smoothed: [Match] = []
    appendFinal(count, decoded, into: &smoothed)
    entries.removeFirst(count)
    if tuning.answersAtConvergence { learn(from: decoded) }
    return smoothed
  }

  /// Updates the error estimate of the receiver with fixes whose smoothed answers are final.
  private mutating func learn(from decoded: [Trellis.Decoded]) {
    let end = trellis.firstSerial + decoded.count
    let first = max(trellis.firstSerial, errors.firstUnlearnt)
    guard first < end else { return }
    trellis.update(decoded[(first - trellis.firstSerial)...], in: &errors.receiver)
    errors.firstUnlearnt = end
    trellis.applyNoiseEstimate(sigmaM: learntSigmaM)
  }

  /// Updates the error estimate with the fixes of a whole trace on which all likely paths agree.
  mutating func learnFromConvergedSteps() {
    guard let index = trellis.convergence(before: trellis.steps.count) else { return }
    learn(from: trellis.decoded(index + 1))
  }

  /// The estimated standard deviation of fixes without a reported accuracy.
  var learntSigmaM: Double { errors.receiver.sigmaM(tuning) }

  /// Makes the answers of all waiting fixes final: later fixes carry no information about them.
  mutating func finalizeAll() {
    guard entries.contains(where: { $0.finalMatch == nil }) else { return }
    stepLast()
    explainSteps(entries.count)
    let decoded = trellis.decoded(trellis.steps.count, countsAlternatives: wholeTrace.isActive)
    if wholeTrace.isActive {
      finish(entries.count, decoded)
      entries.removeAll(keepingCapacity: true)
    } else {
      var matches: [Match] = []
      appendFinal(entries.count, decoded, into: &matches)
      for (index, match) in matches.enumerated() { entries[index].resolution = .answered(match) }
    }
  }

  /// Makes the last fix a step of its own if it lies after the newest step: no later fix shows
  /// where its path leads.
  mutating func stepLast() {
    guard let index = entries.lastIndex(where: { $0.serial != nil }) else { return }
    let entry = entries[index]
    guard entry.part == .between, entry.serial == trellis.lastSerial, let time = entry.fix.time
    else { return }
    trellis.extend(with: entry.fix, at: time, elapsedS: lastElapsedS ?? 0, route: route)
    entries[index] = Entry(
      fix: entry.fix, resolution: .step(trellis.lastSerial), isTeleport: false, part: .step)
  }

  /// Makes the answers of the first `count` waiting fixes of a whole trace final.
  mutating func finish(_ count: Int, _ decoded: [Trellis.Decoded]) {
    // Swapped out meanwhile: as long as the matcher also holds the array, each write would copy it.
    var matches: [Match] = []
    swap(&matches, &wholeTrace.finished)
    appendFinal(count, decoded, into: &matches)
    swap(&matches, &wholeTrace.finished)
  }

  /// Appends the final answers of the first `count` waiting fixes.
  func appendFinal(_ count: Int, _ decoded: [Trellis.Decoded], into matches: inout [Match]) {
    if matches.isEmpty { matches.reserveCapacity(count) }
    let first = matches.count
    // The step answered last, and the first fix on the path from there to the next.
    var step: (serial: Int, index: Int)?
    var begun: Int?
    // Most paths consist of the same road as the one before: they share one array.
    var path: [TravelState] = []
    for index in 0..<count {
      guard case .step(let serial) = entries[index].resolution else {
        matches.append(
          entries[index].finalMatch ?? Match(outcome: .noMatch(.outlier), fix: entries[index].fix))
        continue
      }
      let part = entries[index].part
      if part != .step, let step, step.serial == serial {
        matches.append(matches[step.index])
        matches[matches.count - 1].fix = entries[index].fix
        matches[matches.count - 1].isTeleport = false
      } else {
        // The step of a fix next to it may have been answered before it arrived.
        let last = step
        step = (serial, matches.count)
        matches.append(reported(serial, decoded, entries[index].fix, &path))
        matches[matches.count - 1].isTeleport = part == .step && entries[index].isTeleport
        if let last, let from = begun {
          // The end of the path is known now.
          put(
            from..<matches.count - 1, behind: last, to: matches[matches.count - 1].place,
            isArriving: true, first, &matches)
          begun = nil
        }
      }
      if part == .between {
        begun = begun ?? matches.count - 1
      } else if part == .stationary, begun == nil {
        matches[matches.count - 1].stand()
      }
    }
    guard let step, let begun else { return }
    put(
      begun..<matches.count, behind: step, to: next(behind: step.serial, decoded, &path)?.place,
      isArriving: false, first, &matches)
  }

  /// Moves some matches, which so far are those of their step, onto the path from there to `end`.
  ///
  /// `end` is the place of the following match if the path arrives there. The match at `first`
  /// belongs to the first entry. If the step is off-road, the matches are off-road, too.
  private func put(
    _ run: Range<Int>, behind step: (serial: Int, index: Int), to end: MatchedPlace?,
    isArriving: Bool, _ first: Int, _ matches: inout [Match]
  ) {
    guard let place = matches[step.index].place else { return }
    var way = PathInterpolation(
      from: place, since: trellis.time(of: step.serial), to: end,
      slowestMps: tuning.stationaryMps, network: network)
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
      if part == .between { way.advance(matches[index].fix) }
      matches[index].outcome = .matched(way.place)
      if part == .stationary { matches[index].stand() }
    }
    if isArriving { way.arrive(&matches[run.upperBound]) }
  }

  /// Returns the match of the step after `serial`, if it is known.
  private func next(
    behind serial: Int, _ decoded: [Trellis.Decoded], _ path: inout [TravelState]
  ) -> Match? {
    let index = serial + 1 - trellis.firstSerial
    guard decoded.indices.contains(index) else { return nil }
    return reported(serial + 1, decoded, trellis.steps[index].fix, &path)
  }

  /// Returns the match of the step of a fix; `path` is the last reported path and becomes the path
  /// to this step.
  @inline(__always) private func reported(
    _ serial: Int, _ decoded: [Trellis.Decoded], _ fix: Fix, _ path: inout [TravelState]
  ) -> Match {
    let index = serial - trellis.firstSerial
    guard decoded.indices.contains(index) else {
      return Match(outcome: .noMatch(.outlier), fix: fix)
    }
    let known = decoded[index]
    path = trellis.path(to: known.state, at: index, after: path)
    var match = makeMatch(
      step: index, state: known.state, path: path, probability: known.probability,
      offRoad: known.offRoad, fix: fix, isTeleport: false)
    match.alternativeCount = known.alternatives
    return match
  }
}

extension OnlineMatcher.Entry {
  /// Whether the final answer of the fix is known once the steps up to `serial` are: a fix between
  /// two steps needs both.
  fileprivate func isReported(by last: Int) -> Bool {
    guard let serial else { return true }
    return part == .between ? serial < last : serial <= last
  }
}

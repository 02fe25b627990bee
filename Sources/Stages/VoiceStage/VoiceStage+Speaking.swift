import Foundations
import Messages
import Speech
import Stage

extension VoiceStage {
  /// Requests `phrase` from the arbiter.
  mutating func ask(
    _ occasion: AnnouncementContext, key: String, subject: String? = nil, _ phrase: Phrase,
    lifeS: Double? = nil
  ) -> [StageOutput] {
    var phrase = phrase
    let waitS = waitS(occasion, phrase)
    if waitS > 0, case .warner(let warner, let inM?) = phrase {
      phrase = .warner(warner, inM: max(0, inM - waitS * timing.drivenMps))
    }
    let text = text(phrase)
    let announcement = Announcement(
      id: nextID, key: key, subject: subject, repetition: occasion.kind.repetition, phrase: phrase,
      priority: occasion.kind.priority, text: text,
      notBefore: waitS > 0 ? now.advanced(bySeconds: waitS) : nil,
      expires: now.advanced(bySeconds: waitS + (lifeS ?? occasion.kind.lifeS)),
      durationS: durationS(text) + settings.timing.latencyS)
    nextID += 1
    occasions[announcement.id] = occasion
    return perform(arbiter.handle(.requested(announcement, at: now)))
  }

  /// Distance below which a warning does not wait, metres.
  private static let nearWarningM = 100.0

  /// Seconds to wait for an action announcement that would interrupt this one; 0 if none would.
  private func waitS(_ occasion: AnnouncementContext, _ phrase: Phrase) -> Double {
    guard occasion.kind.mayWait, let action = timing.nextAction(at: now),
      action.inS < durationS(text(phrase)) + settings.timing.latencyS
    else { return 0 }
    let waitS = action.inS + action.lastsS + settings.timing.latencyS + settings.arbiter.gapS
    if case .warner(_, let inM) = phrase {
      // A warning of something near is spoken now, even if it will be interrupted.
      guard let inM, inM - waitS * timing.drivenMps >= Self.nearWarningM else { return 0 }
    }
    return waitS
  }

  /// Performs the decisions of the arbiter.
  mutating func perform(_ outputs: [Arbiter.Output]) -> [StageOutput] {
    var performed: [StageOutput] = []
    wakes[.arbiter] = nil
    var interrupts = false
    for output in outputs {
      switch output {
      case .say(let announcement):
        performed += say(announcement, interrupts: interrupts)
      case .stop: interrupts = true
      case .ended(let announcement, let outcome, let isReported):
        performed += close(announcement, outcome, isReported: isReported)
      case .dropped(let announcement, let reason):
        occasions[announcement.id] = nil
        performed.append(.count("dropped_\(reason.rawValue)", 1))
        performed.append(.log(.debug, "not spoken (\(reason.rawValue)): \(announcement.text)"))
      case .wake(let at): wakes[.arbiter] = at
      }
    }
    return performed
  }

  /// Publishes an announcement, with the current distance to its maneuver.
  private mutating func say(_ announcement: Announcement, interrupts: Bool) -> [StageOutput] {
    let occasion =
      occasions.removeValue(forKey: announcement.id)
      ?? AnnouncementContext(.repetition, rule: "on request")
    var phrase = announcement.phrase
    var distanceM: Double?
    if let about = occasion.maneuver, let route, about.routeID == route.id,
      route.maneuvers.indices.contains(about.index)
    {
      let key = route.maneuvers[about.index].key
      distanceM = timing.distanceM(to: key, at: now)
      let saidM = timing.spokenM(to: key, at: now, sentenceS: durationS(announcement.text))
      if let saidM {
        phrase = phrase.rewritten(
          inM: saidM, spoken(route.maneuvers[about.index].words(atM: saidM)))
      }
    }
    if occasion.kind == .locationLost { signal.isLossSaid = true }
    let utterance = words(phrase)
    sent = sent.suffix(7) + [Sent(key: announcement.key, characters: utterance.text.count)]
    let spoken = AnnouncementWire(
      announcement: announcement, occasion: occasion, utterance: utterance,
      interrupts: interrupts, distanceM: distanceM,
      timeS: distanceM.flatMap { timing.timeS(over: $0) }, durationS: durationS(utterance.text))
    return [
      .publish(
        .voiceAnnouncement(spoken.message), stamp: now,
        ttlMS: UInt32(max(1, min(60_000, announcement.expires.seconds(since: now) * 1000))),
        cause: causeOfWake),
      .count("said", 1),
    ]
  }

  /// Reports how an announcement ended if there is no sink to report it.
  private mutating func close(
    _ announcement: Announcement, _ outcome: SpokenOutcome, isReported: Bool
  ) -> [StageOutput] {
    if isReported { return [] }
    guard settings.arbiter.hasSink else {
      return [
        .publish(
          .voiceSpoken(
            SpokenWire.message(announcement, outcome, latencyS: settings.timing.latencyS)),
          stamp: now)
      ]
    }
    return outcome == .interrupted ? [] : [.count("unreported", 1)]
  }

  /// Processes a sink's report: its measurement replaces the estimate, and the next announcement
  /// may start.
  mutating func ingest(
    _ key: String, _ outcome: VoiceInput.SinkOutcome, _ durationS: Double?, _ sink: String?
  ) -> [StageOutput] {
    if sink == SpokenWire.noSink { return [] }
    if let durationS, outcome == .spoken || outcome == .written,
      let spoken = sent.last(where: { $0.key == key })
    {
      estimate.learn(characters: spoken.characters, durationS: durationS)
      sentenceS = [:]
    }
    guard let speaking = arbiter.speaking, speaking.key == key else { return [] }
    switch outcome {
    case .spoken: return perform(arbiter.handle(.spoken(id: speaking.id, .completed, at: now)))
    case .interrupted:
      return perform(arbiter.handle(.spoken(id: speaking.id, .interrupted, at: now)))
    case .written, .failed:
      let takesS = (durationS ?? 0) > 0 && outcome == .written ? durationS : nil
      let lastsS = takesS.map { $0 + settings.timing.latencyS } ?? speaking.durationS
      return perform(arbiter.handle(.timed(id: speaking.id, durationS: lastsS, at: now)))
    }
  }

  /// Answers a call to repeat: the next maneuver with its current distance, otherwise the last
  /// announcement.
  mutating func serve(_ request: CallRequest) -> [StageOutput] {
    guard case .voiceRepeat = request.value else {
      return [
        .reply(
          callID: request.id,
          outcome: .failed(
            CallError(code: "no_such_service", message: "voice does not serve \(request.name)")))
      ]
    }
    guard let (occasion, phrase) = repetition() else {
      let error = CallError(
        code: "nothing_to_repeat", message: "no announcement is still valid")
      return [.reply(callID: request.id, outcome: .failed(error))]
    }
    let text = text(phrase)
    let announcement = Announcement(
      id: nextID, key: "repeat/\(now.nanoseconds)/\(nextID)", phrase: phrase, priority: .urgent,
      text: text, expires: now.advanced(bySeconds: occasion.kind.lifeS),
      durationS: durationS(text) + settings.timing.latencyS)
    nextID += 1
    occasions[announcement.id] = occasion
    let reply = StageOutput.reply(
      callID: request.id, outcome: .ok(.voiceRepeat(VoiceRepeatReply(text: text))))
    return [reply] + perform(arbiter.handle(.repeated(announcement, at: now)))
  }

  private func repetition() -> (AnnouncementContext, Phrase)? {
    if let route, let (index, distanceM) = nextManeuver(), distanceM > 0,
      let phrase = maneuverPhrase(index, joinedTo: nil, .full, inM: distanceM)
    {
      let about = AnnouncementContext.AboutManeuver(
        routeID: route.id, index: index, wording: .full, joinedIndex: nil)
      return (AnnouncementContext(.repetition, maneuver: about, rule: "on request"), phrase)
    }
    // Without a route nothing about one is valid any more.
    return arbiter.last.flatMap { route == nil && $0.phrase.isAboutRoute ? nil : $0 }.map {
      (AnnouncementContext(.repetition, rule: "on request"), $0.phrase)
    }
  }

  private func nextManeuver() -> (index: Int, distanceM: Double)? {
    guard let route else { return nil }
    for (index, maneuver) in route.maneuvers.enumerated() {
      if let distanceM = timing.distanceM(to: maneuver.key, at: now) { return (index, distanceM) }
    }
    return nil
  }

  func words(_ phrase: Phrase) -> Utterance {
    settings.language.utterance(for: phrase, units: settings.units)
  }

  /// Returns the phrase as plain text, without markup.
  func text(_ phrase: Phrase) -> String {
    settings.language.text(for: phrase, units: settings.units)
  }

  /// Returns the seconds to speak `text`, measured or estimated.
  func durationS(_ text: String) -> Double { estimate.durationS(characters: text.count) }
}

extension Phrase {
  /// Returns the phrase for another distance (metres), with the maneuver's words for that distance.
  ///
  /// A phrase without a distance is returned unchanged.
  func rewritten(inM newM: Double, _ first: SpokenManeuver) -> Phrase {
    switch self {
    case .maneuver(_, let wording, _): return .maneuver(first, wording, inM: newM)
    case .doubleManeuver(_, let second, let wording, _):
      return .doubleManeuver(first, then: second, wording, inM: newM)
    case .follow(let road, _, let second, _):
      return .follow(on: road, then: first, second: second, inM: newM)
    case .continueFor(_, let road, let next):
      return .continueFor(lengthM: newM, on: road, then: next)
    default: return self
    }
  }
}

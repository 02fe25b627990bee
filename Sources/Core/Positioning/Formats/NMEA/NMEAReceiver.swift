public import Foundations
import RealModule

/// Converts the sentences of an NMEA 0183 receiver to fixes.
///
/// The sentences of one time of day form one fix. It is returned after the sentence type that
/// completed the previous fix, so that it is not delayed until the next second. The first fix is
/// returned when the time changes.
public struct NMEAReceiver: Sendable {
  /// Counts of what was read, by kind.
  public struct Counts: Hashable, Sendable {
    public var sentences = 0
    public var fixes = 0
    /// Epochs without a position.
    public var withoutPosition = 0
    public var notUnderstood = 0
    public var wrongChecksum = 0
    public var noChecksum = 0
  }

  private var splitter: NMEASplitter
  private var epoch = NMEAEpoch()
  private var clock: NMEAClock
  /// The sentence that completed the previous fix.
  private var last: String?
  private var newest: String?
  private var isGiven = false
  public private(set) var counts = Counts()

  /// Creates a receiver; fixes before the first date are assigned to the day of `day`.
  public init(day: Instant?, options: NMEAOptions = NMEAOptions()) {
    splitter = NMEASplitter(requiresChecksum: options.requiresChecksum)
    clock = NMEAClock(day: day, addedS: options.addedS)
  }

  /// Processes bytes and returns the fixes that they complete.
  public mutating func process(_ bytes: some Sequence<UInt8>) -> [Fix] {
    splitter.process(bytes).compactMap { process($0) }
  }

  /// The last fix at the end of the bytes.
  public mutating func finish() -> [Fix] {
    var fixes = splitter.finish().compactMap { process($0) }
    if let fix = end() { fixes.append(fix) }
    return fixes
  }

  private mutating func process(_ read: Result<NMEASentence, NMEASentence.Fault>) -> Fix? {
    switch read {
    case .failure(.wrongChecksum): counts.wrongChecksum += 1
    case .failure(.noChecksum): counts.noChecksum += 1
    case .failure(.notASentence): counts.notUnderstood += 1
    case .success(let sentence):
      counts.sentences += 1
      return process(sentence)
    }
    return nil
  }

  private mutating func process(_ sentence: NMEASentence) -> Fix? {
    guard let part = NMEAPart(sentence) else { return nil }
    var fix: Fix?
    if let time = part.timeOfDayS, let own = epoch.timeOfDayS, time != own {
      last = newest
      fix = end()
      epoch = NMEAEpoch()
      isGiven = false
    }
    epoch.add(part, talker: sentence.talker)
    newest = sentence.talker + sentence.kind
    if !isGiven, newest == last, epoch.timeOfDayS != nil {
      // A receiver returns one fix for one time: earlier sentences of this epoch were already
      // returned.
      fix = fix ?? end()
    } else if isGiven, newest != last {
      // More sentences follow than in the previous epoch: wait for them from now on.
      last = newest
    }
    return fix
  }

  private mutating func end() -> Fix? {
    guard !isGiven, epoch.timeOfDayS != nil else { return nil }
    isGiven = true
    let time = clock.instant(of: epoch)
    guard var fix = epoch.fix else {
      counts.withoutPosition += 1
      return nil
    }
    fix.time = time
    counts.fixes += 1
    return fix
  }
}

/// Converts days and times of day to moments, across midnight.
struct NMEAClock: Hashable, Sendable {
  /// Seconds since 1970 at which the day began; nil if no date is known.
  private var dayS: Double?
  private var isReported = false
  private var lastTimeOfDayS: Double?

  /// Seconds added to each date.
  private let addedS: Double

  init(day: Instant?, addedS: Double = 0) {
    self.addedS = addedS
    dayS = day.map { ($0.seconds / 86_400).rounded(.down) * 86_400 }
  }

  mutating func instant(of epoch: NMEAEpoch) -> Instant? {
    guard let time = epoch.timeOfDayS else { return nil }
    if let date = epoch.dateS {
      dayS = date + addedS
      isReported = true
    } else if let last = lastTimeOfDayS, last - time > 43_200 {
      dayS = dayS.map { $0 + 86_400 }
    }
    lastTimeOfDayS = time
    return dayS.map { Instant(seconds: $0 + time) }
  }
}

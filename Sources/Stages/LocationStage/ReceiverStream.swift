public import Foundations
public import Messages
public import Positioning

/// Converts the bytes of one receiver, in any protocol, to messages of `location/raw`.
public struct ReceiverStream: Sendable {
  private enum ReceiverProtocol: Sendable {
    case nmea(NMEAReceiver)
    case gpsd(GPSDSession)
  }

  private let address: ReceiverAddress
  private let today: Instant
  /// Number of week-number rollovers missing from the receiver's dates.
  private var rollovers = 0
  private var speech: ReceiverProtocol

  /// Creates a new stream; `today` is the date of fixes whose receiver reports none.
  public init(_ address: ReceiverAddress, today: Instant, nmea: NMEAOptions = NMEAOptions()) {
    self.address = address
    self.today = today
    if case .gpsd = address.link {
      speech = .gpsd(GPSDSession())
    } else {
      speech = .nmea(NMEAReceiver(day: today, options: nmea))
    }
  }

  /// Processes bytes and returns the completed fixes, ready to be published.
  public mutating func process(
    _ bytes: some Sequence<UInt8>
  ) -> [(time: Instant?, message: LocationRaw)] {
    let fixes: [Fix]
    switch speech {
    case .nmea(var receiver):
      fixes = receiver.process(bytes)
      speech = .nmea(receiver)
    case .gpsd(var session):
      fixes = session.process(bytes)
      speech = .gpsd(session)
    }
    if let time = fixes.last?.time {
      rollovers = NMEAOptions.rollovers(from: time, to: today)
    }
    return fixes.map { fix in
      (fix.time, Wire.raw(fix, provider: address.text, priority: address.priority))
    }
  }

  /// The problem with the receiver's data, as a sentence; nil for none.
  public var complaint: String? {
    if case .gpsd(let session) = speech, let why = session.complaint {
      return "\(address.text): \(why)"
    }
    if case .nmea(let receiver) = speech, let why = Self.complaint(receiver.counts) {
      return "\(address.text): \(why)"
    }
    guard rollovers > 0 else { return nil }
    let weeks = rollovers * NMEAOptions.rolloverWeeks
    return
      "\(address.text): its dates are \(weeks) weeks too early, because its week number has rolled over; "
      + "nmea_add_weeks: \(weeks) corrects them"
  }

  /// Returns the problem where many sentences arrived and none can be read; otherwise nil.
  private static func complaint(_ counts: NMEAReceiver.Counts) -> String? {
    guard counts.sentences == 0 else { return nil }
    if counts.noChecksum >= 10, counts.noChecksum > counts.wrongChecksum {
      return
        "received \(counts.noChecksum) sentences, all without a checksum; nmea_checksum: optional reads them"
    }
    guard counts.wrongChecksum >= 10 else { return nil }
    return "received \(counts.wrongChecksum) sentences, all with a wrong checksum"
  }

  /// Figures for the node's status since the start, by name.
  public var counts: [String: Int] {
    switch speech {
    case .nmea(let receiver):
      let counts = receiver.counts
      return [
        "fixes": counts.fixes, "sentences": counts.sentences,
        "wrong_checksum": counts.wrongChecksum, "no_checksum": counts.noChecksum,
        "without_position": counts.withoutPosition, "not_understood": counts.notUnderstood,
      ]
    case .gpsd(let session):
      let counts = session.counts
      return [
        "fixes": counts.fixes, "reports": counts.reports,
        "without_position": counts.withoutPosition, "not_understood": counts.notUnderstood,
      ]
    }
  }
}

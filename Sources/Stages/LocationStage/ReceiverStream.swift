public import EventTime
import Messages
import Positioning

/// The bytes of one receiver, whatever it speaks, to payloads of `location/raw`.
public struct ReceiverStream: Sendable {
  private enum Speech: Sendable {
    case nmea(NMEAReceiver)
    case gpsd(GPSDSession)
  }

  private let address: ReceiverAddress
  private var speech: Speech

  /// A stream that begins; `today` dates fixes of a receiver that tells no date.
  public init(_ address: ReceiverAddress, today: Instant) {
    self.address = address
    if case .gpsd = address.link {
      speech = .gpsd(GPSDSession())
    } else {
      speech = .nmea(NMEAReceiver(day: today))
    }
  }

  /// Takes bytes, and gives the fixes that they end, ready to be published.
  public mutating func take(
    _ bytes: some Sequence<UInt8>
  ) -> [(time: Instant?, payload: [UInt8])] {
    let fixes: [Fix]
    switch speech {
    case .nmea(var receiver):
      fixes = receiver.take(bytes)
      speech = .nmea(receiver)
    case .gpsd(var session):
      fixes = session.take(bytes)
      speech = .gpsd(session)
    }
    return fixes.map { fix in
      (fix.time, Wire.raw(fix, provider: address.text, priority: address.priority))
    }
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

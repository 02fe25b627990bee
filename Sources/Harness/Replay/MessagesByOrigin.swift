import BusProtocol
import Stage

/// The messages of a recording by their origin, for journals that refer to them.
///
/// Recorded messages of live stages are replaced by the current ones.
struct MessagesByOrigin {
  private struct Place: Hashable {
    var topic: String
    var source: String
    var run: UInt64
    var sequence: UInt64
  }

  private struct Heard {
    var frame: Frame
    /// Index of the message in its topic, from 0, for a live stage; nil for others.
    var number: Int?
  }

  /// Maximum number of stored messages: a node reads recent messages or a last value.
  private static let maximum = 200_000
  private var frames: [Place: Heard] = [:]
  /// The same in order, for removal; the newest value of a key is not included.
  private var order: [Place] = []
  private var forgotten = 0
  private var newest: [String: Place] = [:]
  private var counts: [String: Int] = [:]
  private var said: [String: [Frame]] = [:]

  mutating func ingest(_ frame: Frame, ofLive isLive: Bool) {
    let header = frame.header
    let place = Place(
      topic: frame.topic, source: header.source, run: header.run, sequence: header.sequence)
    guard frames[place] == nil else { return }
    var number: Int?
    if isLive, !header.isLatched {
      number = counts[frame.topic, default: 0]
      counts[frame.topic] = (number ?? 0) + 1
    }
    frames[place] = Heard(frame: frame, number: number)
    if let old = newest.updateValue(place, forKey: "\(frame.topic) \(header.key ?? "")") {
      order.append(old)
    }
    forget()
  }

  private mutating func forget() {
    while order.count - forgotten > Self.maximum {
      frames[order[forgotten]] = nil
      forgotten += 1
    }
    guard forgotten > Self.maximum else { return }
    order.removeFirst(forgotten)
    forgotten = 0
  }

  mutating func say(_ frame: Frame) { said[frame.topic, default: []].append(frame) }

  /// Forgets current messages of a live stage beyond those that the recording has of the topic.
  mutating func dropUnrecorded(_ topic: String) {
    let heard = counts[topic, default: 0]
    guard let now = said[topic], now.count > heard else { return }
    said[topic] = Array(now.prefix(heard))
  }

  /// Number of current messages of live stages on a topic.
  func outputCount(_ topic: String) -> UInt64 { UInt64(said[topic]?.count ?? 0) }

  /// The message that a stage of `vehicle` read; nil if the recording does not contain it.
  func frame(of message: EncodedMessage, vehicle: String) -> Frame? {
    for topic in ["\(vehicle)/\(message.topic)", message.topic] {
      let place = Place(
        topic: topic, source: message.source, run: message.run, sequence: message.sequence)
      guard let heard = frames[place] else { continue }
      if let number = heard.number, let now = said[topic], number < now.count {
        return now[number]
      }
      return heard.frame
    }
    return nil
  }
}

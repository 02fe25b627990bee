import Messages
import Stage

/// A node's promises for its topics: the maximum event time from one message to the next.
///
/// The source of a stream knows its sampling interval, a recording even its gaps. A topic with one
/// message per message of an input has that input's interval; Protocols/ declares this with
/// `follows`.
struct PromisedIntervals {
  private let followers: [String: [String]]
  /// By vehicle and topic.
  private var nextMS: [String: [String: UInt32]] = [:]

  init(outputs: [String], _ wiring: Wiring = Wiring()) {
    var followers: [String: [String]] = [:]
    for topic in outputs {
      guard let input = Topics.declaration(of: wiring.inStage(topic))?.follows else { continue }
      followers[wiring.onBus(input), default: []].append(topic)
    }
    self.followers = followers
  }

  /// Sets the stage's promise; nil leaves it to the topic's declaration.
  mutating func set(_ topic: String, vehicle: String, nextS: Double?) {
    nextMS[vehicle, default: [:]][topic] = nextS.map {
      UInt32(max(0, min($0 * 1_000, Double(UInt32.max))))
    }
  }

  /// Copies the promise of an input.
  mutating func follow(_ input: String, vehicle: String, nextMS: UInt32?) {
    for topic in followers[input] ?? [] {
      self.nextMS[vehicle, default: [:]][topic] = nextMS
    }
  }

  /// The current promises of a vehicle: milliseconds by topic.
  func all(of vehicle: String) -> [String: UInt64] {
    nextMS[vehicle]?.mapValues(UInt64.init) ?? [:]
  }

  /// The promise for the header of a message on `topic`; nil for none.
  func next(_ topic: String, vehicle: String) -> UInt32? {
    nextMS[vehicle]?[topic]
  }

  mutating func forget(_ vehicle: String) { nextMS[vehicle] = nil }
}

import Messages

/// What a node promises of its topics: when the message after the next one comes, in event time.
///
/// The source of a stream knows its pace, a recording even its gaps. What is made of each message of
/// an input has that input's pace; Protocols/ says so with `follows`.
struct Promises {
  private struct Place: Hashable {
    var topic: String
    var vehicle: String
  }

  private let followers: [String: [String]]
  private var nextMS: [Place: UInt32] = [:]

  init(outputs: [String]) {
    var followers: [String: [String]] = [:]
    for topic in outputs {
      guard let input = Topics.declaration(of: topic)?.follows else { continue }
      followers[input, default: []].append(topic)
    }
    self.followers = followers
  }

  /// Takes what the stage says; nil leaves it to the topic's page.
  mutating func set(_ topic: String, vehicle: String, nextS: Double?) {
    nextMS[Place(topic: topic, vehicle: vehicle)] = nextS.map {
      UInt32(max(0, min($0 * 1_000, Double(UInt32.max))))
    }
  }

  /// Takes over the pace of an input.
  mutating func follow(_ input: String, vehicle: String, nextMS: UInt32?) {
    for topic in followers[input] ?? [] {
      self.nextMS[Place(topic: topic, vehicle: vehicle)] = nextMS
    }
  }

  /// All that is promised now: milliseconds by vehicle and topic.
  var all: [String: [String: UInt64]] {
    nextMS.reduce(into: [:]) { $0[$1.key.vehicle, default: [:]][$1.key.topic] = UInt64($1.value) }
  }

  /// What the header of a message on `topic` says; nil for nothing.
  func next(_ topic: String, vehicle: String) -> UInt32? {
    nextMS.isEmpty ? nil : nextMS[Place(topic: topic, vehicle: vehicle)]
  }
}

import EventTime

/// What the harnesses know of the contract in Protocols/.
enum Contract {
  static let clockTopic = "_clock"

  static func schema(ofTopic topic: String) -> String {
    String(topic.map { $0 == "/" ? "_" : $0 }) + "/1.0"
  }

  static func isState(_ topic: String) -> Bool { false }

  static func clockPayload(now: Instant, rate: Double, isPaused: Bool, run: UInt64) -> [UInt8] {
    []
  }
}

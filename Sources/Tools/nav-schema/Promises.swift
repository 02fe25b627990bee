extension DeliveryClass {
  /// The guarantees for a reader, with the counters of its status that prove them.
  var promise: String {
    switch self {
    case .stream:
      "the newest message wins, in order, without duplicates. Messages that a reader missed "
        + "(`lost`) or was too slow for (`queue_drops`) are counted exactly."
    case .state:
      "each key eventually has its last value, deletions included, and never an older value after "
        + "a newer one. A late joiner receives it before any live message; a new broker receives "
        + "it from the writer. Skipped values are counted (`lost`)."
    case .event:
      "each message exactly once and in order while an outage is shorter than the broker's ring "
        + "(30 s and 64 MiB unless the stack sets other limits); missed messages are refilled "
        + "(`refilled`). A longer outage is counted (`lost`) and logged with its topic."
    }
  }
}

extension Topic {
  /// The guarantee of its class, as it applies to this topic.
  var promise: String {
    let queue =
      isSeenOneByOne
      ? " Up to 1,000 messages wait for a slow reader, so that it receives each of them." : ""
    return deliveryClass.promise + queue
  }
}

extension Call {
  static let promise =
    "exactly one end, a reply or an error, before the caller's deadline, regardless of failures of "
    + "server, broker or network. A repeated `id` within 60 s is not executed again and gets the "
    + "same reply. A reply after the end is dropped and counted (`late`)."
}

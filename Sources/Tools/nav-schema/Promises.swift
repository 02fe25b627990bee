extension DeliveryClass {
  /// The guarantees for a reader, with the counters of its status that prove them.
  var promise: String {
    switch self {
    case .stream:
      "newest wins, in order, never twice. What a reader missed on the way (`lost`) or was too slow "
        + "for (`queue_drops`) is counted, to the message."
    case .state:
      "eventually the last value of each key, deletions too, and never an older one after a newer "
        + "one. A late joiner gets it before anything live; a broker that is new gets it from the "
        + "writer. Values passed over on the way are counted (`lost`)."
    case .event:
      "each one, once, in order, while an outage is shorter than the broker's ring (30 s and 64 MiB "
        + "unless the stack says otherwise); what was missed is got back (`refilled`). A longer one "
        + "is counted (`lost`) and logged with its topic."
    }
  }
}

extension Topic {
  /// The guarantee of its class, as it applies to this topic.
  var promise: String {
    let queue =
      isSeenOneByOne ? " Up to 1,000 wait for a slow reader, so that it sees each." : ""
    return deliveryClass.promise + queue
  }
}

extension Call {
  static let promise =
    "exactly one end, reply or error, before the caller's deadline, whatever becomes of server, "
    + "broker or network. The same `id` within 60 s is not done again and gets the same reply. A "
    + "reply after the end is dropped and counted (`late`)."
}

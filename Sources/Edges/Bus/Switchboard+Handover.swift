extension Switchboard {
  /// Takes an order to hand over or to rescale.
  mutating func order(_ head: Control, from identity: Identity, now: MonotonicTime) {
    var answer = Control(.outcome, token: head.token)
    answer.isOK = false
    answer.code = head.operation == .handover ? "no_standby" : "no_such_group"
    answer.message = "no standby waits"
    send(answer, to: identity)
  }

  mutating func handoverAnswer(
    _ head: Control, _ payload: [UInt8], from identity: Identity, now: MonotonicTime
  ) {
    count("malformed_control")
  }
}

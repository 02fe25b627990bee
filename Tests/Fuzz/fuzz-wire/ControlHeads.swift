import MessagePack

/// One good head of each kind, as Protocols/control.md has them.
enum ControlHeads {
  static let all: [MessagePackValue] = [
    head(
      "register", name, run,
      [
        .init("kind", .string("node")), .init("version", .string("1")), .init("pid", .int(7)),
        .init(
          "publishes", .array([traits("location/raw", "stream"), traits("own/thing", "state")])),
        .init("subscribes", .array([.string("ego/"), .string("")])),
        .init("serves", .array([.string("route/calculate"), .string("voice/repeat")])),
      ]),
    head("register", .init("name", .string("matcher")), .init("run", .int(8)), []),
    head("ping", token, run, []),
    head("bye", name, run, []),
    head("sync", token, name, []),
    head("snapshot", token, .init("patterns", .array([.string(""), .string("ego/")])), []),
    head(
      "refill", token, .init("topic", .string("ego/guidance/maneuver")),
      [
        .init("src", .string("matcher")), .init("run", .int(1)), .init("from", .int(1)),
        .init("to", .int(60)),
      ]),
    head(
      "history", token, .init("patterns", .array([.string("")])),
      [
        .init("since_ms", .int(30_000))
      ]),
    head("list", token, .init("what", .string("topics")), []),
    head("list", token, .init("what", .string("nodes")), []),
    head("list", token, .init("what", .string("services")), []),
    head("list", token, .init("what", .string("bus")), []),
    call("0001", "route/calculate"), call("0002", "voice/repeat"), call("0003", "no/such"),
    head("reply", .init("id", .string("0001")), .init("ok", .bool(true)), []),
    head(
      "reply", .init("id", .string("0002")), .init("ok", .bool(false)),
      [
        .init("code", .string("busy")), .init("message", .string("later")),
        .init("field", .string("a.b")),
      ]),
    head("cancel", .init("id", .string("0001")), token, []),
    head("welcome", run, token, []),
    head("item", token, run, []),
    head("nonsense", token, run, []),
  ]

  private static let name = MessagePackValue.Entry("name", .string("location"))
  private static let run = MessagePackValue.Entry("run", .int(7))
  private static let token = MessagePackValue.Entry("token", .int(3))

  private static func head(
    _ operation: String, _ first: MessagePackValue.Entry, _ second: MessagePackValue.Entry,
    _ more: [MessagePackValue.Entry]
  ) -> MessagePackValue {
    .map([.init("op", .string(operation)), first, second] + more)
  }

  private static func call(_ id: String, _ name: String) -> MessagePackValue {
    head(
      "call", .init("id", .string(id)), .init("name", .string(name)),
      [
        .init("timeout_ms", .int(2_000)), .init("vehicle", .string("ego")),
      ])
  }

  private static func traits(_ topic: String, _ deliveryClass: String) -> MessagePackValue {
    .map([
      .init("topic", .string(topic)), .init("class", .string(deliveryClass)),
      .init("max_size", .int(1_000)),
    ])
  }
}

/// Every key of a stack file.
enum StackKeys {
  static let root: [StackKey] = [
    StackKey("stack", .name, required: true, "The stack's name; sockets and tools go by it."),
    StackKey(
      "clock", .choice(["live", "sim", "replay"]),
      "Where event time comes from, for whoever reads the file; its source is a node. Default live."
    ),
    StackKey(
      "lockstep", .bool,
      "Whether a conductor leads the nodes: the same messages at each run, at full speed. false"),
    StackKey(
      "vehicles", .either([.list(.name), .choice(["any"])]), "Whom the stack serves. [ego]"),
    StackKey(
      "map", .either([.text, .list(.text)]),
      "A map for all nodes that have a parameter `map`: .navmap or any OSM file, a folder of them, or a list, which is joined."
    ),
    StackKey("bus", .object(bus), "How the bus is reached."),
    StackKey("defaults", .object(policy), "What holds for each node that says nothing else."),
    StackKey("nodes", .map(.object(node)), required: true, "The processes, by name."),
    StackKey("external", .list(.text), "Topics and calls that come from outside of this file."),
    StackKey(
      "start", .list(.map(.any)), "Calls to issue when all are ready: `- {call: {field: …}}`."),
    StackKey("expect", .list(.object(expectation)), "What must be seen on the bus, for --check."),
    StackKey(
      "until", .object(sign), "What ends a --check before its time, once all expectations hold."),
    StackKey("record", .object(record), "Where what passes over the bus is recorded."),
    StackKey("log", .object(log), "How the nodes' lines are shown."),
  ]

  static let bus: [StackKey] = [
    StackKey("listen", .text, "`ipc` (default), or tcp://host:port, which needs `insecure: yes`."),
    StackKey(
      "insecure", .bool, "Whether a bus on tcp may be open to everyone who reaches it. false"),
    StackKey("run", .text, "Another broker's program. nav-bus"),
    StackKey("params", .map(.any), "The broker's parameters."),
  ]

  static let restart: [StackKey] = [
    StackKey("on", .choice(["failure", "always", "never"]), "When a node starts again. failure"),
    StackKey("first", .duration, "Wait before the second restart; the first is at once. 0.5s"),
    StackKey("max", .duration, "The longest wait; waits double. 30s"),
    StackKey("give_up", .object(giveUp), "When restarting is called a crash loop."),
  ]

  static let giveUp: [StackKey] = [
    StackKey("times", .count(1...1_000), "So many failures … 5"),
    StackKey("within", .duration, "… in such a time. 60s"),
  ]

  static let readiness: [StackKey] = [
    StackKey("within", .duration, "The limit. 20s"),
    StackKey("log", .text, "A regular expression: ready when a line of the node matches it."),
    StackKey("port", .count(1...65_535), "Ready when this local TCP port takes connections."),
    StackKey("exit", .bool, "Ready when the program has ended well: for work before the others."),
  ]

  static let limits: [StackKey] = [
    StackKey("memory", .size, "Resident memory above which the node is ended and started again."),
    StackKey("files", .count(16...1_048_576), "Open files."),
  ]

  static let policy: [StackKey] = [
    StackKey(
      "restart", .either([.object(restart), .choice(["failure", "always", "never"])]),
      "When and how often a node starts again."),
    StackKey(
      "ready", .either([.object(readiness), .duration]),
      "How a node is known to be ready, and by when. 20s"),
    StackKey(
      "watchdog", .either([.duration, .choice(["off"])]),
      "The longest silence of a ready node's work loop. 5s"),
    StackKey("stop", .duration, "Time to end after SIGTERM, before SIGKILL. 5s"),
    StackKey("limits", .object(limits), "What a node may use."),
    StackKey("cpus", .list(.processors), "Processors that it runs on: [2-5, 7]. All"),
    StackKey("nice", .count(-20...19), "Who goes first: -20 before all others, 19 after them. 0"),
  ]

  static let node: [StackKey] =
    [
      StackKey(
        "run", .text, required: true,
        "The program and fixed words: sought beside navlaunch, then on PATH."),
      StackKey("args", .list(.text), "More arguments."),
      StackKey("params", .map(.any), "What the node is told; its --print-params lists them."),
      StackKey(
        "wire", .map(.text),
        "Other names on the bus for topics and calls of the node: {location/raw: gps/fix}."),
      StackKey("after", .list(.name), "Nodes that must be ready first."),
      StackKey(
        "replicas", .count(1...StackFile.mostReplicas),
        "So many processes share the node's vehicles; `nav scale` changes it while they run."),
      StackKey("shard", .choice(["vehicle"]), "By what replicas share the work. vehicle"),
      StackKey(
        "follow", .bool, "Whether it starts again with each node that it stands after. false"),
      StackKey("required", .bool, "Whether the stack ends when the node fails for good. true"),
      StackKey("env", .map(.text), "Environment variables."),
      StackKey("manifest", .text, "A JSON file for a program that does not answer --describe."),
    ] + policy

  static let sign: [StackKey] = [
    StackKey("topic", .text, required: true, "Topic without the vehicle: guidance/arrival."),
    StackKey("vehicle", .name, "Whose; the first vehicle of the stack."),
    StackKey("where", .map(.any), "Only messages whose fields have these values: {event: passed}."),
    StackKey("count", .bound(.messages), "How many messages. >= 1"),
  ]

  static let expectation: [StackKey] =
    sign + [
      StackKey("rate", .bound(.hertz), "Messages a second of event time."),
      StackKey("age", .bound(.seconds), "Time since the last message, at the end."),
      StackKey("lost", .bound(.messages), "Messages whose numbers are missing."),
      StackKey("within", .duration, "The first must come in this time after the start."),
    ]

  static let record: [StackKey] = [
    StackKey(
      "to", .text, required: true,
      "The file; {stack} is the stack's name, {start} the time of the start."),
    StackKey(
      "topics", .list(.text),
      "Whole names or subtrees that end in `/`, without the vehicle, or `*`; `!` leaves out. [*]"),
    StackKey("split", .object(split), "When the next file begins."),
    StackKey("keep", .size, "The oldest recordings are removed when all have more than that."),
  ]

  static let split: [StackKey] = [
    StackKey("every", .duration, "After such a time."),
    StackKey("size", .size, "At such a size."),
  ]

  static let log: [StackKey] = [
    StackKey("time", .bool, "Whether lines carry the time of day. true"),
    StackKey("color", .choice(["auto", "always", "never"]), "Colours of names. auto"),
    StackKey("format", .choice(["text", "json"]), "Lines for people, or an object a line. text"),
    StackKey("to", .text, "A file that gets all lines too."),
  ]
}

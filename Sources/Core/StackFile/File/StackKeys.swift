/// Every key of a stack file.
enum StackKeys {
  static let root: [StackKey] = [
    StackKey("stack", .name, required: true, "The stack's name; sockets and tools use it."),
    StackKey(
      "clock", .choice(["live", "sim", "replay"]),
      "Origin of event time, as information for readers of the file; a node is its source. Default live."
    ),
    StackKey(
      "lockstep", .bool,
      "Whether a conductor runs the nodes in lock-step: the same messages in each run, at full speed. false"
    ),
    StackKey(
      "vehicles", .either([.list(.name), .choice(["any"])]), "Vehicles that the stack serves. [ego]"
    ),
    StackKey(
      "map", .either([.text, .list(.text)]),
      "Map for all nodes with a parameter `map`: a .navmap or OSM file, a folder of them, or a list, which is joined."
    ),
    StackKey(
      "units", .text,
      "Units for all nodes with a parameter `units`: metric, imperial_us or imperial_uk. metric"),
    StackKey(
      "language", .text,
      "Language for all nodes with a parameter `language`, as a BCP 47 tag: en-US, de-DE."),
    StackKey(
      "mode", .text,
      "Travel mode for all nodes with a parameter `mode`: car, truck, bus, taxi, scooter, bicycle or pedestrian. car"
    ),
    StackKey("bus", .object(bus), "Address and broker of the bus."),
    StackKey("defaults", .object(policy), "Settings of all nodes that do not override them."),
    StackKey("nodes", .map(.object(node)), required: true, "The processes, by name."),
    StackKey(
      "external", .list(.text), "Topics and calls that are provided from outside this stack."),
    StackKey(
      "start", .list(.map(.any)), "Calls to make when all nodes are ready: `- {call: {field: …}}`."
    ),
    StackKey(
      "expect", .list(.object(expectation)), "What must be observed on the bus, for --check."),
    StackKey(
      "until", .object(sign), "Message that ends a --check early, once all expectations are met."),
    StackKey("record", .object(record), "Recording of the messages of the bus."),
    StackKey("log", .object(log), "How output lines of the nodes are shown."),
  ]

  /// Keys that are parameters of every node which declares them and has no value of its own.
  static let shared: Set<String> = ["units", "language", "mode"]

  static let bus: [StackKey] = [
    StackKey("listen", .text, "`ipc` (default), or tcp://host:port, which needs `insecure: yes`."),
    StackKey(
      "insecure", .bool, "Whether a bus on tcp may be open to every host that can reach it. false"),
    StackKey("run", .text, "Program of the broker. nav-bus"),
    StackKey("params", .map(.any), "The broker's parameters."),
  ]

  static let restart: [StackKey] = [
    StackKey("on", .choice(["failure", "always", "never"]), "When a node is restarted. failure"),
    StackKey("first", .duration, "Wait before the second restart; the first is immediate. 0.5s"),
    StackKey("max", .duration, "Longest wait; the wait doubles with each restart. 30s"),
    StackKey("give_up", .object(giveUp), "When repeated restarts count as a crash loop."),
  ]

  static let giveUp: [StackKey] = [
    StackKey("times", .count(1...1_000), "Number of failures … 5"),
    StackKey("within", .duration, "… within this time. 60s"),
  ]

  static let readiness: [StackKey] = [
    StackKey("within", .duration, "The limit. 20s"),
    StackKey("log", .text, "A regular expression: ready when a line of the node matches it."),
    StackKey("port", .count(1...65_535), "Ready when this local TCP port accepts connections."),
    StackKey(
      "exit", .bool, "Ready when the program has ended successfully: for work before other nodes."),
  ]

  static let limits: [StackKey] = [
    StackKey("memory", .size, "Resident memory above which the node is restarted."),
    StackKey("files", .count(16...1_048_576), "Open files."),
  ]

  static let policy: [StackKey] = [
    StackKey(
      "restart", .either([.object(restart), .choice(["failure", "always", "never"])]),
      "When and how often a node is restarted."),
    StackKey(
      "ready", .either([.object(readiness), .duration]),
      "How a node reports that it is ready, and the time limit. 20s"),
    StackKey(
      "watchdog", .either([.duration, .choice(["off"])]),
      "Longest time without progress of a ready node's work loop. 5s"),
    StackKey("stop", .duration, "Time between SIGTERM and SIGKILL. 5s"),
    StackKey("limits", .object(limits), "Resource limits of a node."),
    StackKey("cpus", .list(.processors), "Processors that it may use: [2-5, 7]. All"),
    StackKey("nice", .count(-20...19), "Scheduling priority: -20 is the highest, 19 the lowest. 0"),
  ]

  static let node: [StackKey] =
    [
      StackKey(
        "run", .text, required: true,
        "The program and fixed arguments; searched next to navlaunch, then on PATH."),
      StackKey("args", .list(.text), "More arguments."),
      StackKey("params", .map(.any), "Parameters of the node; its --print-params lists them."),
      StackKey(
        "wire", .map(.text),
        "Other names on the bus for topics and calls of the node: {location/raw: gps/fix}."),
      StackKey("after", .list(.name), "Nodes that must be ready first."),
      StackKey(
        "replicas", .count(1...StackFile.mostReplicas),
        "Number of processes that share the node's vehicles; `nav scale` changes it while they run."
      ),
      StackKey("shard", .choice(["vehicle"]), "Key by which replicas share the work. vehicle"),
      StackKey(
        "follow", .bool, "Whether it restarts together with each node of its `after`. false"),
      StackKey("required", .bool, "Whether the stack ends when the node fails permanently. true"),
      StackKey("env", .map(.text), "Environment variables."),
      StackKey("manifest", .text, "A JSON file for a program that does not answer --describe."),
    ] + policy

  static let sign: [StackKey] = [
    StackKey("topic", .text, required: true, "Topic without the vehicle: guidance/arrival."),
    StackKey("vehicle", .name, "Vehicle; default: the first of the stack."),
    StackKey("where", .map(.any), "Only messages whose fields have these values: {event: passed}."),
    StackKey("count", .bound(.messages), "Number of messages. >= 1"),
  ]

  static let expectation: [StackKey] =
    sign + [
      StackKey("rate", .bound(.hertz), "Messages per second of event time."),
      StackKey("age", .bound(.seconds), "Time since the last message, at the end."),
      StackKey("lost", .bound(.messages), "Messages whose numbers are missing."),
      StackKey("within", .duration, "Time after the start within which the first must arrive."),
    ]

  static let record: [StackKey] = [
    StackKey(
      "to", .text, required: true,
      "The file; {stack} is the stack's name, {start} the time of the start."),
    StackKey(
      "topics", .list(.text),
      "Whole names or subtrees that end in `/`, without the vehicle, or `*`; `!` leaves out. [*]"),
    StackKey("split", .object(split), "When the next file begins."),
    StackKey("keep", .size, "Total size above which the oldest recordings are removed."),
  ]

  static let split: [StackKey] = [
    StackKey("every", .duration, "After this time."),
    StackKey("size", .size, "At this size."),
  ]

  static let log: [StackKey] = [
    StackKey("time", .bool, "Whether lines contain the time of day. true"),
    StackKey("color", .choice(["auto", "always", "never"]), "Colouring of names. auto"),
    StackKey(
      "format", .choice(["text", "json"]), "Plain lines, or one JSON object per line. text"),
    StackKey("to", .text, "File to which all lines are also written."),
  ]
}

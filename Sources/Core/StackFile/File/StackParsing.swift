extension StackFile {
  /// Maximum size of a stack file, in bytes.
  static let maximumBytes = 1 << 20

  /// Parses a stack file; the stack is nil if its problems leave nothing to continue with.
  ///
  /// With an `environment`, values of the file may refer to variables as `${env:NAME}`.
  public static func parse(
    _ yaml: String, environment: [String: String]? = nil
  ) -> (stack: StackFile?, problems: [StackProblem]) {
    guard yaml.utf8.count <= maximumBytes else {
      return (nil, [StackProblem("the file is larger than 1 MiB, which is not a stack file")])
    }
    do {
      var root = try YAMLValue(parsing: yaml)
      var unknown: [StackProblem] = []
      if let environment { root = root.expanded(environment, path: "", &unknown) }
      guard case .map = root.content else {
        return (
          nil,
          [StackProblem("expected a map with a name and nodes, found \(root.kind)", at: root.place)]
        )
      }
      var problems = unknown + StackShape.object(StackKeys.root).problems(of: root, path: "")
      let stack = StackFile(root, &problems)
      return (stack, problems)
    } catch {
      return (nil, [error])
    }
  }

  /// Uses the values that passed the checks; invalid ones keep their defaults.
  private init(_ root: YAMLValue, _ problems: inout [StackProblem]) {
    name = root["stack"]?.text ?? ""
    clock = root["clock"]?.text.flatMap(Clock.init) ?? .live
    isLockStep = root["lockstep"]?.bool ?? false
    if let given = root["vehicles"] {
      vehicles = given.items.compactMap(\.text)
    } else {
      vehicles = ["ego"]
    }
    shared = SharedParameters(root)
    bus = BusSettings(root["bus"])
    let defaults = NodePolicy(root["defaults"], over: NodePolicy())
    nodes = (root["nodes"]?.entries ?? []).compactMap { NodeSettings($0, defaults, &problems) }
    let read = Set(nodes.map(\.name.value))
    unreadNodes = (root["nodes"]?.entries ?? []).map(\.key.value).filter { !read.contains($0) }
    if nodes.isEmpty, let given = root["nodes"], !problems.hasErrors {
      problems.append(
        StackProblem("a stack needs at least one node", path: "nodes", at: given.place))
    }
    problems += nodes.replicaProblems
    external = (root["external"]?.items ?? []).compactMap(Located.text)
    start = []
    for (index, item) in (root["start"]?.items ?? []).enumerated() {
      guard item.entries.count == 1, let entry = item.entries.first else {
        problems.append(
          StackProblem(
            "expected one call: {name: {field: value}}", path: "start[\(index)]", at: item.place))
        continue
      }
      start.append(StartCall(name: entry.key, request: entry.value))
    }
    expectations = (root["expect"]?.items ?? []).compactMap(Expectation.init)
    until = root["until"].flatMap(Expectation.init)
    record = root["record"].flatMap(RecordSettings.init)
    problems += record?.problems ?? []
    log = LogSettings(root["log"])
  }
}

extension SharedParameters {
  init(_ root: YAMLValue) {
    map = root["map"].flatMap(Located.text)
    regions = map == nil ? (root["map"]?.items ?? []).compactMap(Located.text) : []
    entries = root.entries.filter { StackKeys.shared.contains($0.key.value) }
  }
}

extension Located<String> {
  static func text(_ value: YAMLValue) -> Located<String>? {
    value.text.map { Located($0, at: value.place) }
  }
}

extension BusSettings {
  init(_ value: YAMLValue?) {
    guard let value else { return }
    if let given = value["listen"].flatMap(Located.text) { listen = given }
    if let given = value["run"].flatMap(Located.text) { run = given }
    isInsecureAllowed = value["insecure"]?.bool ?? false
    parameters = value["params"]?.entries ?? []
  }
}

extension NodeSettings {
  /// Names that the launcher and the broker use.
  static let reserved = ["nav", "bus", "navlaunch"]

  init?(
    _ entry: YAMLValue.Entry, _ defaults: NodePolicy, _ problems: inout [StackProblem]
  ) {
    let path = "nodes.\(entry.key.value)"
    let value = entry.value
    if !StackShape.isName(entry.key.value) || NodeSettings.reserved.contains(entry.key.value) {
      problems.append(
        StackProblem(
          "\"\(entry.key.value)\" cannot name a node: expected \(StackShape.name.expectation), "
            + "and not one of \(NodeSettings.reserved.joined(separator: ", "))", path: "nodes",
          at: entry.key.place))
    }
    guard let run = value["run"], let line = run.text else { return nil }
    guard let words = CommandWords.split(line), !words.isEmpty else {
      problems.append(
        StackProblem("a quotation mark is not closed", path: "\(path).run", at: run.place))
      return nil
    }
    name = entry.key
    self.run = Located(words, at: run.place)
    parametersPlace = value["params"]?.place ?? entry.key.place
    arguments = (value["args"]?.items ?? []).compactMap(\.text)
    parameters = value["params"]?.entries ?? []
    wire = (value["wire"]?.entries ?? []).compactMap { entry in
      Located.text(entry.value).map { Wire(name: entry.key, onBus: $0) }
    }
    after = (value["after"]?.items ?? []).compactMap(Located.text)
    replicas = value["replicas"].flatMap { given in given.int.map { Located($0, at: given.place) } }
    if let shard = value["shard"], replicas == nil {
      problems.append(
        StackProblem(
          "\"shard\" needs \"replicas\" in the same node", path: "\(path).shard", at: shard.place))
    }
    follows = value["follow"]?.bool ?? false
    if follows, after.isEmpty, let follow = value["follow"] {
      problems.append(
        StackProblem(
          "\"follow\" needs \"after\", which names the nodes to follow", path: "\(path).follow",
          at: follow.place))
    }
    isRequired = value["required"]?.bool ?? true
    for entry in value["env"]?.entries ?? [] {
      environment[entry.key.value] = entry.value.text ?? ""
    }
    manifest = value["manifest"].flatMap(Located.text)
    policy = NodePolicy(value, over: defaults)
    if case .log(let pattern) = policy.readiness, (try? Regex(pattern)) == nil {
      problems.append(
        StackProblem(
          "\"\(pattern)\" is not a regular expression", path: "\(path).ready.log",
          at: value["ready"]?.place ?? value.place))
    }
  }
}

extension NodePolicy {
  /// Uses the settings of `value`, and `defaults` for the rest.
  init(_ value: YAMLValue?, over defaults: NodePolicy) {
    self = defaults
    guard let value else { return }
    if let restart = value["restart"] { read(restart: restart) }
    if let ready = value["ready"] { read(ready: ready) }
    if let watchdog = value["watchdog"]?.text {
      watchdogS = watchdog == "off" ? nil : Quantity.durationS(watchdog)
    } else if readiness != .notify {
      watchdogS = nil
    }
    stopWithinS = value.durationS("stop") ?? stopWithinS
    let limits = value["limits"]
    memoryBytes = limits?["memory"]?.text.flatMap(Quantity.bytes) ?? memoryBytes
    openFiles = limits?["files"]?.int ?? openFiles
    if let given = value["cpus"] {
      processors = given.items.compactMap { item in
        item.text.flatMap(Quantity.processors).map { Located($0, at: item.place) }
      }
    }
    if let given = value["nice"], let number = given.int {
      niceness = Located(number, at: given.place)
    }
  }

  private mutating func read(restart value: YAMLValue) {
    if let word = value.text ?? value["on"]?.text { restart = Restart(rawValue: word) ?? restart }
    firstBackoffS = value.durationS("first") ?? firstBackoffS
    longestBackoffS = value.durationS("max") ?? longestBackoffS
    giveUpTimes = value["give_up"]?["times"]?.int ?? giveUpTimes
    giveUpWithinS = value["give_up"]?.durationS("within") ?? giveUpWithinS
  }

  private mutating func read(ready value: YAMLValue) {
    if let limit = value.text.flatMap(Quantity.durationS) ?? value.durationS("within") {
      readyWithinS = limit
    }
    if let pattern = value["log"]?.text { readiness = .log(pattern) }
    if let port = value["port"]?.int { readiness = .port(port) }
    if value["exit"]?.bool == true { readiness = .exit }
  }
}

extension Expectation {
  init?(_ value: YAMLValue) {
    guard let topic = value["topic"].flatMap(Located.text) else { return nil }
    self.init(topic: topic)
    vehicle = value["vehicle"]?.text
    fields = value["where"]?.entries ?? []
    rate = value["rate"]?.text.flatMap { Bound($0, .hertz) }
    age = value["age"]?.text.flatMap { Bound($0, .seconds) }
    count = value["count"]?.text.flatMap { Bound($0, .messages) }
    lost = value["lost"]?.text.flatMap { Bound($0, .messages) }
    withinS = value.durationS("within")
  }
}

extension LogSettings {
  init(_ value: YAMLValue?) {
    guard let value else { return }
    showsTime = value["time"]?.bool ?? true
    color = value["color"]?.text.flatMap(Color.init) ?? .auto
    format = value["format"]?.text.flatMap(Format.init) ?? .text
    file = value["to"].flatMap(Located.text)
  }
}

extension YAMLValue {
  func durationS(_ key: String) -> Double? { self[key]?.text.flatMap(Quantity.durationS) }
}

/// Splits a command line into words, without a shell.
public enum CommandWords {
  /// The words between blanks, quoted by ' or "; nil if a quote is not closed.
  public static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + [character] }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + [character]
      }
    }
    guard quote == nil else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}

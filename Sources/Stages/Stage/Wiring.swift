/// Other names on the bus for what one stage reads, writes, answers and calls: `wire` of a stack file.
///
/// The stage itself knows only its own names; whoever runs it translates. So a second matcher can write
/// beside the first, and a receiver whose topic is called otherwise can be read.
public struct Wiring: Hashable, Sendable {
  /// The names on the bus, by the stage's own; none is there twice.
  public let names: [String: String]
  private let own: [String: String]

  /// Of two own names with one name on the bus the first by its letters has it.
  public init(_ names: [String: String] = [:]) {
    var kept: [String: String] = [:]
    var own: [String: String] = [:]
    for (name, onBus) in names.sorted(by: { $0.key < $1.key }) where own[onBus] == nil {
      kept[name] = onBus
      own[onBus] = name
    }
    self.names = kept
    self.own = own
  }

  public var isEmpty: Bool { names.isEmpty }

  /// What the stage's topic or call is called on the bus.
  public func onBus(_ name: String) -> String { names[name] ?? name }

  /// What the stage calls a topic or call of the bus.
  public func inStage(_ name: String) -> String { own[name] ?? name }
}

// Words for an environment variable: `location/raw=gps/fix,match/trace=test/trace`.
extension Wiring {
  /// Names joined by `=`, and those by commas, in the order of their letters.
  public var text: String {
    names.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
  }

  /// Reads what `text` gives; nil where it is something else.
  public init?(text: String) {
    var names: [String: String] = [:]
    for pair in text.split(separator: ",", omittingEmptySubsequences: true) {
      let ends = pair.split(separator: "=", omittingEmptySubsequences: false)
      guard ends.count == 2, !ends[0].isEmpty, !ends[1].isEmpty, names[String(ends[0])] == nil
      else { return nil }
      names[String(ends[0])] = String(ends[1])
    }
    self.init(names)
  }
}

extension Manifest {
  /// What a stage reads, writes, answers and calls, by the names on the bus.
  public func wired(_ wiring: Wiring) -> Manifest {
    guard !wiring.isEmpty else { return self }
    var wired = self
    wired.inputs = inputs.map(wiring.onBus)
    wired.requires = requires?.map(wiring.onBus)
    wired.optionalInputs = optionalInputs?.map(wiring.onBus)
    wired.outputs = outputs.map(wiring.onBus)
    wired.serves = serves.map(wiring.onBus)
    wired.calls = calls.map(wiring.onBus)
    wired.demandedBy = demandedBy?.map(wiring.onBus)
    return wired
  }
}

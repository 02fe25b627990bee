/// Renames the topics and calls of one stage on the bus: `wire` of a stack file.
///
/// The stage itself uses only its own names; the harness translates them. Thus a second matcher can
/// write in addition to the first, and a receiver with another topic name can be read.
public struct Wiring: Hashable, Sendable {
  /// The names on the bus, by the stage's own names; no bus name occurs twice.
  public let names: [String: String]
  private let own: [String: String]

  /// If two own names have the same bus name, the alphabetically first one is used.
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

  /// Returns the bus name of a topic or call of the stage.
  public func onBus(_ name: String) -> String { names[name] ?? name }

  /// Returns the stage's name of a topic or call of the bus.
  public func inStage(_ name: String) -> String { own[name] ?? name }
}

// Text form for an environment variable: `location/raw=gps/fix,match/trace=test/trace`.
extension Wiring {
  /// Pairs of names joined by `=`, separated by commas, in alphabetical order.
  public var text: String {
    names.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
  }

  /// Parses the format of `text`; returns nil if it is invalid.
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
  /// Returns the manifest with the names on the bus.
  public func wired(_ wiring: Wiring) -> Manifest {
    guard !wiring.isEmpty else { return self }
    var wired = self
    wired.inputs = inputs.map(wiring.onBus)
    wired.requires = requires?.map(wiring.onBus)
    wired.optionalInputs = optionalInputs?.map(wiring.onBus)
    wired.outputs = outputs.map(wiring.onBus)
    wired.serves = serves.map(wiring.onBus)
    wired.calls = calls.map(wiring.onBus)
    wired.optionalCalls = optionalCalls?.map(wiring.onBus)
    wired.demandedBy = demandedBy?.map(wiring.onBus)
    return wired
  }
}

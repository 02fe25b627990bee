import MessagePack
import Messages
public import Stage

/// A stack as described by its file; created by `StackFile.parse`.
public struct StackFile: Hashable, Sendable {
  public enum Clock: String, Hashable, Sendable {
    case live
    case sim
    case replay
  }

  public var name: String
  public var clock: Clock
  /// Whether a conductor drives the nodes in simulated time, as fast as possible.
  public var isLockStep: Bool
  /// Vehicles by name; empty for any.
  public var vehicles: [String]
  public var shared: SharedParameters
  public var bus: BusSettings
  /// In the order of the file.
  public var nodes: [NodeSettings]
  /// Names of further nodes of the file that could not be parsed; each has its own problem.
  public var unreadNodes: [String]
  /// Topics and calls of programs outside the stack.
  public var external: [Located<String>]
  public var start: [StartCall]
  public var expectations: [Expectation]
  /// The condition for ending a check early.
  public var until: Expectation?
  public var record: RecordSettings?
  public var log: LogSettings

  /// The map of all nodes that have a parameter `map`; nil for none, and if it must be joined first.
  public var map: Located<String>? {
    get { shared.map }
    set { shared.map = newValue }
  }

  public func node(_ name: String) -> NodeSettings? { nodes.first { $0.name.value == name } }
}

/// Parameters that every node gets which declares them and has no value of its own.
public struct SharedParameters: Hashable, Sendable {
  public var map: Located<String>?
  /// Maps of several regions that nodes get as one; empty if `map` names one.
  public var regions: [Located<String>] = []
  /// The other ones: those of `StackKeys.shared`.
  public var entries: [YAMLValue.Entry] = []
}

/// The address settings of the bus.
public struct BusSettings: Hashable, Sendable {
  /// `ipc`, or `tcp://host:port`.
  public var listen = Located("ipc", at: .start)
  public var isInsecureAllowed = false
  public var run = Located("nav-bus", at: .start)
  public var parameters: [YAMLValue.Entry] = []
}

/// One process of the stack.
public struct NodeSettings: Hashable, Sendable {
  public var name: Located<String>
  /// The program and its fixed words.
  public var run: Located<[String]>
  public var arguments: [String] = []
  public var parameters: [YAMLValue.Entry] = []
  /// Other names on the bus, in the order of the file.
  public var wire: [Wire] = []
  /// The position for reports of missing parameters.
  public var parametersPlace: Place
  public var after: [Located<String>] = []
  /// Number of processes that share its vehicles; nil for a single process with only the node's
  /// name.
  public var replicas: Located<Int>?
  /// Whether it restarts together with each node of `after`.
  public var follows = false
  public var isRequired = true
  public var environment: [String: String] = [:]
  /// Path of a manifest, for a program that does not answer `--describe`.
  public var manifest: Located<String>?
  public var policy = NodePolicy()

  /// A node with the default settings.
  package init(name: Located<String>, run: Located<[String]>, parametersPlace: Place) {
    self.name = name
    self.run = run
    self.parametersPlace = parametersPlace
  }
}

extension NodeSettings {
  /// The other names that topics and calls of the node's stage have on the bus.
  public var wiring: Wiring {
    Wiring(
      Dictionary(wire.map { ($0.name.value, $0.onBus.value) }, uniquingKeysWith: { one, _ in one }))
  }
}

/// Another name on the bus for a topic or call of a node.
public struct Wire: Hashable, Sendable {
  /// The name that the node's program uses.
  public var name: Located<String>
  public var onBus: Located<String>
}

/// The rules for starting, watching and ending a node.
public struct NodePolicy: Hashable, Sendable {
  public enum Restart: String, Hashable, Sendable {
    case failure
    case always
    case never
  }

  /// The event by which a node becomes ready.
  public enum Readiness: Hashable, Sendable {
    /// By READY=1 on NOTIFY_SOCKET.
    case notify
    /// By a line that matches a regular expression.
    case log(String)
    /// By a local TCP port that accepts connections.
    case port(Int)
    /// By a successful exit.
    case exit
  }

  public var restart = Restart.failure
  /// Wait before the second restart; the first is immediate.
  public var firstBackoffS = 0.5
  public var longestBackoffS = 30.0
  /// Number of failures within `giveUpWithinS` that are a crash loop.
  public var giveUpTimes = 5
  public var giveUpWithinS = 60.0
  public var readiness = Readiness.notify
  public var readyWithinS = 20.0
  /// Maximum silence of a ready node; nil if it is not watched.
  public var watchdogS: Double? = 5
  /// Time between SIGTERM and SIGKILL.
  public var stopWithinS = 5.0
  public var memoryBytes: Int?
  public var openFiles: Int?
  /// Processors on which it runs; empty for all.
  public var processors: [Located<ClosedRange<Int>>] = []
  public var niceness: Located<Int>?
  /// Whether the stack ends successfully when this node does.
  public var endsStack = false

  public init() {}
}

/// A call to issue when all nodes are ready.
public struct StartCall: Hashable, Sendable {
  public var name: Located<String>
  public var request: YAMLValue

  /// The encoded request.
  public var requestBytes: [UInt8] {
    request.isNothing ? MessagePackValue.map([]).encoded() : request.messagePack.encoded()
  }

  /// Time limit for the answer in seconds, as defined in Protocols/.
  public var timeoutS: Double { Calls.declaration(of: name.value)?.timeoutS ?? 10 }
}

/// The format of the nodes' lines.
public struct LogSettings: Hashable, Sendable {
  public enum Color: String, Hashable, Sendable {
    case auto
    case always
    case never
  }

  public enum Format: String, Hashable, Sendable {
    case text
    case json
  }

  public var showsTime = true
  public var color = Color.auto
  public var format = Format.text
  public var file: Located<String>?
}

/// Messages that must be observed on a topic.
public struct Expectation: Hashable, Sendable {
  public var topic: Located<String>
  /// nil for the first vehicle of the stack.
  public var vehicle: String?
  /// Only messages whose fields have these values count.
  public var fields: [YAMLValue.Entry] = []
  public var rate: Bound?
  public var age: Bound?
  public var count: Bound?
  public var lost: Bound?
  public var withinS: Double?

  public init(topic: Located<String>) { self.topic = topic }

  /// The number of messages with which `count` first holds, at least 1.
  public var leastCount: Int {
    guard let count else { return 1 }
    return switch count.relation {
    case .atLeast, .equal: max(1, Int(count.value.rounded(.up)))
    case .above: max(1, Int(count.value.rounded(.down)) + 1)
    case .atMost, .below: 1
    }
  }
}

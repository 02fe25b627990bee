import MessagePack
import Messages

/// A stack as its file describes it; made by `StackFile.parse`.
public struct StackFile: Hashable, Sendable {
  public enum Clock: String, Hashable, Sendable {
    case live
    case sim
    case replay
  }

  public var name: String
  public var clock: Clock
  /// Whether a conductor leads the nodes, as fast as they can, with drawn time.
  public var isLockStep: Bool
  /// Vehicles by name; empty for any.
  public var vehicles: [String]
  public var map: Located<String>?
  /// Maps of several regions that nodes are given as one; empty where `map` names one.
  public var regions: [Located<String>]
  public var bus: BusSettings
  /// In the order of the file.
  public var nodes: [NodeSettings]
  /// Names of further nodes of the file that cannot be read; each has its own problem.
  public var unreadNodes: [String]
  /// Topics and calls that come from outside.
  public var external: [Located<String>]
  public var start: [StartCall]
  public var expectations: [Expectation]
  /// What ends a check before its time.
  public var until: Expectation?
  public var record: RecordSettings?
  public var log: LogSettings

  public func node(_ name: String) -> NodeSettings? { nodes.first { $0.name.value == name } }
}

/// How the bus is reached.
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
  /// Where missing parameters are missing.
  public var parametersPlace: Place
  public var after: [Located<String>] = []
  /// How many processes share its vehicles; nil for one that has them all and no name but its own.
  public var replicas: Located<Int>?
  /// Whether it starts again with each node of `after`.
  public var follows = false
  public var isRequired = true
  public var environment: [String: String] = [:]
  /// Path of a manifest, for a program that does not answer `--describe`.
  public var manifest: Located<String>?
  public var policy = NodePolicy()
}

/// Another name on the bus for a topic or call of a node.
public struct Wire: Hashable, Sendable {
  /// What the node's program calls it.
  public var name: Located<String>
  public var onBus: Located<String>
}

/// How a node is started, watched and ended.
public struct NodePolicy: Hashable, Sendable {
  public enum Restart: String, Hashable, Sendable {
    case failure
    case always
    case never
  }

  /// How a node is known to be ready.
  public enum Readiness: Hashable, Sendable {
    /// By READY=1 on NOTIFY_SOCKET.
    case notify
    /// By a line that matches a regular expression.
    case log(String)
    /// By a local TCP port that takes connections.
    case port(Int)
    /// By having ended well.
    case exit
  }

  public var restart = Restart.failure
  /// Wait before the second restart; the first is at once.
  public var firstBackoffS = 0.5
  public var longestBackoffS = 30.0
  /// So many failures within `giveUpWithinS` are a crash loop.
  public var giveUpTimes = 5
  public var giveUpWithinS = 60.0
  public var readiness = Readiness.notify
  public var readyWithinS = 20.0
  /// The longest silence of a ready node; nil where nobody watches.
  public var watchdogS: Double? = 5
  /// Time between SIGTERM and SIGKILL.
  public var stopWithinS = 5.0
  public var memoryBytes: Int?
  public var openFiles: Int?
  /// Processors that it runs on; empty for all.
  public var processors: [Located<ClosedRange<Int>>] = []
  public var niceness: Located<Int>?
  /// Whether the stack ends well when this node does.
  public var endsStack = false

  public init() {}
}

/// A call to issue when all are ready.
public struct StartCall: Hashable, Sendable {
  public var name: Located<String>
  public var request: YAMLValue

  /// The request as it travels.
  public var requestBytes: [UInt8] {
    request.isNothing ? MessagePackValue.map([]).encoded() : request.messagePack.encoded()
  }

  /// Seconds that an answer may take, as Protocols/ says.
  public var timeoutS: Double { Calls.declaration(of: name.value)?.timeoutS ?? 10 }
}

/// How the nodes' lines are shown.
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

/// What must be seen on a topic.
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

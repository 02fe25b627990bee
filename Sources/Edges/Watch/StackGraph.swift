import BusProtocol
public import Stage

/// The data flow of a stack: nodes, topics without the vehicle, and calls.
public struct StackGraph: Hashable, Sendable {
  /// A topic or a call with both its ends, each sorted by name.
  public struct Line: Hashable, Sendable, Encodable {
    public var name: String
    public var isCall: Bool
    /// The writers of the topic, or the callers.
    public var from: [String]
    /// The readers of the topic, or the servers of the call.
    public var to: [String]

    /// Whether a reader or caller has no writer or server.
    public var isMissing: Bool { isCall ? to.isEmpty : from.isEmpty }
  }

  /// Nodes with one word about their state; nil for nodes from a file.
  public private(set) var nodes: [String: String?] = [:]
  public private(set) var lines: [Line] = []

  /// The graph of a running stack, with the calls that have been made so far.
  public init(_ picture: StackSnapshot) {
    var calls = CallGraph()
    for node in picture.nodes.values {
      nodes[node.name] = node.word
      for leaf in node.inputs where !leaf.hasPrefix("_") { calls.read(leaf, by: node.name) }
      for leaf in node.outputs where !leaf.hasPrefix("_") { calls.write(leaf, by: node.name) }
      for call in node.report?.serves ?? [] { calls.serve(call, by: node.name) }
    }
    for topic in picture.topics {
      let leaf = TopicName.split(topic.name).leaf
      guard !leaf.hasPrefix("_"), !topic.source.isEmpty, topic.messages > 0 else { continue }
      calls.write(leaf, by: topic.source)
    }
    for service in picture.services {
      for caller in service.callers where picture.nodes[caller] != nil {
        calls.call(service.name, by: caller)
      }
    }
    lines = calls.lines
  }

  /// The graph of the programs' manifests, by node.
  public init(_ manifests: [String: Manifest]) {
    var calls = CallGraph()
    for (name, manifest) in manifests {
      nodes[name] = .some(nil)
      for leaf in manifest.inputs where !leaf.hasPrefix("_") { calls.read(leaf, by: name) }
      for leaf in manifest.outputs where !leaf.hasPrefix("_") { calls.write(leaf, by: name) }
      for call in manifest.serves { calls.serve(call, by: name) }
      for call in manifest.calls { calls.call(call, by: name) }
    }
    lines = calls.lines
  }

  /// Topics that are read but not written, and calls that are made but not served.
  public var missing: [Line] { lines.filter(\.isMissing) }

  private struct CallGraph {
    private struct Ends {
      var from: Set<String> = []
      var to: Set<String> = []
    }

    private var topics: [String: Ends] = [:]
    private var calls: [String: Ends] = [:]

    mutating func write(_ leaf: String, by node: String) {
      topics[leaf, default: Ends()].from.insert(node)
    }
    mutating func read(_ leaf: String, by node: String) {
      topics[leaf, default: Ends()].to.insert(node)
    }
    mutating func call(_ name: String, by node: String) {
      calls[name, default: Ends()].from.insert(node)
    }
    mutating func serve(_ name: String, by node: String) {
      calls[name, default: Ends()].to.insert(node)
    }

    var lines: [Line] {
      [(topics, false), (calls, true)].flatMap { ends, isCall in
        ends.sorted { $0.key < $1.key }.map { name, ends in
          Line(name: name, isCall: isCall, from: ends.from.sorted(), to: ends.to.sorted())
        }
      }
    }
  }
}

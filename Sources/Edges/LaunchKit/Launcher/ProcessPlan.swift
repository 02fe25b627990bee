import Stage

/// Everything that is needed to start a process.
struct ProcessPlan {
  /// Its name on the bus, its node and its lane.
  var process: StackProcess
  /// nil for the broker.
  var node: NodeSettings?
  /// Path of the program.
  var program: String
  var parameters: [String: ParameterValue]
  /// Whether it is started to replace the process that has its name.
  var isStandby = false

  var words: [String] {
    [program] + (node?.run.value.dropFirst() ?? []) + (node?.arguments ?? [])
  }
}

/// A program that is to take a node's place, with the result of its check.
struct Successor: Sendable {
  /// The node as it will be in the stack.
  var node: NodeSettings
  var program: String
  var parameters: [String: ParameterValue]
  var manifest: Manifest
}

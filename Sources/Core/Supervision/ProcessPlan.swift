package import StackFile
package import Stage

/// Everything that is needed to start a process.
package struct ProcessPlan: Sendable {
  /// Its name on the bus, its node and its lane.
  package var process: StackProcess
  /// nil for the broker.
  package var node: NodeSettings?
  /// Path of the program.
  package var program: String
  package var parameters: [String: ParameterValue]
  /// Whether it is started to replace the process that has its name.
  package var isStandby = false

  package init(
    process: StackProcess, node: NodeSettings?, program: String,
    parameters: [String: ParameterValue]
  ) {
    self.process = process
    self.node = node
    self.program = program
    self.parameters = parameters
  }

  package var words: [String] {
    [program] + (node?.run.value.dropFirst() ?? []) + (node?.arguments ?? [])
  }
}

/// A program that is to take a node's place, with the result of its check.
package struct Successor: Sendable {
  /// The node as it will be in the stack.
  package var node: NodeSettings
  package var program: String
  package var parameters: [String: ParameterValue]
  package var manifest: Manifest

  package init(
    node: NodeSettings, program: String, parameters: [String: ParameterValue], manifest: Manifest
  ) {
    self.node = node
    self.program = program
    self.parameters = parameters
    self.manifest = manifest
  }
}

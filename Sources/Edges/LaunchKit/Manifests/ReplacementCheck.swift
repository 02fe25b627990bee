import BusProtocol
import Foundation
import Stage

/// Checks whether a program can take a node's place.
///
/// It requests the program's manifest, and checks the whole stack with it.
struct ReplacementCheck: Sendable {
  var stack: CheckedStack
  /// The node as it would be after the change.
  var node: NodeSettings
  var programs: ProgramFinder
  var folder: String
  var environment: [String: String]

  /// Requests and checks on its own thread, since a program may be slow.
  ///
  /// The thread ends when it has delivered its result.
  func judge(into mail: LauncherMailbox<OperationEvent>) -> OSThread {
    OSThread("judge") { mail.put(.judged(result())) }
  }

  func result() -> Result<Successor, OperationFailure> {
    guard let word = node.run.value.first, let program = programs.find(word, base: folder) else {
      return .failure(
        OperationFailure(
          "invalid", programs.missingReason(node.run.value.first ?? "", base: folder)))
    }
    let manifest: Manifest
    let answer =
      node.manifest.map {
        ProgramFinder.manifest(file: $0.value.hasPrefix("/") ? $0.value : "\(folder)/\($0.value)")
      }
      ?? programs.describe([[program] + node.run.value.dropFirst()], folder: folder).first
    switch answer?.result {
    case .success(let given)?: manifest = given
    case .failure(let failure)?: return .failure(OperationFailure("does_not_fit", failure.message))
    case nil: return .failure(OperationFailure("does_not_fit", "its manifest was not requested"))
    }
    return check(program, manifest)
  }

  /// Whether a program with this manifest fits, and the node with which it would start.
  func check(_ program: String, _ manifest: Manifest) -> Result<Successor, OperationFailure> {
    let name = node.name.value
    let differences = stack.declared[name].map { Self.differences(from: $0, to: manifest) } ?? []
    guard differences.isEmpty else {
      return .failure(
        OperationFailure(
          "does_not_fit",
          "\(program) is not compatible with \(name): \(differences.joined(separator: "; "))"))
    }
    var file = stack.file
    guard let index = file.nodes.firstIndex(where: { $0.name.value == name }) else {
      return .failure(OperationFailure("no_such_node", "there is no node \"\(name)\""))
    }
    file.nodes[index] = node
    var manifests = stack.declared
    manifests[name] = manifest
    let (checked, problems) = StackCheck.check(
      file, manifests: manifests, leftOut: stack.leftOut, folder: folder, environment: environment)
    // Earlier problems are not caused by the new program.
    let errors = problems.filter { $0.severity == .error && $0.path.hasPrefix("nodes.\(name)") }
    guard errors.isEmpty else {
      return .failure(
        OperationFailure(
          "invalid", errors.map { "\($0.path): \($0.message)" }.joined(separator: "; ")))
    }
    return .success(
      Successor(
        node: node, program: program, parameters: checked.parameters[name] ?? [:],
        manifest: manifest))
  }

  /// Differences between the stages of two programs: their inputs, outputs and calls.
  static func differences(from old: Manifest, to new: Manifest) -> [String] {
    let kinds: [(KeyPath<Manifest, [String]>, String)] = [
      (\.inputs, "read"), (\.outputs, "publish"), (\.serves, "serve"),
    ]
    return kinds.flatMap { list, verb -> [String] in
      let before = Set(old[keyPath: list])
      let after = Set(new[keyPath: list])
      let less = before.subtracting(after).sorted().map { "it does not \(verb) \"\($0)\"" }
      let more = after.subtracting(before).sorted().map { "it would also \(verb) \"\($0)\"" }
      return less + more
    }
  }
}

import BusClient
import BusProtocol
import StackFile
import Stage
import Supervision
import ZMQ

/// Requests the manifest of a program that is to take a node's place, and checks whether it fits.
struct ReplacementJudge: Sendable {
  var check: ReplacementCheck
  var programs: ProgramFinder

  /// Requests and checks on its own thread, since a program may be slow.
  ///
  /// The thread ends when it has delivered its result.
  func judge(into mail: LauncherMailbox<OperationEvent>) -> OSThread {
    OSThread("judge") { mail.put(.judged(result())) }
  }

  func result() -> Result<Successor, OperationFailure> {
    let node = check.node
    let folder = check.folder
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
    return check.check(program, manifest)
  }
}

extension DescribedManifest {
  /// The manifest, or all its faults in one sentence.
  fileprivate var result: Result<Manifest, LaunchError> {
    let errors = problems.filter { $0.severity == .error }.map { $0.text(file: "manifest") }
    if let manifest, errors.isEmpty { return .success(manifest) }
    return .failure(LaunchError(failure ?? errors.joined(separator: "; ")))
  }
}

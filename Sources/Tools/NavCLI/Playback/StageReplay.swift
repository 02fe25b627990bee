import ArgumentParser
import Bag
import BusProtocol
import Foundation
import Foundations
import Harness
import Recorder
import Replay
import StackFile
import Stage

/// Plays a recording through live stages in lock-step, and compares their outputs.
struct StageReplay {
  /// Exit code if the replay was not possible.
  private static let failed = ExitCode(2)

  let files: [String]
  let stackFile: String
  let stages: [String]
  let settings: [String]
  let programs: [String: String]
  /// Path for recording the outputs; nil for none.
  let record: String?
  /// The topics that are compared.
  let selection: TopicFilter

  func run() throws {
    let comparison: Comparison
    do {
      comparison = try play()
    } catch {
      FileHandle.standardError.write(Data("nav: \(error)\n".utf8))
      throw Self.failed
    }
    print(comparison.text.joined(separator: "\n"))
    if !comparison.isEqual { throw ExitCode(1) }
  }

  /// The journals of a live recording contain the input of each stage, with times.
  private func again(_ nodes: [any ConductedNode], _ file: String) throws -> Comparison {
    let replay = JournalReplay(nodes, try RecordedRun(path: file)) { selection.includes($0) }
    replay.log = { node, level, text in
      guard level == .warning || level == .error else { return }
      FileHandle.standardError.write(Data("\(node): \(text)\n".utf8))
    }
    let recorder = try record.map { try DriveRecorder(path: $0) }
    replay.tap = { frame in
      recorder?.write(PublishedMessage(frame), at: Instant(nanoseconds: frame.header.stampNS))
    }
    let comparison = try replay.play()
    try recorder?.close()
    return comparison
  }

  private func play() throws -> Comparison {
    guard let file = files.first, files.count == 1 else {
      throw Problem("--through plays one recording at a time")
    }
    let survey = try RecordingSurvey(paths: [file])
    try RecordingChoice(topics: selection.patterns).check([Recording(path: file)])
    let silent = stages.filter { !survey.sources.contains($0) }
    guard silent.isEmpty else {
      throw Problem(
        "the recording contains no messages of \(silent.joined(separator: ", ")); it contains those of "
          + survey.sources.sorted().joined(separator: ", "))
    }
    let stack = try StackDrive(file: stackFile, settings: settings, without: [])
    let processes = try StageProcesses(programs, stack)
    defer { processes.end() }
    var nodes: [any ConductedNode] = try stack.nodes(
      only: Set(stages).subtracting(programs.keys))
    nodes += processes.nodes
    let known = Set(nodes.map(\.name))
    let missing = stages.filter { !known.contains($0) }
    guard missing.isEmpty else {
      throw Problem("\(stackFile) has no node \(missing.joined(separator: ", "))")
    }
    let order = stack.stack.order.names
    nodes.sort { order.firstIndex(of: $0.name) ?? 0 < order.firstIndex(of: $1.name) ?? 0 }
    if Set(stages).isSubset(of: survey.journals) { return try again(nodes, file) }
    let replay = LiveStageReplay(nodes, survey, try RecordedRun(path: file)) {
      selection.includes($0)
    }
    replay.log = { line in
      guard line.level == .warning || line.level == .error else { return }
      FileHandle.standardError.write(Data("\(line.node): \(line.text)\n".utf8))
    }
    let recorder = try record.map { try DriveRecorder(path: $0) }
    replay.tap = { recorder?.write($0, at: $1) }
    let comparison = try replay.play()
    try recorder?.close()
    return comparison
  }
}

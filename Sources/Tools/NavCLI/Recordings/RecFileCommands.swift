import ArgumentParser
import Bag
import Foundation

/// `nav rec verify`: verifies a file completely.
struct RecVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify all checksums, indexes and counts; exit code 1 if one is wrong.")

  @Argument(help: "The files.")
  var files: [String]

  func run() throws {
    var isSound = true
    for file in files {
      var progress = ProgressLine()
      let check = BagVerification.check(path: file) { progress.show($0) }
      progress.end()
      for problem in check.problems { print(problem) }
      let messages = check.statistics.messageCount &- check.traceCount
      let counts = "\(messages) messages in \(check.statistics.chunkCount) chunks"
      if check.problems.isEmpty {
        print("\(file): sound, \(counts)")
      } else {
        let count = check.problems.count
        print("\(file): \(count) problem\(count == 1 ? "" : "s"), \(counts)")
        isSound = false
      }
    }
    if !isSound { throw ExitCode.failure }
  }
}

/// `nav rec recover`: makes a complete file from the readable parts.
struct RecRecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Recover a truncated or damaged recording into a new file, and report what is lost.")

  @Argument(help: "The damaged file, or the .part file that was never closed.")
  var file: String

  @Argument(help: "The new file; default: NAME.recovered.mcap.")
  var destination: String?

  func run() throws {
    let target = destination ?? Self.name(for: file)
    guard !FileManager.default.fileExists(atPath: target) else {
      throw Problem("\(target) already exists")
    }
    var progress = ProgressLine()
    let found = try BagRecovery.recover(from: file, to: target) { progress.show($0) }
    progress.end()
    for damage in found.damage { print(damage) }
    print(
      "\(target): \(found.messages) messages, \(found.attachments) attachments; "
        + "\(found.skippedBytes) bytes could not be read")
    if found.nameless > 0 {
      print("\(found.nameless) messages were left out because the record of their channel is lost")
    }
  }

  private static func name(for file: String) -> String {
    let whole = file.hasSuffix(".part") ? String(file.dropLast(5)) : file
    let stem = whole.hasSuffix(".mcap") ? String(whole.dropLast(5)) : whole
    return "\(stem).recovered.mcap"
  }
}

import ArgumentParser
import BusProtocol
import Foundation
import Replay

/// `nav diff THEN NOW`: compares the messages of two recordings.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two recordings message by message; show the first difference.",
    discussion: "Exit codes: 0 equal, 1 different, 2 they could not be compared.")

  @Argument(help: "The earlier recording (.mcap).")
  var then: String

  @Argument(help: "The later recording (.mcap).")
  var now: String

  @Option(
    parsing: .upToNextOption,
    help: "Only these topics: full names, names without the vehicle, or subtrees that end in /.")
  var topics: [String] = []

  func run() throws {
    let wanted = TopicSelection(only: topics, without: [])
    let comparison = Comparison { Comparison.isSpoken($0) && wanted.takes($0.topic) }
    do {
      let then = try RecordedRun(path: then)
      let now = try RecordedRun(path: now)
      var isThenOver = false
      while let frame = try now.next() {
        var isPaired = comparison.addCurrent(frame)
        while !isPaired, !isThenOver {
          guard let other = try then.next() else {
            isThenOver = true
            break
          }
          comparison.addRecorded(other)
          isPaired = other.topic == frame.topic
        }
      }
      while let other = try then.next() { comparison.addRecorded(other) }
    } catch {
      FileHandle.standardError.write(Data("nav: \(error)\n".utf8))
      throw ExitCode(2)
    }
    comparison.finish()
    print(comparison.text.joined(separator: "\n"))
    if !comparison.isEqual { throw ExitCode(1) }
  }
}

/// The selected topics: by whole name, by the name without the vehicle, or by subtree.
struct TopicSelection {
  /// Empty for all.
  var only: [String]
  var without: [String]

  func takes(_ topic: String) -> Bool {
    (only.isEmpty || Self.contains(only, topic)) && !Self.contains(without, topic)
  }

  private static func contains(_ patterns: [String], _ topic: String) -> Bool {
    let leaf = TopicName.split(topic).leaf
    return patterns.contains {
      TopicName.matches($0, topic) || TopicName.matches($0, leaf)
    }
  }
}

import ArgumentParser
import Bag
import BusProtocol
import Foundation
import Recorder
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
    let wanted = TopicFilter(topics)
    let comparison = Comparison { Comparison.isSpoken($0) && wanted.includes($0.topic) }
    do {
      try RecordingChoice(topics: topics).check([Recording(path: then), Recording(path: now)])
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

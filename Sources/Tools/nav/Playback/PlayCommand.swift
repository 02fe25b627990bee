import ArgumentParser
import Foundation
import Harness
import Replay

/// `nav play FILE…`: plays recordings onto a bus, or through live stages in lock-step.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play recordings onto a bus, or through live stages whose words are compared.",
    discussion: """
      Onto a bus: that of a running stack, or one of its own where no stack of the name runs. Keys: space \
      pauses, . plays one message, arrows go 5 s back and on (up and down a minute), q ends.

      With --replace and a stack file, the recording feeds these stages in lock-step; what they \
      say now is compared with what they said then. Exit codes: 0 equal, 1 different, 2 it could not be done.
      """)

  @Argument(help: "Recordings (.mcap), one after the other.")
  var files: [String]

  @OptionGroup var target: StackOptions

  @Option(help: "Recorded seconds a second, or max: as fast as the bus and its readers take it.")
  var rate = "1"

  @Option(help: "Begin so many seconds after the recording does.")
  var startOffset = 0.0

  @Option(help: "Play so many seconds of it.")
  var duration: Double?

  @Option(help: "End so many seconds after the recording begins.")
  var until: Double?

  @Flag(help: "Begin again at the end; the clock's run goes up.")
  var loop = false

  @Option(help: ArgumentHelp("Publish a topic as another.", valueName: "topic=topic"))
  var remap: [String] = []

  @Option(
    name: .customLong("rename-vehicle"),
    help: ArgumentHelp("Call a vehicle otherwise.", valueName: "vehicle=name"))
  var renamed: [String] = []

  @Option(
    parsing: .upToNextOption, help: "Only these topics: names, leaves, or subtrees that end in /.")
  var topics: [String] = []

  @Option(parsing: .upToNextOption, help: "Not these topics.")
  var without: [String] = []

  @Flag(help: "Begin paused.")
  var paused = false

  @Option(
    help: ArgumentHelp(
      "Live stages that say their part anew (with commas).", valueName: "stages"))
  var replace: String?

  @Option(
    help: ArgumentHelp(
      "The stack file with the stages that --replace names: they run in lock-step.",
      valueName: "stack.yaml"))
  var through: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Run a replaced stage as this program, in a process of its own.", valueName: "stage=program"))
  var programs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Another value for a replaced stage.", valueName: "node.param=value"))
  var set: [String] = []

  @Option(help: "Record what the replaced stages say into this file (MCAP).")
  var record: String?

  func run() throws {
    let replaced = replace.map { $0.split(separator: ",").map(String.init) } ?? []
    if let through {
      guard !replaced.isEmpty else {
        throw ValidationError("Which stages? --through goes with --replace STAGE[,STAGE].")
      }
      try StageReplay(
        files: files, stackFile: through, stages: replaced, settings: set,
        programs: try Self.pairs(programs, "--run"),
        record: record, selection: TopicSelection(only: topics, without: without)
      ).run()
      return
    }
    guard programs.isEmpty, set.isEmpty, record == nil else {
      throw ValidationError("--run, --set and --record go with --through STACK.yaml.")
    }
    try BusPlay(
      files: files, target: target, options: try options(replaced: Set(replaced))
    ).run()
  }

  private func options(replaced: Set<String>) throws -> Player.Options {
    var options = Player.Options()
    if rate == "max" {
      options.rate = nil
    } else {
      guard let number = Double(rate), number > 0, number <= 10_000 else {
        throw ValidationError("--rate: \"\(rate)\" is neither a number above 0 nor max.")
      }
      options.rate = number
    }
    guard startOffset >= 0, startOffset.isFinite, duration ?? 0 >= 0 else {
      throw ValidationError("--start-offset and --duration are seconds from 0.")
    }
    options.startS = startOffset
    options.durationS = duration
    if let until {
      guard until > startOffset else {
        throw ValidationError("--until comes before --start-offset.")
      }
      options.durationS = min(until - startOffset, duration ?? .infinity)
    }
    options.isLooping = loop
    options.isPaused = paused
    options.remap = try Self.pairs(remap, "--remap")
    options.vehicles = try Self.pairs(renamed, "--rename-vehicle")
    options.replaced = replaced
    let selection = TopicSelection(only: topics, without: without)
    options.isWanted = { selection.takes($0) }
    return options
  }

  private static func pairs(_ words: [String], _ name: String) throws -> [String: String] {
    var pairs: [String: String] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("\(name): \"\(word)\" is not of the form a=b.")
      }
      pairs[parts[0]] = parts[1]
    }
    return pairs
  }
}

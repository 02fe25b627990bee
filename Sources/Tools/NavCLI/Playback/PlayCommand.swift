import ArgumentParser
import Foundation
import Harness
import Recorder
import Replay

/// `nav play FILE…`: plays recordings onto a bus, or through live stages in lock-step.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play recordings on a bus, or through live stages whose output is compared.",
    discussion: """
      On the bus of the running stack, or on a bus of its own if no stack of that name runs. Keys: space \
      pauses, . plays one message, arrows go 5 s back or forward (up and down a minute), q quits.

      With --replace and a stack file, the recording feeds these stages in lock-step; their new output \
      is compared with the recorded output. Exit codes: 0 equal, 1 different, 2 the comparison failed.
      """)

  @Argument(help: "Recordings (.mcap), played in this order.")
  var files: [String]

  @OptionGroup var target: StackOptions

  @Option(help: "Recorded seconds per second, or max: as fast as the bus and its readers allow.")
  var rate = "1"

  @Option(help: "Start this many seconds after the beginning of the recording.")
  var startOffset = 0.0

  @Option(help: "Play this many seconds.")
  var duration: Double?

  @Option(help: "Stop this many seconds after the beginning of the recording.")
  var until: Double?

  @Flag(help: "Start again at the end, as a new run of the clock.")
  var loop = false

  @Option(help: ArgumentHelp("Publish a topic under another name.", valueName: "topic=topic"))
  var remap: [String] = []

  @Option(
    name: .customLong("rename-vehicle"),
    help: ArgumentHelp("Rename a vehicle.", valueName: "vehicle=name"))
  var renamed: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: "Only these topics: full names, names without the vehicle, or subtrees that end in /.")
  var topics: [String] = []

  @Option(parsing: .upToNextOption, help: "Leave out these topics.")
  var without: [String] = []

  @Flag(help: "Start paused.")
  var paused = false

  @Option(
    help: ArgumentHelp(
      "Live stages that replace recorded ones (separated by commas).", valueName: "stages"))
  var replace: String?

  @Option(
    help: ArgumentHelp(
      "The stack file that contains the stages of --replace; they run in lock-step.",
      valueName: "stack.yaml"))
  var through: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Run this program as the replaced stage, in a process of its own.", valueName: "stage=program"
    ))
  var programs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a parameter of a replaced stage.", valueName: "node.param=value"))
  var set: [String] = []

  @Option(help: "Record the output of the replaced stages into this file (MCAP).")
  var record: String?

  func run() throws {
    let replaced = replace.map { $0.split(separator: ",").map(String.init) } ?? []
    if let through {
      guard !replaced.isEmpty else {
        throw ValidationError("Which stages? --through needs --replace STAGE[,STAGE].")
      }
      try StageReplay(
        files: files, stackFile: through, stages: replaced, settings: set,
        programs: try Self.pairs(programs, "--run"),
        record: record, selection: selection
      ).run()
      return
    }
    guard programs.isEmpty, set.isEmpty, record == nil else {
      throw ValidationError("--run, --set and --record need --through STACK.yaml.")
    }
    try BusPlayback(
      files: files, target: target, options: try options(replaced: Set(replaced)),
      selection: selection
    ).run()
  }

  /// The topics of `--topics`, without those of `--without`.
  private var selection: TopicFilter { TopicFilter(topics + without.map { "!\($0)" }) }

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
      throw ValidationError("--start-offset and --duration must be 0 or more seconds.")
    }
    options.startS = startOffset
    options.durationS = duration
    if let until {
      guard until > startOffset else {
        throw ValidationError("--until is before --start-offset.")
      }
      options.durationS = min(until - startOffset, duration ?? .infinity)
    }
    options.isLooping = loop
    options.isPaused = paused
    options.remap = try Self.pairs(remap, "--remap")
    options.vehicles = try Self.pairs(renamed, "--rename-vehicle")
    options.replaced = replaced
    let selection = selection
    options.isWanted = { selection.includes($0) }
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

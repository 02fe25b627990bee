import ArgumentParser
import Fuzzing

/// Spoils what travels: frames, headers, payloads, the control socket, recordings.
@main struct FuzzWire: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-wire",
    abstract: "Gives spoilt frames, payloads and recordings to whoever reads them.")

  @OptionGroup var options: FuzzOptions

  func run() throws {
    try options.run([
      ValueTarget.self, PayloadTarget.self, FrameTarget.self, BrokerTarget.self,
      ReaderTarget.self, RecordingTarget.self,
    ])
  }
}

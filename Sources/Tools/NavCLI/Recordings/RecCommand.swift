import ArgumentParser
import Bag
import Foundation

/// `nav rec`: makes recordings, and works with their files.
struct RecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rec",
    abstract: "Record a running stack; inspect, verify, recover and cut recordings.",
    subcommands: [
      RecStartCommand.self, RecStopCommand.self, RecStatusCommand.self, RecInfoCommand.self,
      RecVerifyCommand.self, RecRecoverCommand.self, RecCutCommand.self, RecMergeCommand.self,
      RecExportCommand.self,
    ])
}

/// Reports the progress of a long operation on standard error, if that is a terminal.
struct ProgressLine {
  private var shown = -1
  private let isSeen = isatty(2) == 1

  mutating func show(_ fraction: Double) {
    let percent = Int(fraction * 100)
    guard isSeen, percent > shown else { return }
    shown = percent
    FileHandle.standardError.write(Data("\r\(percent) %".utf8))
  }

  func end() {
    if isSeen, shown >= 0 { FileHandle.standardError.write(Data("\r     \r".utf8)) }
  }
}

/// Bytes for people: `812 B`, `454.4 kB`, `18.2 MB`.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    guard bytes >= 1_000 else { return "\(bytes) B" }
    var value = Double(bytes)
    var unit = ""
    for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 {
      value /= 1_000
      unit = next
    }
    return String(format: "%.1f %@", value, unit)
  }
}

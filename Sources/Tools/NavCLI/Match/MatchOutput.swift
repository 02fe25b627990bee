import Foundation
import Synchronization

/// Standard output as one document of the requested format, to which answers are appended.
final class MatchOutput: Sendable {
  private struct State {
    var hasBegun = false
    var isBroken = false
  }

  private let setting: MatchSetting
  private let state = Mutex(State())

  init(_ setting: MatchSetting) { self.setting = setting }

  var isEmpty: Bool { state.withLock { !$0.hasBegun } }
  /// Whether something could not be written.
  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// Appends an answer, or the start of one.
  func append(_ bytes: [UInt8]) throws(MatchCommandFault) {
    guard !bytes.isEmpty else { return }
    var text = OutputText(capacity: bytes.count + 256)
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    if isFirst {
      MatchReport.header(setting, &text)
    } else if setting.format == .geojson {
      text.text(",\n" as StaticString)
    }
    text.text(bytes)
    try write(text)
  }

  /// Writes the rest of an answer whose start was appended.
  func write(_ text: borrowing OutputText) throws(MatchCommandFault) {
    do {
      try FileHandle.standardOutput.write(contentsOf: text.data)
    } catch {
      state.withLock { $0.isBroken = true }
      throw MatchCommandFault("the answer cannot be written: \(error.localizedDescription)")
    }
  }

  /// Ends the document; one without an answer is written only if `isWanted`.
  func end(isWanted: Bool) throws(MatchCommandFault) {
    guard isWanted else { return }
    var text = OutputText(capacity: 256)
    if isEmpty { MatchReport.header(setting, &text) }
    MatchReport.footer(setting, &text)
    try write(text)
  }
}

import Bag
import BusProtocol
import Foundations
import Harness
import NodeKit
import SchemaTexts

/// Records a drive as an MCAP file, as the broker does on the bus.
///
/// The log time is stack time, so that the same drive gives the same bytes.
final class DriveRecorder {
  private let writer: FrameWriter
  private var failure: BagError?
  /// Messages from before the time was known; they are logged at the first known time.
  private var early: [PublishedMessage] = []

  init(path: String) throws {
    writer = try FrameWriter(
      path: path, options: BagWriter.Options(chunkSpanNS: 10_000_000_000),
      schemaText: { SchemaTexts.text($0).map { Array($0.utf8) } },
      deliveryClass: { Contract.table[$0].deliveryClass })
  }

  /// Appends a message that was published at a stack time; 0 if that is not known yet.
  func write(_ message: PublishedMessage, at now: Instant) {
    guard now.nanoseconds > 0 else { return early.append(message) }
    appendEarly(at: now)
    append(message, at: now)
  }

  private func appendEarly(at now: Instant) {
    let messages = early
    early = []
    for message in messages { append(message, at: now) }
  }

  private func append(_ message: PublishedMessage, at now: Instant) {
    do throws(BagError) {
      try writer.write(
        message.frame(sentNS: now.nanoseconds), logTimeNS: max(0, now.nanoseconds))
    } catch {
      if failure == nil { failure = error }
    }
  }

  /// Closes the file and renames it.
  ///
  /// - Throws: the first failure since it was opened.
  func close() throws {
    appendEarly(at: Instant(nanoseconds: 0))
    if let failure { throw failure }
    try writer.close()
  }
}

import Bag
import Bus
import EventTime
import Harness
import NodeKit
import SchemaTexts
import Stage

/// Records a drive as an MCAP file, as the broker does on the bus.
///
/// The log time is the event time, so that the same drive gives the same bytes.
final class DriveRecorder {
  private let writer: FrameWriter
  private var failure: BagError?

  init(path: String) throws {
    writer = try FrameWriter(
      path: path, options: BagWriter.Options(chunkSpanNS: 10_000_000_000),
      schemaText: { SchemaTexts.text($0).map { Array($0.utf8) } },
      deliveryClass: { Contract.table[$0].deliveryClass })
  }

  func write(_ message: PublishedMessage) {
    let header = Header(
      sequence: message.sequence, stampNS: message.stamp.nanoseconds, source: message.source,
      run: message.run, schema: message.schema,
      cause: message.cause.map {
        Origin(topic: $0.topic, source: $0.source, run: $0.run, sequence: $0.sequence)
      }, key: message.key, ttlMS: message.ttlMS)
    do throws(BagError) {
      try writer.write(
        Frame(topic: message.name, header: header, payload: message.payload),
        logTimeNS: message.stamp.nanoseconds)
    } catch {
      if failure == nil { failure = error }
    }
  }

  /// Ends the file and gives it its name.
  ///
  /// - Throws: the first failure since it was opened.
  func close() throws {
    if let failure { throw failure }
    try writer.close()
  }
}

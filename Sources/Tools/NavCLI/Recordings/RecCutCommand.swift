import ArgumentParser
import Bag
import BusProtocol
import Foundation
import Foundations
import Recorder

/// `nav rec cut`: copies a part of a recording into a new recording.
struct RecCutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut",
    abstract: "Cut a part out of a recording; it begins with the values latched at that time.")

  @Argument(help: "The recording.")
  var file: String

  @Argument(help: "The new file.")
  var destination: String

  @Option(help: "Seconds from the recording's beginning.")
  var from = 0.0

  @Option(help: "Seconds from the recording's beginning; default: its end.")
  var to: Double?

  @Option(parsing: .upToNextOption, help: "Topics to keep, as in nav rec start.")
  var topics: [String] = []

  func run() throws {
    let recording = try Recording(path: file)
    guard let first = try recording.frames().next() else { throw Problem("\(file): no messages") }
    let start = try Self.time(from, after: first.logTimeNS)
    let end = try to.map { try Self.time($0, after: first.logTimeNS) } ?? .max
    guard start <= end else { throw Problem("--to is before --from") }
    let filter = TopicFilter(topics)
    let latched =
      from > 0 ? try recording.states(before: start, where: { filter.includes($0) }) : []
    let choice = RecordingChoice(topics: topics, times: start...end)
    try choice.check([recording])
    let copy = try RecordingCopy(of: [file], to: destination)
    for var value in latched {
      value.frame.header.isLatched = true
      value.logTimeNS = start
      try copy.write(value)
    }
    let cursor = try choice.frames(recording)
    while let one = try cursor.next() { try copy.write(one) }
    print("\(destination): \(try copy.close()) messages")
  }

  private static func time(_ seconds: Double, after startNS: Int64) throws -> Int64 {
    guard seconds >= 0, seconds < 1e9 else {
      throw Problem("\(seconds) s: expected 0 to 1,000,000,000 seconds")
    }
    let (time, isOver) = startNS.addingReportingOverflow(Int64(saturating: seconds * 1e9))
    return isOver ? .max : time
  }
}

/// `nav rec merge`: merges several recordings into one, by log time.
struct RecMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge recordings in the order of their log times.")

  @Argument(help: "The new file.")
  var destination: String

  @Argument(
    help:
      "The recordings; of two messages with equal times, that of the recording named earlier comes first."
  )
  var files: [String]

  func run() throws {
    let copy = try RecordingCopy(of: files, to: destination)
    let cursors = try files.map { try Recording(path: $0).frames() }
    var next = try cursors.map { try $0.next() }
    // There are few files, so the earliest message is found by checking each.
    while let index = next.indices.filter({ next[$0] != nil }).min(by: {
      (next[$0]?.logTimeNS ?? 0, $0) < (next[$1]?.logTimeNS ?? 0, $1)
    }), let one = next[index] {
      try copy.write(one)
      next[index] = try cursors[index].next()
    }
    print("\(destination): \(try copy.close()) messages")
  }
}

/// A recording that is made from others, including their schemas, attachments and notes.
private final class RecordingCopy {
  private let writer: FrameWriter
  private var messages = 0

  init(of files: [String], to destination: String) throws {
    guard !FileManager.default.fileExists(atPath: destination) else {
      throw Problem("\(destination) already exists")
    }
    var texts: [String: [UInt8]] = [:]
    var classes: [String: DeliveryClass] = [:]
    let readers = try files.map { try BagReader(path: $0) }
    for reader in readers {
      for schema in reader.summary.schemas.values where !schema.data.isEmpty {
        texts[schema.name] = schema.data
      }
      for channel in reader.summary.channels.values {
        classes[channel.topic] = channel.metadata["class"].flatMap { DeliveryClass(rawValue: $0) }
      }
    }
    writer = try FrameWriter(
      path: destination, schemaText: { [texts] in texts[$0] },
      deliveryClass: { [classes] in classes[$0] ?? .stream })
    for reader in readers {
      for index in reader.summary.attachments { try writer.write(try reader.attachment(index)) }
      for index in reader.summary.metadata { try writer.write(try reader.metadata(index)) }
    }
  }

  func write(_ one: RecordedFrame) throws {
    try writer.write(one.frame, logTimeNS: one.logTimeNS)
    messages += 1
  }

  func close() throws -> Int {
    try writer.close()
    return messages
  }
}

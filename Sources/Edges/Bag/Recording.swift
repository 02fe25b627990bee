public import BusProtocol

/// A recorded message of the bus.
public struct RecordedFrame: Hashable, Sendable {
  /// Time at which the broker received it, by the machine's clock, in nanoseconds since 1970.
  public var logTimeNS: Int64
  /// The message as sent; `isLatched` is set if it was a state's value when the file started.
  public var frame: Frame

  public init(logTimeNS: Int64, frame: Frame) {
    self.logTimeNS = logTimeNS
    self.frame = frame
  }
}

/// A recording of the bus, read by its indexes if it has any, otherwise from its start.
///
/// Other MCAP files are also read if their chunks are uncompressed or use zstd. A source that they
/// do not name is `recorded` with run 0.
public final class Recording {
  /// The channel for headers that do not fit into the other messages' records.
  public static let traceTopic = FrameTrace.topic

  public let path: String
  public let header: BagHeader
  /// The summary of the file; nil if the file was not closed, or the summary is incomplete.
  public let summary: BagSummary?
  private let reader: BagReader?
  private let limits: BagLimits

  /// - Throws: `BagError` for a file that is not MCAP, or whose summary is damaged.
  public init(path: String, limits: BagLimits = BagLimits()) throws(BagError) {
    self.path = path
    self.limits = limits
    do throws(BagError) {
      let found = try BagReader(path: path, limits: limits)
      reader = found.summary.isWhole ? found : nil
      summary = reader?.summary
      header = found.header
    } catch {
      guard case .noSummary = error.reason else { throw error }
      reader = nil
      summary = nil
      header = try BagStream(path: path, limits: limits).header
    }
  }

  /// Whether requested data is found without reading the rest.
  public var isIndexed: Bool { reader != nil }

  /// The messages of the wanted topics with a log time in a range, in order of the file and of
  /// arrival.
  ///
  /// Each call starts anew. Memory: one chunk, independent of the file's length.
  public func frames(
    where isWanted: @escaping (String) -> Bool = { _ in true },
    during times: ClosedRange<Int64> = 0...Int64.max
  ) throws(BagError) -> FrameCursor {
    // Times beyond the range of `Int64` are reported as its maximum. A range that ends there
    // includes them.
    let last = times.upperBound == .max ? UInt64.max : UInt64(clamping: times.upperBound)
    let range = UInt64(clamping: times.lowerBound)...last
    let withTraces = { $0 == FrameTrace.topic || isWanted($0) }
    if let reader {
      let wanted = reader.channels(where: withTraces)
      return FrameCursor(
        .indexed(reader, reader.messages(of: wanted, during: range)), isWanted, range)
    }
    return FrameCursor(.streamed(try BagStream(path: path, limits: limits)), isWanted, range)
  }

  /// The last value of each state (topic and key) before a time, in the order of the file.
  ///
  /// A reader that starts at that time needs these first.
  public func states(
    before timeNS: Int64, where isWanted: @escaping (String) -> Bool = { _ in true }
  ) throws(BagError) -> [RecordedFrame] {
    guard timeNS > 0 else { return [] }
    struct Name: Hashable {
      var topic: String
      var key: String
    }
    var last: [Name: (place: Int, value: RecordedFrame)] = [:]
    let cursor = try frames(where: isWanted, during: 0...timeNS - 1)
    var place = 0
    while let value = try cursor.next() {
      place += 1
      guard cursor.deliveryClass == .state else { continue }
      last[Name(topic: value.frame.topic, key: value.frame.header.key ?? "")] = (place, value)
    }
    return last.values.sorted { $0.place < $1.place }.map(\.value)
  }
}

extension BagSummary {
  /// Whether each message can be found and named by it.
  var isWhole: Bool {
    guard let statistics, Int(statistics.chunkCount) == chunks.count,
      statistics.messageCount == 0 || !chunks.isEmpty
    else { return false }
    return chunks.allSatisfy { chunk in
      !chunk.messageIndexOffsets.isEmpty
        && chunk.messageIndexOffsets.keys.allSatisfy { channels[$0] != nil }
    }
  }
}

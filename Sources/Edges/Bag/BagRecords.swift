/// The description of a payload's form.
public struct BagSchema: Hashable, Sendable {
  /// From 1; unique in its file.
  public var id: UInt16
  /// Such as `location_raw/1.0`.
  public var name: String
  /// `jsonschema`, or empty where there is no description.
  public var encoding: String
  public var data: [UInt8]
}

/// Where messages come from: all that they have in common.
public struct BagChannel: Hashable, Sendable {
  public var id: UInt16
  /// 0 where there is none.
  public var schemaID: UInt16
  public var topic: String
  /// `msgpack` in ours.
  public var messageEncoding: String
  /// `source`, `run` and `class` in ours.
  public var metadata: [String: String]
}

/// One message as it stands in the file.
public struct BagMessage: Hashable, Sendable {
  public var channelID: UInt16
  /// The low 32 bits of the sender's number.
  public var sequence: UInt32
  /// When it was recorded, in nanoseconds.
  public var logTimeNS: UInt64
  /// When it was sent, in nanoseconds.
  public var publishTimeNS: UInt64
  /// Not looked into.
  public var payload: [UInt8]

  public init(
    channelID: UInt16, sequence: UInt32, logTimeNS: UInt64, publishTimeNS: UInt64,
    payload: [UInt8]
  ) {
    self.channelID = channelID
    self.sequence = sequence
    self.logTimeNS = logTimeNS
    self.publishTimeNS = publishTimeNS
    self.payload = payload
  }
}

/// A file within the file.
public struct BagAttachment: Hashable, Sendable {
  public var name: String
  public var mediaType: String
  public var logTimeNS: UInt64
  /// 0 where it is not known.
  public var createTimeNS: UInt64
  public var data: [UInt8]

  public init(
    name: String, mediaType: String, logTimeNS: UInt64, createTimeNS: UInt64 = 0, data: [UInt8]
  ) {
    self.name = name
    self.mediaType = mediaType
    self.logTimeNS = logTimeNS
    self.createTimeNS = createTimeNS
    self.data = data
  }
}

/// Named pairs of text.
public struct BagMetadata: Hashable, Sendable {
  public var name: String
  public var entries: [String: String]

  public init(name: String, entries: [String: String]) {
    self.name = name
    self.entries = entries
  }
}

/// Who wrote the file, and by which convention.
public struct BagHeader: Hashable, Sendable {
  /// `nav` in ours.
  public var profile: String
  public var library: String

  public init(profile: String, library: String) {
    self.profile = profile
    self.library = library
  }
}

/// What the whole file holds, in numbers.
public struct BagStatistics: Hashable, Sendable {
  public var messageCount: UInt64 = 0
  public var schemaCount: UInt16 = 0
  public var channelCount: UInt32 = 0
  public var attachmentCount: UInt32 = 0
  public var metadataCount: UInt32 = 0
  public var chunkCount: UInt32 = 0
  /// Earliest and latest log time; 0 where there is no message.
  public var startTimeNS: UInt64 = 0
  public var endTimeNS: UInt64 = 0
  /// Messages by channel.
  public var channelMessageCounts: [UInt16: UInt64] = [:]

  public init() {}

  /// Counts one more message.
  public mutating func add(_ message: BagMessage) {
    count(message.channelID, logTimeNS: message.logTimeNS)
  }

  mutating func count(_ channel: UInt16, logTimeNS: UInt64) {
    startTimeNS = messageCount == 0 ? logTimeNS : min(startTimeNS, logTimeNS)
    endTimeNS = max(endTimeNS, logTimeNS)
    messageCount += 1
    channelMessageCounts[channel, default: 0] += 1
  }
}

/// Where a chunk is and what is in it.
public struct BagChunkIndex: Hashable, Sendable {
  public var startTimeNS: UInt64
  public var endTimeNS: UInt64
  /// The file's byte of the chunk's record, and the record's length with its head.
  public var offset: Int
  public var length: Int
  /// Where the message index of each channel is; empty where the writer made none.
  public var messageIndexOffsets: [UInt16: Int]
  public var messageIndexLength: Int
  public var compression: String
  public var compressedSize: Int
  public var uncompressedSize: Int
}

/// Where an attachment is.
public struct BagAttachmentIndex: Hashable, Sendable {
  public var offset: Int
  public var length: Int
  public var logTimeNS: UInt64
  public var createTimeNS: UInt64
  public var dataSize: Int
  public var name: String
  public var mediaType: String
}

/// Where a metadata record is.
public struct BagMetadataIndex: Hashable, Sendable {
  public var offset: Int
  public var length: Int
  public var name: String
}

/// What the end of a closed file tells of it.
public struct BagSummary: Hashable, Sendable {
  public var schemas: [UInt16: BagSchema] = [:]
  public var channels: [UInt16: BagChannel] = [:]
  public var statistics: BagStatistics?
  /// In the order of the file.
  public var chunks: [BagChunkIndex] = []
  public var attachments: [BagAttachmentIndex] = []
  public var metadata: [BagMetadataIndex] = []

  public init() {}
}

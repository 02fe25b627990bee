/// The description of a payload format.
public struct BagSchema: Hashable, Sendable {
  /// From 1; unique in its file.
  public var id: UInt16
  /// Its name, such as `location_raw/1.0`.
  public var name: String
  /// `jsonschema`, or empty if there is no description.
  public var encoding: String
  public var data: [UInt8]
}

/// The origin of messages: everything that they have in common.
public struct BagChannel: Hashable, Sendable {
  public var id: UInt16
  /// The number of the schema; 0 if there is none.
  public var schemaID: UInt16
  public var topic: String
  /// `msgpack` in recordings of this project.
  public var messageEncoding: String
  /// `source`, `run` and `class` in recordings of this project.
  public var metadata: [String: String]
}

/// One message as stored in the file.
public struct BagMessage: Hashable, Sendable {
  public var channelID: UInt16
  /// The low 32 bits of the sender's number.
  public var sequence: UInt32
  /// When it was recorded, in nanoseconds.
  public var logTimeNS: UInt64
  /// When it was sent, in nanoseconds.
  public var publishTimeNS: UInt64
  /// The payload, not decoded.
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

/// A file that is embedded in the file.
public struct BagAttachment: Hashable, Sendable {
  public var name: String
  public var mediaType: String
  public var logTimeNS: UInt64
  /// Time of creation; 0 if it is unknown.
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

/// The program that wrote the file, and the convention that it used.
public struct BagHeader: Hashable, Sendable {
  /// `nav` in recordings of this project.
  public var profile: String
  public var library: String

  public init(profile: String, library: String) {
    self.profile = profile
    self.library = library
  }
}

/// Statistics of the whole file.
public struct BagStatistics: Hashable, Sendable {
  public var messageCount: UInt64 = 0
  public var schemaCount: UInt16 = 0
  public var channelCount: UInt32 = 0
  public var attachmentCount: UInt32 = 0
  public var metadataCount: UInt32 = 0
  public var chunkCount: UInt32 = 0
  /// Earliest and latest log time; 0 if there are no messages.
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

/// The position and contents of a chunk.
public struct BagChunkIndex: Hashable, Sendable {
  public var startTimeNS: UInt64
  public var endTimeNS: UInt64
  /// Byte offset of the chunk's record, and the record's length including its head.
  public var offset: Int
  public var length: Int
  /// Positions of the message index of each channel; empty if the writer made none.
  public var messageIndexOffsets: [UInt16: Int]
  public var messageIndexLength: Int
  public var compression: String
  public var compressedSize: Int
  public var uncompressedSize: Int
}

/// The position of an attachment.
public struct BagAttachmentIndex: Hashable, Sendable {
  public var offset: Int
  public var length: Int
  public var logTimeNS: UInt64
  public var createTimeNS: UInt64
  public var dataSize: Int
  public var name: String
  public var mediaType: String
}

/// The position of a metadata record.
public struct BagMetadataIndex: Hashable, Sendable {
  public var offset: Int
  public var length: Int
  public var name: String
}

/// The contents of the summary at the end of a closed file.
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

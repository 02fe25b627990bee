/// Limits on what a reader loads into memory, whatever sizes a file declares.
public struct BagLimits: Hashable, Sendable {
  /// Maximum size of a chunk after decompression, in bytes.
  public var chunkBytes: Int
  /// Maximum size of a record in the file, including attachments and the summary, in bytes.
  public var recordBytes: Int

  public init(chunkBytes: Int = 128 << 20, recordBytes: Int = 256 << 20) {
    self.chunkBytes = chunkBytes
    self.recordBytes = recordBytes
  }
}

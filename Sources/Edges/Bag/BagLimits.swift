/// What a reader is willing to take into memory, whatever a file says.
public struct BagLimits: Hashable, Sendable {
  /// Most bytes of a chunk after decompression.
  public var chunkBytes: Int
  /// Most bytes of a record as it stands in the file; attachments and the summary included.
  public var recordBytes: Int

  public init(chunkBytes: Int = 128 << 20, recordBytes: Int = 256 << 20) {
    self.chunkBytes = chunkBytes
    self.recordBytes = recordBytes
  }
}

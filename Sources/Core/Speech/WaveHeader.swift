/// Reads the header of a RIFF WAVE file.
public enum WaveHeader {
  /// Seconds of sound in the file `bytes`; nil if it is not a WAVE file or ends before its data.
  public static func durationS(of bytes: [UInt8]) -> Double? {
    guard bytes.count >= 12, text(bytes, 0) == "RIFF", text(bytes, 8) == "WAVE" else { return nil }
    var offset = 12
    var bytesPerSecond = 0
    while offset + 8 <= bytes.count {
      let length = number(bytes, offset + 4)
      if text(bytes, offset) == "fmt ", offset + 20 <= bytes.count {
        bytesPerSecond = number(bytes, offset + 16)
      }
      if text(bytes, offset) == "data" {
        // A writer that could not seek leaves a length beyond the file's end.
        let present = min(length, bytes.count - offset - 8)
        return bytesPerSecond > 0 ? Double(present) / Double(bytesPerSecond) : nil
      }
      offset += 8 + length + length % 2
    }
    return nil
  }

  private static func text(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}

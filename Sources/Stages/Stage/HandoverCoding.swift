/// Encodes the complete state of a stage for a successor: exact, versioned, and meant to be read at
/// once.
///
/// The reader is the same or the next release.
public enum HandoverCoding {
  /// The first byte, with which no earlier form of these states begins.
  private static let mark: UInt8 = 0xE2

  private struct Versioned<Body: Codable>: Codable {
    var version: Int
    var body: Body
  }

  /// Encodes a state; returns nil for a value that cannot be encoded, which no stage has.
  public static func encode<Body: Codable>(_ body: Body, version: Int) -> [UInt8]? {
    (try? StateEncoder.encode(Versioned(version: version, body: body))).map { [mark] + $0 }
  }

  /// Decodes a state of the same version.
  ///
  /// - Throws: `Refusal`, after which the predecessor continues.
  public static func decode<Body: Codable>(
    _ type: Body.Type, from bytes: [UInt8], version: Int
  ) throws(Refusal) -> Body {
    guard bytes.first == mark else {
      throw Refusal(
        reason: "other_version",
        message: "the transferred state was written by another release")
    }
    let read: Versioned<Body>
    do {
      read = try StateDecoder.decode(Versioned<Body>.self, from: bytes.dropFirst())
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the transferred state: \(error)")
    }
    guard read.version == version else {
      throw Refusal(
        reason: "other_version",
        message: "the transferred state has version \(read.version), not \(version)")
    }
    return read.body
  }
}

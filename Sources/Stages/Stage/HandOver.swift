import Foundation

/// How a stage writes all that it knows for a successor: exact, with a version, and meant to be read
/// at once by the same or the next release.
public enum HandOver {
  private struct Versioned<Body: Codable>: Codable {
    var version: Int
    var body: Body
  }

  /// Writes a state; nil where it holds what cannot be written, which no stage's does.
  public static func encode<Body: Codable>(_ body: Body, version: Int) -> [UInt8]? {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return (try? encoder.encode(Versioned(version: version, body: body))).map { Array($0) }
  }

  /// Reads a state that was written with the same version.
  ///
  /// - Throws: `Refusal`, which leaves the predecessor in its place.
  public static func decode<Body: Codable>(
    _ type: Body.Type, from bytes: [UInt8], version: Int
  ) throws(Refusal) -> Body {
    let read: Versioned<Body>
    do {
      read = try PropertyListDecoder().decode(Versioned<Body>.self, from: Data(bytes))
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the state that is handed over: \(error)")
    }
    guard read.version == version else {
      throw Refusal(
        reason: "other_version",
        message: "the state that is handed over has version \(read.version), not \(version)")
    }
    return read.body
  }
}

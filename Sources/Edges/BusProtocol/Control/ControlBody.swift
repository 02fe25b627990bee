package import MessagePack

/// The keys of one operation of the control socket.
package protocol ControlBody: Hashable, Sendable {
  /// The map that is sent: `op` first, then the keys, without absent values and empty lists.
  func encoded() -> [UInt8]
}

extension ControlMessage.Operation {
  private static let keys: [StaticString] = ["op"]

  /// Reads the word `op` of an encoded map, which usually comes first.
  ///
  /// - Throws: `DecodeError` if it is missing or unknown.
  package init(of bytes: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(bytes)
    for _ in 0..<(try reader.mapHeader()) {
      guard try reader.key(in: Self.keys, guess: 0) != nil else {
        try reader.skip()
        continue
      }
      let word = try reader.string()
      guard let known = Self(rawValue: word) else {
        throw reader.fault(.unknownWord, at: 0, field: "op", "\"\(word)\" is not an operation")
      }
      self = known
      return
    }
    throw reader.fault(.missingField, at: 0, field: "op", "is missing")
  }
}

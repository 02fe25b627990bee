import BusProtocol
import Glibc
import MessagePack

/// A file with the last values of states, for the broker that replaces one that was killed.
///
/// It contains four bytes of magic, the CRC-32 of the rest (big endian), and a MessagePack array.
/// The array repeats topic, header and payload.
enum StateFile {
  static let magic: [UInt8] = Array("NVS1".utf8)
  /// Maximum size of the file in bytes; it is bounded because the folder may be in memory.
  static let maximumBytes = 64 << 20

  static func encoded(_ frames: [Frame]) -> [UInt8] {
    var packer = Packer()
    packer.packArrayHeader(3 * frames.count)
    for frame in frames {
      packer.pack(frame.topic)
      packer.pack(bytes: frame.header.encoded())
      packer.pack(bytes: frame.payload)
    }
    let body = packer.bytes
    let sum = CRC32.checksum(body)
    return magic + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) } + body
  }

  /// Decodes the values of a file; nil if the file is damaged.
  ///
  /// A value that cannot be decoded is skipped; the other values are returned.
  static func frames(_ bytes: [UInt8]) -> [Frame]? {
    guard bytes.count >= 8, bytes.starts(with: magic) else { return nil }
    let sum = bytes[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let body = Array(bytes[8...])
    guard CRC32.checksum(body) == sum else { return nil }
    var reader = Unpacker(body)
    do throws(DecodeError) {
      let count = try reader.arrayHeader() / 3
      var frames: [Frame] = []
      for _ in 0..<count {
        let topic = try reader.string()
        let header = try reader.blob()
        let payload = try reader.blob()
        guard let header = try? Header(decoding: header), TopicName.isValid(Array(topic.utf8))
        else { continue }
        frames.append(Frame(topic: topic, header: header, payload: payload))
      }
      return frames
    } catch {
      return nil
    }
  }

  /// Whether a state outlives its broker; states that processes publish on themselves do not.
  static func keeps(_ topic: String) -> Bool {
    !topic.hasPrefix("_node/") && !topic.hasPrefix("_bus/") && !topic.hasPrefix("_handover/")
  }

  static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < maximumBytes {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
    return nil
  }

  /// Writes a new file next to `path` and renames it; false if that fails.
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let new = path + ".new"
    let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(file)
    guard rest.isEmpty, rename(new, path) == 0 else {
      unlink(new)
      return false
    }
    return true
  }
}

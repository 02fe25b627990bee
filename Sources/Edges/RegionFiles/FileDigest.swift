import Digest
import Glibc

/// Computes the length and SHA-256 of a file.
public enum FileDigest {
  /// Length in bytes, and SHA-256 as 64 hexadecimal digits; reads the file in pieces of 1 MiB.
  ///
  /// - Throws: `RegionFault` if the file cannot be read.
  public static func of(_ path: String) throws(RegionFault) -> (bytes: Int, sha256: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    do throws(DigestError) {
      var digest = try SHA256()
      var length = 0
      var piece = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = read(file, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { break }
        if count == 0 { return (length, try digest.hexadecimal()) }
        digest.update(Array(piece[..<count]))
        length += count
      }
    } catch {
      throw RegionFault("libcrypto provides no SHA-256")
    }
    throw failure(path)
  }

  private static func failure(_ path: String) -> RegionFault {
    RegionFault("cannot read \(path): \(String(cString: strerror(errno)))")
  }
}

import Glibc

/// A file that is being written, next to its final path: `<path>.part` until it is closed.
///
/// An existing part is never overwritten. A part that is released without `close()` stays on the
/// disk.
final class PartFile {
  let path: String
  /// Number of bytes written.
  private(set) var count = 0
  /// The checksum of everything written.
  private(set) var checksum = Checksum()
  private var file: Int32?

  private var part: String { "\(path).part" }

  init(path: String) throws(BagError) {
    self.path = path
    let opened = open("\(path).part", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw failure(.system(action: "create \(path).part", code: errno))
    }
    file = opened
  }

  deinit {
    if let file { Glibc.close(file) }
  }

  var isOpen: Bool { file != nil }

  func write(_ bytes: [UInt8]) throws(BagError) {
    checksum.add(bytes)
    try put(bytes)
  }

  /// Writes bytes with a known checksum.
  func write(_ bytes: [UInt8], _ known: Checksum) throws(BagError) {
    checksum.add(known, byteCount: bytes.count)
    try put(bytes)
  }

  /// Data after half a record could not be read, so the first failure is the last write.
  private func put(_ bytes: [UInt8]) throws(BagError) {
    guard let open = file else { throw failure(.closed) }
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes {
        Glibc.write(open, $0.baseAddress?.advanced(by: done), $0.count - done)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw abandon("write") }
      done += written
      count += written
    }
  }

  /// Waits until everything is on the disk, safe from a loss of power.
  func synchronize() throws(BagError) {
    guard let open = file else { throw failure(.closed) }
    guard fdatasync(open) == 0 else { throw abandon("write to the disk") }
  }

  /// Renames the file to its final path, replacing an existing file; after an error the part stays.
  func close() throws(BagError) {
    guard let open = file else { throw failure(.closed) }
    guard fsync(open) == 0 else { throw abandon("write to the disk") }
    file = nil
    guard Glibc.close(open) == 0 else { throw failure(.system(action: "close", code: errno)) }
    guard rename(part, path) == 0 else {
      throw failure(.system(action: "rename \(part)", code: errno))
    }
  }

  private func abandon(_ action: String) -> BagError {
    let code = errno
    if let file { Glibc.close(file) }
    file = nil
    return failure(.system(action: action, code: code))
  }

  func failure(_ reason: BagError.Reason) -> BagError {
    BagError(reason: reason, path: path, byteOffset: count)
  }
}

func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

import Glibc

/// Random access to a file's bytes through one buffer.
final class ByteFile {
  let path: String
  let size: Int
  private let file: Int32
  private var buffer: [UInt8] = []
  private var bufferStart = 0

  init(path: String) throws(BagError) {
    func failure(_ action: String, _ code: Int32) -> BagError {
      BagError(reason: .system(action: action, code: code), path: path, byteOffset: 0)
    }
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { throw failure("open", errno) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw failure("read as a file", EINVAL)
    }
    self.path = path
    size = Int(status.st_size)
    file = opened
  }

  deinit { close(file) }

  /// Returns `count` bytes from `offset`, or throws an error if the file ends before.
  func bytes(at offset: Int, count: Int, field: String) throws(BagError) -> ArraySlice<UInt8> {
    guard count <= size - offset else { throw truncated(field, offset) }
    if offset < bufferStart || offset + count > bufferStart + buffer.count {
      try fill(from: offset, count: max(count, min(Format.bufferSize, size - offset)))
    }
    let first = offset - bufferStart
    guard first + count <= buffer.count else { throw truncated(field, offset) }
    return buffer[first..<first + count]
  }

  private func truncated(_ field: String, _ offset: Int) -> BagError {
    BagError(reason: .truncated(field: field), path: path, byteOffset: offset)
  }

  private func fill(from offset: Int, count: Int) throws(BagError) {
    var fresh = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = fresh.withUnsafeMutableBytes {
        pread(file, $0.baseAddress?.advanced(by: done), count - done, offset + done)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        throw BagError(
          reason: .system(action: "read", code: errno), path: path, byteOffset: offset + done)
      }
      if got == 0 { break }
      done += got
    }
    fresh.removeLast(count - done)
    buffer = fresh
    bufferStart = offset
  }
}

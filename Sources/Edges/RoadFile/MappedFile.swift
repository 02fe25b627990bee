import Glibc

/// A memory-mapped file: read-only, shared by all processes, unmapped with the last reference.
final class MappedFile: Sendable {
  let path: String
  // Safe: the memory is never written after `init`, and lives as long as this object.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Maps the whole file.
  init(path: String) throws(RoadFileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCall.failure(path, "open the map") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemCall.failure(path, "read the map") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notAMap(path: path, reason: "it is not a regular file", byte: 0)
    }
    let size = Int(status.st_size)
    guard size > 0 else { throw .notAMap(path: path, reason: "it is empty", byte: 0) }
    guard let address = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0),
      address != MAP_FAILED
    else { throw SystemCall.failure(path, "map into memory") }
    self.path = path
    bytes = UnsafeRawBufferPointer(start: address, count: size)
    isMapped = true
  }

  /// Copies a file's bytes from memory to an aligned buffer.
  init(bytes: [UInt8], name: String) {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count, alignment: FileLayout.alignment)
    copy.copyBytes(from: bytes)
    path = name
    self.bytes = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  deinit {
    guard let start = bytes.baseAddress else { return }
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    } else {
      start.deallocate()
    }
  }
}

/// Error descriptions of failed system calls.
enum SystemCall {
  static func failure(_ path: String, _ action: String) -> RoadFileError {
    let code = errno
    return .system(path: path, action: action, reason: String(cString: strerror(code)))
  }
}

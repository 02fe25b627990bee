import CZstd

/// An error of zstd, with its own description.
struct ZstandardFailure: Error {
  var text: String

  init(_ code: Int) { text = ZSTD_getErrorName(code).map { String(cString: $0) } ?? "\(code)" }
  init(text: String) { self.text = text }
}

/// Compresses chunks with zstd; reuses its tables from chunk to chunk.
final class ZstandardPacker {
  private let context: OpaquePointer
  private let level: Int32

  init(level: Int) {
    guard let context = ZSTD_createCCtx() else {
      preconditionFailure("no memory for a compressor of a few MiB")
    }
    self.context = context
    self.level = Int32(clamping: level)
  }

  deinit { ZSTD_freeCCtx(context) }

  func pack(_ bytes: [UInt8]) throws(ZstandardFailure) -> [UInt8] {
    let capacity = ZSTD_compressBound(bytes.count)
    var code = 0
    let packed = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      code = bytes.withUnsafeBytes {
        ZSTD_compressCCtx(
          context, buffer.baseAddress, capacity, $0.baseAddress, $0.count, level)
      }
      count = ZSTD_isError(code) == 0 ? code : 0
    }
    guard ZSTD_isError(code) == 0 else { throw ZstandardFailure(code) }
    return packed
  }
}

/// Decompresses chunks that were compressed with zstd.
final class ZstandardOpener {
  private let context: OpaquePointer

  init() {
    guard let context = ZSTD_createDCtx() else {
      preconditionFailure("no memory for a decompressor of less than 1 MiB")
    }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Returns exactly `size` bytes; never writes or allocates more.
  func open(_ packed: ArraySlice<UInt8>, size: Int) throws(ZstandardFailure) -> [UInt8] {
    var code = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      code = packed.withUnsafeBytes {
        ZSTD_decompressDCtx(context, buffer.baseAddress, size, $0.baseAddress, $0.count)
      }
      count = ZSTD_isError(code) == 0 ? code : 0
    }
    guard ZSTD_isError(code) == 0 else { throw ZstandardFailure(code) }
    guard code == size else {
      throw ZstandardFailure(text: "they contain \(code) bytes instead of the declared \(size)")
    }
    return bytes
  }
}

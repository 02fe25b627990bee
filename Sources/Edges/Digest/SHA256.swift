import CCrypto

/// An incremental SHA-256, using libcrypto.
public struct SHA256: ~Copyable {
  private let context: OpaquePointer

  /// - Throws: `DigestError.unavailable` if libcrypto has no SHA-256.
  public init() throws(DigestError) {
    guard let context = EVP_MD_CTX_new() else { throw .unavailable }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw .unavailable
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  public mutating func update(_ bytes: [UInt8]) {
    // Fails only for a context that was not initialised.
    _ = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  /// The digest of all bytes so far, as 64 hexadecimal digits; more bytes may follow.
  public borrowing func hexadecimal() throws(DigestError) -> String {
    guard let copy = EVP_MD_CTX_new() else { throw .unavailable }
    defer { EVP_MD_CTX_free(copy) }
    var bytes = [UInt8](repeating: 0, count: 32)
    guard EVP_MD_CTX_copy_ex(copy, context) == 1,
      EVP_DigestFinal_ex(copy, &bytes, nil) == 1
    else { throw .unavailable }
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

/// The reason why there is no digest.
public enum DigestError: Error, Hashable, Sendable {
  /// libcrypto has no SHA-256.
  case unavailable
}

import Foundation
public import HTTP

/// Serves the files of one folder, and nothing outside it.
public struct StaticFolder: Sendable {
  public let folder: String
  /// Maximum size of a served file, in bytes.
  public static let sizeLimit = 16 * 1024 * 1024

  private static let types: [String: String] = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "json": "application/json",
    "svg": "image/svg+xml", "png": "image/png",
  ]

  public init(folder: String) {
    self.folder = folder
  }

  /// The file at `path`, relative to the folder; 404 for a missing file or an unknown type.
  public func response(for path: String) -> WebResponse {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard !parts.isEmpty, parts.allSatisfy(Self.isPlainName),
      let suffix = parts.last?.split(separator: ".").last.map(String.init),
      let type = Self.types[suffix]
    else { return .refusal(404, "there is no file \"\(path)\" here") }
    let url = URL(fileURLWithPath: folder).appendingPathComponent(parts.joined(separator: "/"))
    guard
      let size = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]),
      size.isRegularFile == true, let bytes = size.fileSize, bytes <= Self.sizeLimit,
      let data = try? Data(contentsOf: url)
    else { return .refusal(404, "there is no file \"\(path)\" here") }
    return WebResponse(
      contentType: type, headers: ["Cache-Control": "no-cache"], body: Array(data))
  }

  /// Letters, digits, `.`, `-`, `_`, without a leading dot: no parent folder, no hidden file.
  private static func isPlainName(_ part: Substring) -> Bool {
    !part.hasPrefix(".")
      && part.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}

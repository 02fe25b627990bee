import Foundation
import Stage

/// The folders of the page's own files and of MapLibre GL JS.
struct PageFolders: Sendable {
  let page: String
  /// nil if MapLibre GL JS was not fetched.
  let vendor: String?

  /// The page of this program, with the parts of `page_parts` or of a parent folder.
  ///
  /// A missing MapLibre is not a failure: the drive continues, and the page shows the command to
  /// run.
  ///
  /// - Throws: `StageFailure` if the page itself is missing.
  init(_ parameters: Parameters) throws(StageFailure) {
    guard let page = Bundle.module.url(forResource: "page", withExtension: nil) else {
      throw StageFailure("the page's files are missing next to the program")
    }
    self.page = page.path
    if let named = parameters.string("page_parts") {
      vendor = Self.holdsMapLibre(named) ? named : nil
    } else {
      let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      vendor = Self.found(upwardsOf: program) ?? Self.found(upwardsOf: here)
    }
  }

  private static func found(upwardsOf start: URL?) -> String? {
    guard var folder = start else { return nil }
    while folder.path != "/" {
      let parts = folder.appendingPathComponent(".cache/page").path
      if holdsMapLibre(parts) { return parts }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func holdsMapLibre(_ folder: String) -> Bool {
    ["maplibre-gl.js", "maplibre-gl.css"].allSatisfy {
      FileManager.default.fileExists(atPath: folder + "/" + $0)
    }
  }
}

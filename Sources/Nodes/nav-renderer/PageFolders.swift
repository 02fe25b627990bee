import Foundation
import Stage

/// Where the page's own files and MapLibre GL JS lie.
struct PageFolders: Sendable {
  let page: String
  /// nil where MapLibre GL JS was not fetched.
  let vendor: String?

  /// The page of this program, and the parts that `page_parts` names or that a folder upwards has.
  ///
  /// A missing MapLibre is no failure: the drive goes on, and the page says what to run.
  ///
  /// - Throws: `StageFailure` where the page itself is not there.
  init(_ parameters: Parameters) throws(StageFailure) {
    guard let page = Bundle.module.url(forResource: "page", withExtension: nil) else {
      throw StageFailure("the page's files are missing beside the program")
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

public import Foundation

/// Where real data lie: a folder of `$NAV_DATA`, or of `shared/data` beside the package; nil where it is not there.
///
/// A test that needs them is off where they are missing, and says so.
public func realData(_ folder: String) -> URL? {
  let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let here = URL(filePath: FileManager.default.currentDirectoryPath)
  let given = ProcessInfo.processInfo.environment["NAV_DATA"].map { [URL(filePath: $0)] } ?? []
  let beside = [package, here].map { $0.deletingLastPathComponent().appending(path: "shared/data") }
  return (given + beside).map { $0.appending(path: folder) }.first {
    FileManager.default.fileExists(atPath: $0.path)
  }
}

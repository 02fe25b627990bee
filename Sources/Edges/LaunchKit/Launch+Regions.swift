import Fingerprint
import Foundation
import MapFiles

extension Launch {
  /// Gives nodes the maps of a list as one folder of links, which they join once and cache.
  ///
  /// It is a folder and not a joined file, so that a region that is replaced while the stack runs
  /// is noticed.
  mutating func linkRegions(_ stack: inout StackFile) {
    guard let first = stack.regions.first else { return }
    let reading = ParameterReading(folder: options.folder, environment: options.environment)
    var paths: [String] = []
    for (index, region) in stack.regions.enumerated() {
      let place = "map[\(index)]"
      guard case .success(let path) = reading.expand(region.value).map(reading.absolute) else {
        report("\(region.value) names a variable that is not set", place, region.place)
        continue
      }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        report("there is no file \(region.value)", place, region.place)
        continue
      }
      let name = (path as NSString).lastPathComponent
      guard !isFolder.boolValue, MapName.isMap(name) else {
        report(
          "\(region.value) is not a map: a list may contain .navmap and OSM files; a folder must be given alone",
          place, region.place)
        continue
      }
      paths.append(URL(fileURLWithPath: path).standardizedFileURL.path)
    }
    guard paths.count == stack.regions.count else { return }
    do throws(LaunchError) {
      stack.map = Located(try linked(paths), at: first.place)
    } catch {
      report("the regions cannot be collected: \(error.message)", "map", first.place)
    }
  }

  /// The folder in the cache with links to the files in this order; the same for the same files.
  private func linked(_ paths: [String]) throws(LaunchError) -> String {
    let hash = FNV1a(paths.joined(separator: "\n").utf8).value
    let folder = cache + "/regions-" + String(hash, radix: 16)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw LaunchError("\(folder) cannot be created: \(error.localizedDescription)")
    }
    for (index, path) in paths.enumerated() {
      // Two regions may have files of the same name.
      let link = "\(folder)/\(index)-\((path as NSString).lastPathComponent)"
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != path else {
        continue
      }
      // Created under another name and renamed, because another launcher of the same regions may
      // read it meanwhile.
      let beside = "\(folder)/.\(index).\(getpid())"
      unlink(beside)
      guard symlink(path, beside) == 0 else { throw Self.failure("link", beside) }
      guard rename(beside, link) == 0 else {
        let failure = Self.failure("put a link at", link)
        unlink(beside)
        throw failure
      }
    }
    return folder
  }

  /// An operation that the system refused, with its reason.
  private static func failure(_ what: String, _ path: String) -> LaunchError {
    LaunchError("cannot \(what) \(path): \(String(cString: strerror(errno)))")
  }

  private var cache: String {
    let environment = options.environment
    if let folder = environment["XDG_CACHE_HOME"], !folder.isEmpty { return folder + "/navstack" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.cache/navstack" }
    return NSTemporaryDirectory() + "navstack-\(getuid())"
  }
}

import Foundation
import RegionFiles
import RegionSource
public import Stage

/// Parameters and the fetcher, shared by all vehicles of a regions node.
public struct RegionShared: Sendable {
  let fetcher: RegionFetcher
  let aroundM: Double
  let retryS: Double
  let refreshS: Double

  /// - Throws: `StageFailure` if the map is not a folder, or the source is neither a folder nor a web address.
  public init(_ parameters: Parameters) throws(StageFailure) {
    let folder = parameters.string("map") ?? ""
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw StageFailure(
        "map: \(folder) is not a folder; regions are installed into a folder, so set `map:` of the stack to one"
      )
    }
    let source: RegionSource
    do throws(RegionFault) {
      source = try RegionSource(parameters.string("source") ?? "")
    } catch {
      throw StageFailure("source: \(error)")
    }
    fetcher = RegionFetcher(folder: folder, source: source)
    aroundM = parameters.double("around_m")
    retryS = parameters.double("retry_s")
    refreshS = parameters.double("refresh_s")
  }
}

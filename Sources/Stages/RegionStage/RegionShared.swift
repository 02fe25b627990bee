import Foundation
import RegionFiles
import RegionSource
public import Stage

/// What all vehicles of a regions node share: the folder, the source, and what is fetched.
public struct RegionShared: Sendable {
  let desk: RegionDesk
  let aroundM: Double
  let retryS: Double
  let refreshS: Double

  /// - Throws: where the map is no folder, or the source no address.
  public init(_ parameters: Parameters) throws(StageFailure) {
    let folder = parameters.string("map") ?? ""
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw StageFailure(
        "map: \(folder) is no folder; regions are installed into one, so give the stack a folder of maps"
      )
    }
    let source: RegionSource
    do throws(RegionFault) {
      source = try RegionSource(parameters.string("source") ?? "")
    } catch {
      throw StageFailure("source: \(error)")
    }
    desk = RegionDesk(folder: folder, source: source)
    aroundM = parameters.double("around_m")
    retryS = parameters.double("retry_s")
    refreshS = parameters.double("refresh_s")
  }
}

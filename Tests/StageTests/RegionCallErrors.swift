import Harness
import Messages
import RegionStage
import Stage

/// Every error code of the calls of the regions node.
enum RegionCallErrors {
  static let all: [FailingCall] = [
    FailingCall("map/fetch", "invalid", "neither name nor place", field: "name") {
      try end(MapFetchRequest())
    },
    FailingCall("map/fetch", "invalid", "half a place", field: "name") {
      try end(MapFetchRequest(latDeg: 0.5))
    },
    FailingCall("map/fetch", "no_such_region", "a name that is not offered", field: "name") {
      try end(MapFetchRequest(name: "north"))
    },
    FailingCall("map/fetch", "no_such_region", "a place that no region has", field: "lat_deg") {
      try end(MapFetchRequest(latDeg: 40, lonDeg: 9))
    },
    FailingCall("map/fetch", "unavailable", "a source without a catalogue") {
      try end(MapFetchRequest(name: "west"), offers: false)
    },
  ]

  private static func end(_ request: MapFetchRequest, offers: Bool = true) throws -> EncodedOutcome?
  {
    let folders = try RegionFolders()
    defer { folders.remove() }
    if offers { try folders.offer() }
    let harness = MemoryHarness()
    harness.add(RegionStage.self, name: "server", shared: try folders.shared)
    return harness.end(request)
  }
}

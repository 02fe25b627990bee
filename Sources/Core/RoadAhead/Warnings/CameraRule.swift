import RoadGraph
import Route

/// Speed cameras with the limit that they enforce, where the law allows reporting their positions.
struct CameraRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.path.edges.indices.compactMap { index in
      guard way.flags(atEndOf: index).contains(.speedCamera), way.speaks(index),
        !CameraLaw.wantsZones(way.road(index)), !way.isSilentOfCameras(index)
      else { return nil }
      var camera = way.point(.safetyCamera, atEndOf: index)
      camera.limitMps = way.road(index).speedLimitMps.flatMap { $0.isFinite ? $0 : nil }
      return camera
    }
  }
}

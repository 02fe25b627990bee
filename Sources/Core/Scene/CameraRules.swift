import Geodesy
import RealModule

/// Rules for what the camera shows.
public enum CameraRules {
  /// The zoom at which `aheadM` metres fill `pixels` of a map with tiles of 512 pixels.
  public static func zoom(aheadM: Double, pixels: Double, latitudeDeg: Double) -> Double {
    let circumferenceM = 40_075_016.686 * Double.cos(latitudeDeg * .pi / 180)
    let metersPerPixel = Double.maximum(aheadM, 1) / Double.maximum(pixels, 1)
    return Double.log2(Double.maximum(circumferenceM, 1) / (512 * metersPerPixel))
  }

  /// Metres that the view ahead should cover.
  ///
  /// Speed widens the view. Before a maneuver it narrows again, so that the place of the maneuver
  /// stays in the upper part of the screen.
  public static func viewAheadM(
    speedMps: Double, maneuverRemainingM: Double?, tuning: SceneTuning
  ) -> Double {
    let limits = tuning.viewAheadM
    var aheadM = Double.maximum(limits.lowerBound * 1.5, speedMps * tuning.viewAheadS)
    if let maneuverRemainingM {
      aheadM = Double.minimum(
        aheadM, Double.maximum(limits.lowerBound, maneuverRemainingM * 1.25 + 40))
    }
    return Double.minimum(limits.upperBound, Double.maximum(limits.lowerBound, aheadM))
  }

  /// The camera that follows `indicator`.
  static func camera(
    at indicator: SceneView.Indicator, speedMps: Double, maneuverRemainingM: Double?,
    hasRoute: Bool, settings: CameraSettings, tuning: SceneTuning
  ) -> SceneView.Camera {
    let behaviour: CameraBehaviour =
      settings.behaviour == .dynamic && !hasRoute ? .speedBased : settings.behaviour
    let zoom: Double
    switch behaviour {
    case .fixed:
      zoom = settings.fixedZoom
    case .dynamic, .speedBased:
      let aheadM = viewAheadM(
        speedMps: speedMps, maneuverRemainingM: behaviour == .dynamic ? maneuverRemainingM : nil,
        tuning: tuning)
      let limits = tuning.zoomLimits
      let wanted = Self.zoom(
        aheadM: aheadM, pixels: tuning.viewAheadPixels, latitudeDeg: indicator.place.latitudeDeg)
      zoom = Double.minimum(limits.upperBound, Double.maximum(limits.lowerBound, wanted))
    }
    return SceneView.Camera(
      place: indicator.place, zoom: zoom, tiltDeg: settings.isNorthUp ? 0 : settings.tiltDeg,
      bearingDeg: settings.isNorthUp ? 0 : indicator.bearingDeg, behaviour: behaviour)
  }
}

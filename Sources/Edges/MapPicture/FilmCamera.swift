public import Messages

/// The camera of a film: zoom, tilt and direction follow the scene's within a second, as on the
/// page.
public struct FilmCamera: Sendable {
  private var zoom: Double?
  private var tiltDeg = 0.0
  private var bearingDeg = 0.0

  /// Seconds in which they follow.
  private static let zoomSettleS = 1.1
  private static let bearingSettleS = 0.25

  public init() {}

  /// The frame as the camera shows it, `stepS` seconds of the film after the last one.
  public mutating func follow(_ frame: SceneFrame, stepS: Double) -> SceneFrame {
    guard let before = zoom else {
      (zoom, tiltDeg, bearingDeg) = (frame.cameraZoom, frame.cameraTiltDeg, frame.cameraBearingDeg)
      return frame
    }
    let slow = Motion.share(stepS, settleS: Self.zoomSettleS)
    let now = before + (frame.cameraZoom - before) * slow
    zoom = now
    tiltDeg += (frame.cameraTiltDeg - tiltDeg) * slow
    var turn = (frame.cameraBearingDeg - bearingDeg).truncatingRemainder(dividingBy: 360)
    if turn > 180 { turn -= 360 }
    if turn < -180 { turn += 360 }
    bearingDeg += turn * Motion.share(stepS, settleS: Self.bearingSettleS)
    var shown = frame
    shown.cameraZoom = now
    shown.cameraTiltDeg = tiltDeg
    shown.cameraBearingDeg = bearingDeg
    return shown
  }
}

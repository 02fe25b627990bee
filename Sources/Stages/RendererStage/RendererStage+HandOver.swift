import Foundations
import Messages
import Scene
public import Stage

extension RendererStage {
  /// The state that a successor needs to continue rendering.
  private struct VehicleSnapshot: Codable {
    static let version = 2

    var scene: Scene
    /// The changes by calls, as the payload of a request.
    var changes: [UInt8]?
    /// The payload of `scene/settings`; nil if it was not published yet.
    var announced: [UInt8]?
    var route: [UInt8]?
    /// Each element is a message of its own.
    var lanes: [[UInt8]]
    var lastHeardAt: Instant?
    var lastFrameAt: Instant?
  }

  /// The changes by calls of `scene/control`, as the payload of a request; nil if there are none.
  public var savedState: [UInt8]? { control.saved }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    try recall(state)
    isAnnounced = false
  }

  /// Applies the changes of a predecessor to the parameters of this process.
  private mutating func recall(_ state: [UInt8]?) throws(Refusal) {
    var recalled = RendererControl(base: settings.presentation)
    if let state {
      do {
        try recalled.apply(try SceneControlRequest(decoding: state))
      } catch let error as SceneFault {
        throw Refusal(
          reason: "out_of_range", message: "state of the renderer: \(error.message)",
          field: error.field)
      } catch {
        throw Refusal(reason: "does_not_decode", message: "state of the renderer: \(error)")
      }
    }
    control = recalled
    _ = scene.handle(.presentation(recalled.presentation))
  }

  public var handOverState: [UInt8]? {
    HandoverCoding.encode(
      VehicleSnapshot(
        scene: scene, changes: savedState, announced: isAnnounced ? control.payload : nil,
        route: route?.encoded(), lanes: lanes.map { $0.encoded() },
        lastHeardAt: lastHeardAt, lastFrameAt: lastFrameAt), version: VehicleSnapshot.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandoverCoding.decode(
      VehicleSnapshot.self, from: state, version: VehicleSnapshot.version)
    do {
      route = try whole.route.map { (bytes) throws(DecodeError) in try WireRoute(decoding: bytes) }
      lanes = try whole.lanes.map { (bytes) throws(DecodeError) in try WireLane(decoding: bytes) }
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the transferred state: \(error.message)")
    }
    scene = whole.scene
    scene.tuning = settings.tuning
    try recall(whole.changes)
    // A successor with other parameters shows the scene differently and publishes its settings.
    isAnnounced = whole.announced == control.payload
    lastHeardAt = whole.lastHeardAt
    lastFrameAt = whole.lastFrameAt
  }
}

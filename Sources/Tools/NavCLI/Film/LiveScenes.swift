import BusClient
import BusProtocol
import MapPicture
import Messages
import NodeKit

/// The scene that a running stack shows.
enum LiveScenes {
  /// Waits for a frame, and for the route that it shows.
  ///
  /// - Throws: `Problem` if no frame comes within ten seconds.
  static func current(_ stack: StackOptions) throws -> PictureScene {
    let client = try stack.connect()
    defer { client.close() }
    let topics = [SceneFrame.topic, RouteActive.topic, GuidanceRoad.topic, GuidanceSpeed.topic]
    guard client.subscribe(topics.map { "\(stack.vehicle)/\($0)" }, waitingMS: 2000) else {
      throw Problem("the broker did not confirm the subscription")
    }
    var scene: PictureScene?
    var route: DrawnRoute?
    var road: WireRoad?
    var isTooFast = false
    let end = MonotonicTime.now.advanced(byMS: 10_000)
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 100),
        let name = Topics.name(of: StackOptions.leaf(delivery.topic)), !delivery.payload.isEmpty,
        let value = try? TopicValue(name, decoding: delivery.payload)
      else { continue }
      switch value {
      case .routeActive(let active): route = active.route.flatMap { DrawnRoute($0) }
      case .guidanceRoad(let guidance): road = guidance.road
      case .guidanceSpeed(let speed): isTooFast = speed.exceeded
      case .sceneFrame(let frame): scene = PictureScene(frame: frame)
      default: break
      }
      // The last values of states come before what is published now, but not before one another.
      guard var shown = scene, shown.frame.routeId == nil || route?.route.id == shown.frame.routeId
      else { continue }
      shown.route = route
      shown.road = road
      shown.isTooFast = isTooFast
      return shown
    }
    throw Problem(
      scene == nil
        ? "no scene/frame of \(stack.vehicle) came within 10 s: is there a renderer, and does the vehicle move?"
        : "the route of the scene did not come within 10 s")
  }
}

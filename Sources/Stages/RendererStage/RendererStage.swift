import EventTime
import Messages
import Scene
public import Stage

/// The screen of one vehicle: where it is and how it is guided in, what to show out.
///
/// What is shown is decided by `Scene`; texts and pictures of the next maneuver are those of the
/// active route. With a frame rate set, the scene is carried on between the locations, for as
/// long as one may trust the last of them.
public struct RendererStage: Stage {
  public typealias Shared = RendererSettings

  let settings: RendererSettings
  var scene: Scene
  var route: WireRoute?
  var lanes: [WireLane] = []
  var lastHeardAt: Instant?
  var lastFrameAt: Instant?

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RendererSettings {
    RendererSettings(parameters)
  }

  public static func maps(_ parameters: Parameters) -> [String] {
    parameters.string("map").map { [$0] } ?? []
  }

  public init(vehicle: String, shared: RendererSettings) {
    settings = shared
    scene = Scene(tuning: shared.tuning)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      guard let input = try RendererInput(message) else { return [] }
      return perform(take(input, at: message.stamp), cause: message.cause)
    case .wake(let now):
      return carryOn(to: now)
    case .clockReset:
      lastHeardAt = nil
      lastFrameAt = nil
      return perform(scene.handle(.clockReset), cause: nil)
    case .call(let request):
      return [
        .reply(
          callID: request.id,
          outcome: .failed(
            CallError(code: "no_such_service", message: "the renderer answers no calls")))
      ]
    case .cancelled, .reply: return []
    }
  }

  private mutating func take(_ input: RendererInput, at stamp: Instant) -> [Scene.Output] {
    switch input {
    case .location(let location):
      lastHeardAt = stamp
      return scene.handle(.location(location))
    case .progress(let progress): return scene.handle(.progress(progress))
    case .deviation: return scene.handle(.deviation)
    case .speedLimit(let limit): return scene.handle(.speedLimit(limit))
    case .route(let wire, let shown):
      route = wire
      return scene.handle(.route(shown))
    case .lanes(let maneuver, let lanes):
      self.lanes = lanes
      return scene.handle(.lanes(maneuver: lanes.isEmpty ? nil : maneuver))
    }
  }

  /// A frame between two locations, while the last one is fresh enough.
  private mutating func carryOn(to now: Instant) -> [StageOutput] {
    guard let lastHeardAt,
      now.seconds(since: lastHeardAt) <= settings.tuning.carryLimitS + 1
    else { return [] }
    return perform(scene.handle(.tick(now)), cause: nil)
  }

  private mutating func perform(_ outputs: [Scene.Output], cause: Cause?) -> [StageOutput] {
    var performed: [StageOutput] = []
    for case .view(let view) in outputs {
      lastFrameAt = view.at
      performed.append(
        .publish(
          topic: SceneFrame.topic, stamp: view.at,
          payload: SceneFrame(view, route: route, lanes: lanes).encoded(), cause: cause))
    }
    if let publishHz = settings.publishHz, let lastFrameAt, !performed.isEmpty {
      performed.append(.wake(at: lastFrameAt.advanced(bySeconds: 1 / publishHz)))
    }
    return performed
  }
}

import Foundations
public import Messages
import Scene
public import Stage

/// The display of one vehicle: location and guidance in, scene out.
///
/// `Scene` determines what is shown; texts and pictures of the next maneuver are those of the
/// active route. With a frame rate, the scene is extrapolated between locations, as long as the
/// last of them is recent enough. `scene/control` changes the presentation, which is published on
/// `scene/settings`.
public struct RendererStage: Stage {
  public typealias Shared = RendererSettings

  let settings: RendererSettings
  var control: RendererControl
  /// Pictures that were requested; a successor draws its own.
  private var shields = ShieldService()
  /// Whether `scene/settings` contains the current presentation.
  var isAnnounced = false
  var scene: Scene
  var route: WireRoute?
  var lanes: [WireLane] = []
  var lastHeardAt: Instant?
  var lastFrameAt: Instant?
  /// A wake-up at `lostAt` may be late by this many seconds.
  private static let lateS = 0.5
  /// The extended wait for a location, for a stage whose time is ahead of the stamps.
  private var extendedWait: (lostAt: Instant, until: Instant)?

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RendererSettings {
    try RendererSettings(parameters)
  }

  public static func maps(_ parameters: Parameters) -> [String] {
    parameters.string("map").map { [$0] } ?? []
  }

  public init(vehicle: String, shared: RendererSettings) {
    settings = shared
    control = RendererControl(base: shared.presentation)
    scene = Scene(tuning: shared.tuning, presentation: shared.presentation)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    let outputs = try outputs(of: event)
    guard !isAnnounced, let now = event.moment else { return outputs }
    isAnnounced = true
    let settings = StageOutput.publish(
      .bytes(topic: SceneSettings.topic, control.payload), stamp: now)
    return [settings] + outputs
  }

  private mutating func outputs(of event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      guard let input = try RendererInput(message) else { return [] }
      return perform(update(input, at: message.stamp), cause: message.cause)
    case .wake(let now):
      return carryOn(to: now)
    case .clockReset:
      lastHeardAt = nil
      lastFrameAt = nil
      return perform(scene.handle(.clockReset), cause: nil)
    case .call(let call):
      return serve(call)
    case .cancelled, .reply: return []
    }
  }

  public func interest(in topic: Topics.Name) -> TopicInterest {
    switch topic {
    case .routeActive, .guidanceSpeed, .guidanceLanes: .valueOrDeletion
    default: .value
    }
  }

  private mutating func serve(_ call: CallRequest) -> [StageOutput] {
    switch call.value {
    case .sceneControl(let request): return change(request, call.id)
    case .sceneShield(let request):
      return [.reply(callID: call.id, outcome: shields.serve(request, route: route))]
    default:
      let error = CallError(
        code: "no_such_service", message: "the renderer does not serve \(call.name)")
      return [.reply(callID: call.id, outcome: .failed(error))]
    }
  }

  /// Serves `scene/control`.
  private mutating func change(_ request: SceneControlRequest, _ callID: String) -> [StageOutput] {
    let before = control.presentation
    do throws(SceneFault) {
      try control.apply(request)
    } catch {
      let error = CallError(code: "invalid", message: error.message, field: error.field)
      return [.reply(callID: callID, outcome: .failed(error))]
    }
    var outputs: [StageOutput] = []
    if control.presentation != before {
      isAnnounced = false
      outputs = perform(scene.handle(.presentation(control.presentation)), cause: nil)
    }
    return outputs + [.reply(callID: callID, outcome: .ok(.bytes(control.payload)))]
  }

  private mutating func update(_ input: RendererInput, at stamp: Instant) -> [Scene.Output] {
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

  /// Publishes a frame between two locations while the last one is recent enough, and one when the
  /// location counts as lost.
  private mutating func carryOn(to now: Instant) -> [StageOutput] {
    guard let lastHeardAt, let lostAt = scene.lostAt else { return [] }
    if now >= lostAt, let later = waitLonger(at: now, lostAt) { return [.wake(at: later)] }
    guard isRecent(lastHeardAt, at: now) || now >= lostAt else { return [.wake(at: lostAt)] }
    return perform(scene.handle(.tick(now)), cause: nil)
  }

  /// Until when to wait for another location if stack time is ahead of the stamps of locations; nil
  /// if it is not, or if this wait is over.
  ///
  /// A publisher that paused may go on with old stamps, while stack time went on without it.
  private mutating func waitLonger(at now: Instant, _ lostAt: Instant) -> Instant? {
    let isShown = lastFrameAt.map { $0 >= lostAt } ?? false
    guard !isShown, now.seconds(since: lostAt) > Self.lateS else { return nil }
    if let wait = extendedWait, wait.lostAt == lostAt {
      return now < wait.until ? wait.until : nil
    }
    let until = now.advanced(bySeconds: settings.tuning.lostAfterS)
    extendedWait = (lostAt, until)
    return until
  }

  /// Whether a location is recent enough to be extrapolated.
  private func isRecent(_ heardAt: Instant, at now: Instant) -> Bool {
    now.seconds(since: heardAt) <= settings.tuning.carryLimitS + 1
  }

  /// The time of the next frame without a new location; nil for none.
  private var nextWake: Instant? {
    guard let lastFrameAt else { return nil }
    let lost = scene.lostAt.flatMap { $0 > lastFrameAt ? $0 : nil }
    guard let publishHz = settings.publishHz, let lastHeardAt,
      isRecent(lastHeardAt, at: lastFrameAt)
    else { return lost }
    let frame = lastFrameAt.advanced(bySeconds: 1 / publishHz)
    return lost.map { min(frame, $0) } ?? frame
  }

  private mutating func perform(_ outputs: [Scene.Output], cause: Cause?) -> [StageOutput] {
    var performed: [StageOutput] = []
    for case .view(let view) in outputs {
      lastFrameAt = view.at
      performed.append(
        .publish(
          .sceneFrame(SceneFrame(view, route: route, lanes: lanes)), stamp: view.at, cause: cause))
    }
    if !performed.isEmpty, let wake = nextWake { performed.append(.wake(at: wake)) }
    return performed
  }
}

extension StageEvent {
  /// Stack time of the event; nil if it has none.
  fileprivate var moment: Instant? {
    switch self {
    case .message(let message): message.stamp
    case .call(let request): request.stamp
    case .wake(let now), .clockReset(let now): now
    case .cancelled, .reply: nil
    }
  }
}

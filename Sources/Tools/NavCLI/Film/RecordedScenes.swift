import Bag
import BusProtocol
import Foundations
import MapPicture
import Messages
import RendererStage
import Stage

/// The scenes of a recorded drive at any moments, in rising order.
///
/// The renderer's stage computes them from the recorded locations and guidance, so that a recording
/// needs no frames, and a film may have any rate.
final class RecordedScenes {
  /// Event time of the first and the last location.
  let times: ClosedRange<Instant>
  let vehicle: String
  private let cursor: FrameCursor
  private var pending: RecordedFrame?
  private var stage: RendererStage
  private var frame: SceneFrame?
  private var route: DrawnRoute?
  private var road: WireRoad?
  private var isTooFast = false

  /// - Throws: `Problem` for a recording without locations of the vehicle.
  init(recording: Recording, vehicle wanted: String?, settings: RendererSettings) throws {
    let survey = try LocationSurvey(recording)
    guard !survey.times.isEmpty else {
      throw Problem(
        "\(recording.path) contains no location/matched, from which pictures are drawn; nav rec info lists its topics"
      )
    }
    let names = survey.times.keys.sorted()
    let vehicle = wanted ?? (names.contains("ego") ? "ego" : names[0])
    guard let times = survey.times[vehicle] else {
      throw Problem(
        "\(recording.path) contains no location/matched of \(vehicle), only of \(names.prefix(5).joined(separator: ", "))"
      )
    }
    self.times = times
    self.vehicle = vehicle
    stage = RendererStage(vehicle: vehicle, shared: settings)
    let leaves = Set(
      RendererStage.manifest.inputs + [GuidanceRoad.topic, GuidanceSpeed.topic])
    let topics = Set(leaves.map { "\(vehicle)/\($0)" })
    cursor = try recording.frames(where: { topics.contains($0) })
    pending = try cursor.next()
  }

  /// The scene at a moment; nil before the first location.
  func scene(at moment: Instant) throws -> PictureScene? {
    while let next = pending, next.frame.header.stampNS <= moment.nanoseconds {
      take(next.frame)
      pending = try cursor.next()
    }
    show(try? stage.handle(.wake(now: moment)))
    guard let frame else { return nil }
    var scene = PictureScene(frame: frame, route: route)
    scene.road = road
    scene.isTooFast = isTooFast
    return scene
  }

  private func take(_ frame: Frame) {
    let leaf = TopicName.split(frame.topic).leaf
    let header = frame.header
    guard let name = Topics.name(of: leaf) else { return }
    let value: TopicValue
    if frame.payload.isEmpty, stage.interest(in: name) == .valueOrDeletion {
      value = .deleted(name)
    } else {
      // A message that does not decode is passed over, as a running renderer passes it over.
      guard let decoded = try? TopicValue(name, decoding: frame.payload) else { return }
      value = decoded
    }
    note(value)
    let message = Inbound(
      value, stamp: Instant(nanoseconds: header.stampNS), source: header.source, run: header.run,
      sequence: header.sequence, key: header.key, isLatched: header.isLatched)
    show(try? stage.handle(.message(message)))
  }

  /// Keeps what is shown besides the frame.
  private func note(_ value: TopicValue) {
    switch value {
    case .routeActive(let active): route = active.route.flatMap { DrawnRoute($0) }
    case .deleted(.routeActive): route = nil
    case .guidanceRoad(let guidance): road = guidance.road
    case .guidanceSpeed(let speed): isTooFast = speed.exceeded
    case .deleted(.guidanceSpeed): isTooFast = false
    default: break
    }
  }

  private func show(_ outputs: [StageOutput]?) {
    for case .publish(.sceneFrame(let new), _, _, _, _) in outputs ?? [] { frame = new }
  }
}

/// The vehicles of a recording with the times of their locations.
private struct LocationSurvey {
  private(set) var times: [String: ClosedRange<Instant>] = [:]

  init(_ recording: Recording) throws {
    let cursor = try recording.frames(where: {
      TopicName.split($0).leaf == LocationMatched.topic
    })
    while let one = try cursor.next() {
      guard let vehicle = TopicName.split(one.frame.topic).vehicle else { continue }
      let stamp = Instant(nanoseconds: one.frame.header.stampNS)
      let known = times[vehicle] ?? stamp...stamp
      times[vehicle] = min(known.lowerBound, stamp)...max(known.upperBound, stamp)
    }
  }
}

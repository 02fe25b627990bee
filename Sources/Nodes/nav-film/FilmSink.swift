import Film
import FilmStage
import Foundation
import Foundations
import Harness
import Messages
import Stage
import Synchronization

/// Passes the scenes of the vehicle to a thread that draws them, so that drawing delays nothing.
final class FilmSink: NodeAttachment {
  /// Scenes that wait; above this number, the oldest is dropped.
  private static let longestQueue = 300

  private struct State {
    var node: (any NodeHandle)?
    var queue: [FilmScene] = []
    var route: WireRoute?
    var road: WireRoad?
    var isTooFast = false
    var isEnding = false
    var hasEnded = false
  }

  private let settings: FilmSettings
  private let state = Mutex(State())
  /// Signalled when something is in the queue, or the film ends.
  private let ready = DispatchSemaphore(value: 0)

  init(_ settings: FilmSettings) { self.settings = settings }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    state.withLock { $0.node = node }
    let opened = DispatchSemaphore(value: 0)
    let outcome = Mutex<String?>(nil)
    let thread = Thread { [self] in
      do {
        let drawing = try FilmDrawing(settings)
        node.log(.info, "film: \(drawing.path)")
        opened.signal()
        run(drawing)
      } catch {
        outcome.withLock { $0 = "\(error)" }
        state.withLock { $0.hasEnded = true }
        opened.signal()
      }
    }
    thread.name = "film"
    thread.stackSize = 4 << 20
    thread.start()
    opened.wait()
    if let problem = outcome.withLock({ $0 }) { throw StageFailure(problem) }
    node.subscribe(FilmStage.topics) { [weak self] vehicle, message in
      if vehicle == node.vehicle { self?.take(message) }
    }
  }

  private func take(_ message: EncodedMessage) {
    guard let name = Topics.name(of: message.topic) else { return }
    let value = message.payload.isEmpty ? nil : try? TopicValue(name, decoding: message.payload)
    let isFull = state.withLock { state in
      switch (name, value) {
      case (.routeActive, .routeActive(let active)?): state.route = active.route
      case (.routeActive, nil): state.route = nil
      case (_, .guidanceRoad(let guidance)?): state.road = guidance.road
      case (_, .guidanceSpeed(let speed)?): state.isTooFast = speed.exceeded
      case (.guidanceSpeed, nil): state.isTooFast = false
      case (_, .sceneFrame(let frame)?):
        state.queue.append(
          FilmScene(
            frame: frame, at: message.stamp, route: state.route, road: state.road,
            isTooFast: state.isTooFast))
        guard state.queue.count > Self.longestQueue else { break }
        state.queue.removeFirst()
        return true
      default: break
      }
      return false
    }
    if isFull { state.withLock { $0.node }?.count("scenes_dropped", by: 1) }
    ready.signal()
  }

  /// Draws until the node ends; on the thread of the film.
  private func run(_ drawing: FilmDrawing) {
    var fault: FilmFault?
    while true {
      let (next, isEnding) = state.withLock { state in
        (state.queue.isEmpty ? nil : state.queue.removeFirst(), state.isEnding)
      }
      guard let next else {
        if isEnding { break }
        ready.wait()
        continue
      }
      guard fault == nil else { continue }
      do throws(FilmFault) {
        try drawing.add(next)
      } catch {
        fault = error
        drawing.discard()
        state.withLock { $0.node }?.setDegraded(error.description)
      }
    }
    if fault == nil { close(drawing) }
    state.withLock { $0.hasEnded = true }
  }

  private func close(_ drawing: FilmDrawing) {
    let node = state.withLock { $0.node }
    do throws(FilmFault) {
      try drawing.finish()
      node?.log(.info, "film: \(drawing.path) has \(drawing.frames) frames")
    } catch {
      drawing.discard()
      node?.log(.warning, error.description)
    }
  }

  func retire() {
    state.withLock { $0.isEnding = true }
    ready.signal()
  }

  var hasRetired: Bool { state.withLock { $0.hasEnded } }

  func stop() { retire() }
}

import Film
import FilmStage
import Foundation
import Foundations
import MapPicture
import Messages
import Scene

/// A scene as it arrived.
struct FilmScene: Sendable {
  var frame: SceneFrame
  var at: Instant
  var route: WireRoute?
  var road: WireRoad?
  var isTooFast: Bool
}

/// Draws scenes into a film with a fixed number of frames per second of event time.
///
/// Each frame shows the newest scene before it. A jump of the clock leaves out what lies between.
final class FilmDrawing {
  let path: String
  private(set) var frames = 0
  private let settings: FilmSettings
  private let painter: ScenePainter
  private let film: any FilmOutput
  private var camera = FilmCamera()
  private var last: FilmScene?
  private var next: Instant?
  private var route: (wire: WireRoute, drawn: DrawnRoute)?

  /// Seconds without a scene after which the film goes on as if nothing had been missed.
  private static let longestGapS = 10.0

  init(_ settings: FilmSettings) throws {
    self.settings = settings
    path = Self.freePath(settings.output)
    let template = try MapTemplate()
    painter = try ScenePainter(
      map: try PictureMap(path: settings.map), day: try template.sheet("day"),
      night: try template.sheet("night"), width: settings.widthPx, height: settings.heightPx,
      scale: settings.scale, units: DistanceUnits(rawValue: settings.units) ?? .metric)
    film = try Film.open(
      path: path, width: painter.widthPx, height: painter.heightPx, rate: settings.rateHz,
      isLive: true)
  }

  /// The path itself, or with the first number that makes it a new one.
  private static func freePath(_ path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let ending = url.pathExtension
    let name = url.deletingPathExtension().path
    for number in 1...9999 {
      let tried = number == 1 ? name : "\(name)-\(number)"
      let full = ending.isEmpty ? tried : "\(tried).\(ending)"
      if !FileManager.default.fileExists(atPath: full) { return full }
    }
    return path
  }

  /// Draws the frames up to a new scene.
  func add(_ scene: FilmScene) throws(FilmFault) {
    let step = settings.speed / settings.rateHz
    defer { last = scene }
    guard let shown = last, var due = next else {
      next = scene.at
      return
    }
    let gapS = scene.at.seconds(since: due)
    guard (0...Self.longestGapS).contains(gapS) else {
      if gapS > 0 || scene.at < shown.at { next = scene.at }
      return
    }
    while due < scene.at {
      try draw(shown)
      due = due.advanced(bySeconds: step)
    }
    next = due
  }

  private func draw(_ scene: FilmScene) throws(FilmFault) {
    if scene.route?.id != route?.wire.id || scene.route?.spans != route?.wire.spans {
      route = scene.route.flatMap { wire in DrawnRoute(wire).map { (wire, $0) } }
    }
    let stepS = 1 / settings.rateHz
    var picture = PictureScene(
      frame: camera.follow(scene.frame, stepS: stepS), route: route?.drawn)
    picture.road = scene.road
    picture.isTooFast = scene.isTooFast
    picture.showsPanel = settings.showsPanel
    let pixels: [UInt8]
    do throws(PictureFault) {
      pixels = try painter.pixels(picture, stepS: frames == 0 ? .infinity : stepS)
    } catch {
      throw FilmFault("\(path): \(error)")
    }
    try film.add(pixels)
    frames += 1
  }

  func finish() throws(FilmFault) {
    if let last, next != nil { try draw(last) }
    try film.finish()
  }

  func discard() { film.discard() }
}

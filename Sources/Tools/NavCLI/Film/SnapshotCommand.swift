import ArgumentParser
import Bag
import BusClient
import BusProtocol
import Film
import Foundation
import Foundations
import Geodesy
import MapPicture
import Messages
import NodeKit
import Scene
import StackFile

/// `nav snapshot`: one picture of a map, of a recorded drive, or of a running stack.
struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Draw a picture (PNG) of a map, of a recorded drive, or of a running stack.",
    discussion: """
      Without a recording, with --at: the map there. With a recording: the scene at --time, with route, location, \
      maneuver, speed and limit. With neither: the scene that the running stack shows now (scene/frame).
      """)

  @Argument(help: "A recording (.mcap).")
  var recording: String?

  @Option(name: .shortAndLong, help: "The PNG file.")
  var output = "snapshot.png"

  @Option(help: "LAT,LON in the middle of a picture of the map alone.")
  var at: String?

  @Option(help: "With --at: the direction that is up, degrees from north.")
  var bearing = 0.0

  @Option(help: "With a recording: time since its first location, such as 120s or 2min.")
  var time = "0s"

  @OptionGroup var picture: PictureOptions
  @OptionGroup(title: "Running stack") var stack: StackOptions

  func validate() throws {
    guard recording == nil || at == nil else {
      throw ValidationError("Give a recording or --at, not both.")
    }
    guard bearing.isFinite else { throw ValidationError("--bearing must be a number of degrees.") }
    guard output.lowercased().hasSuffix(".png") else {
      throw ValidationError("--output: a snapshot is a PNG file, such as snapshot.png.")
    }
    if recording != nil { _ = try FilmTime.seconds(time, "--time") }
  }

  func run() throws {
    // Problems of the scene are reported before a map is built.
    var scene = try self.scene()
    scene.showsPanel = !picture.noPanel
    let painter = try picture.painter()
    let pixels = try painter.pixels(scene)
    try Film.write(
      PNGImage.file(pixels, width: painter.widthPx, height: painter.heightPx), to: output)
    print("\(output): \(painter.widthPx) x \(painter.heightPx) pixels")
  }

  private func scene() throws -> PictureScene {
    if let at { return try mapScene(at) }
    if let recording { return try recordedScene(recording) }
    var scene = try LiveScenes.current(stack)
    picture.apply(to: &scene.frame)
    return scene
  }

  private func mapScene(_ text: String) throws -> PictureScene {
    guard let numbers = NegativeArguments.numbers(text), numbers.count == 2,
      (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1])
    else { throw Problem("--at \"\(text)\" is not LAT,LON, such as 35.8989,14.5146") }
    return PictureScene(
      frame: SceneFrame(
        cameraLatDeg: numbers[0], cameraLonDeg: numbers[1], cameraZoom: picture.zoom ?? 14,
        cameraTiltDeg: picture.northUp ? 0 : picture.pitch ?? 0,
        cameraBearingDeg: picture.northUp ? 0 : bearing, cameraMode: .free, anchorX: 0.5,
        anchorY: 0.5, night: picture.night))
  }

  private func recordedScene(_ file: String) throws -> PictureScene {
    let scenes = try RecordedScenes(
      recording: try Recording(path: file), vehicle: stack.givenVehicle,
      settings: try picture.settings())
    let seconds = try FilmTime.seconds(time, "--time")
    let moment = scenes.times.lowerBound.advanced(bySeconds: seconds)
    guard moment <= scenes.times.upperBound else {
      let length = scenes.times.upperBound.seconds(since: scenes.times.lowerBound)
      throw Problem("--time \(time): the drive ends after \(Int(length)) s")
    }
    guard let scene = try scenes.scene(at: moment) else {
      throw Problem("\(file): there is nothing to show at \(time)")
    }
    return scene
  }
}

/// Times of the command line.
enum FilmTime {
  /// Seconds of a time such as 90s or 2min; a number alone counts as seconds.
  static func seconds(_ text: String, _ option: String) throws -> Double {
    guard let seconds = Double(text) ?? Quantity.durationS(text), seconds >= 0, seconds < 1e7 else {
      throw ValidationError("\(option) \(text): expected a time such as 120s or 2min.")
    }
    return seconds
  }
}

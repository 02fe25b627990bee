import ArgumentParser
import MapPicture
import Messages
import RendererStage
import Scene
import Stage

/// What pictures show, and how large they are: options of `nav snapshot` and `nav film`.
struct PictureOptions: ParsableArguments {
  @Option(help: "A .navmap or OSM file.")
  var map: String

  @Option(
    help: ArgumentHelp("Width and height in CSS pixels.", valueName: "widthxheight"))
  var size = "1280x720"

  @Option(help: "Pixels of the picture for each CSS pixel, 0.5 to 4.")
  var scale = 1.0

  @Flag(help: "Night colours; default: by the sun.")
  var night = false

  @Flag(help: "Day colours; default: by the sun.")
  var day = false

  @Option(help: "Another set of colours: colour-blind or high-contrast.")
  var colours: String?

  @Flag(help: "North is up, and the camera looks straight down.")
  var northUp = false

  @Option(help: "Zoom of the map (tiles of 512 pixels), 3 to 20; default: by speed and maneuver.")
  var zoom: Double?

  @Option(
    name: .customLong("pitch"), help: "Tilt of the camera in degrees, 0 (straight down) to 70.")
  var pitch: Double?

  @Option(help: "metric, imperial_us or imperial_uk.")
  var units = "metric"

  @Flag(help: "Leave out the cards: maneuver, speed, remaining way.")
  var noPanel = false

  @Option(help: "Another map style, in the format of the page's style.json.")
  var style: String?

  func validate() throws {
    _ = try pixels()
    guard (0.5...4).contains(scale) else { throw ValidationError("--scale must be 0.5 to 4.") }
    guard !(night && day) else { throw ValidationError("Give --night or --day, not both.") }
    if let zoom, !(3...20).contains(zoom) { throw ValidationError("--zoom must be 3 to 20.") }
    if let pitch, !(0...70).contains(pitch) { throw ValidationError("--pitch must be 0 to 70.") }
    guard DistanceUnits(rawValue: units) != nil else {
      throw ValidationError("--units must be metric, imperial_us or imperial_uk.")
    }
  }

  /// Width and height in CSS pixels.
  func pixels() throws -> (width: Int, height: Int) {
    let parts = size.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ (64...4096).contains($0) }) else {
      throw ValidationError("--size must be WIDTHxHEIGHT, such as 1280x720, each 64 to 4096.")
    }
    return (parts[0], parts[1])
  }

  func painter() throws -> ScenePainter {
    let (width, height) = try pixels()
    let template = try MapTemplate(path: style)
    return try ScenePainter(
      map: try PictureMap(path: map), day: try template.sheet("day", set: colours),
      night: try template.sheet("night", set: colours), width: width, height: height, scale: scale,
      units: DistanceUnits(rawValue: units) ?? .metric)
  }

  /// Shows a frame of a running stack as these options want it.
  func apply(to frame: inout SceneFrame) {
    if let zoom { frame.cameraZoom = zoom }
    if let pitch { frame.cameraTiltDeg = pitch }
    if northUp { (frame.cameraTiltDeg, frame.cameraBearingDeg) = (0, 0) }
    if night || day { frame.night = night }
  }

  /// The parameters of the renderer's stage that these options mean.
  func settings() throws -> RendererSettings {
    var values: [String: ParameterValue] = [
      "map": .string(map), "theme": .string(night ? "night" : day ? "day" : "auto"),
      "north_up": .bool(northUp), "units": .string(units),
    ]
    if let zoom {
      values["camera"] = .string("fixed")
      values["fixed_zoom"] = .double(zoom)
    }
    if let pitch { values["tilt_deg"] = .double(pitch) }
    do throws(StageFailure) {
      return try RendererSettings(
        try Parameters(values, declared: RendererStage.manifest.parameters))
    } catch {
      throw Problem("\(error)")
    }
  }
}

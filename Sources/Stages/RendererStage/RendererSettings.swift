import Messages
import RoadGraph
public import Scene
public import Stage

/// The validated parameters of a renderer.
public struct RendererSettings: Hashable, Sendable {
  public var tuning: SceneTuning
  /// The presentation of the scene until a call of `scene/control` changes it.
  public var presentation: ScenePresentation
  /// Frames per second to publish between locations; nil for one with each location.
  public var publishHz: Double?

  /// - Throws: `StageFailure` for a colour that the style does not contain, or that is no colour.
  public init(_ parameters: Parameters) throws(StageFailure) {
    tuning = SceneTuning()
    tuning.units = Self.word(parameters, "units") ?? tuning.units
    presentation = ScenePresentation()
    presentation.camera.behaviour = Self.word(parameters, "camera") ?? .dynamic
    presentation.camera.fixedZoom = parameters.double("fixed_zoom")
    presentation.camera.tiltDeg = parameters.double("tilt_deg")
    presentation.camera.isNorthUp = parameters.bool("north_up")
    presentation.camera.anchorX = parameters.double("anchor_x")
    presentation.camera.anchorY = parameters.double("anchor_y")
    presentation.theme = Self.word(parameters, "theme") ?? .auto
    presentation.showsEatUp = parameters.bool("eat_up")
    presentation.frameRate.freeHz = parameters.double("frame_rate_hz")
    presentation.frameRate.guidanceHz = parameters.double("guidance_frame_rate_hz")
    for entry in parameters.strings("colours") { presentation.set(try Self.colour(entry)) }
    let hz = parameters.double("publish_hz")
    publishHz = hz > 0 ? hz : nil
  }

  /// The payload of `scene/settings` before any call.
  public var payload: [UInt8] { RendererControl(base: presentation).payload }

  private static func word<Word: RawRepresentable>(
    _ parameters: Parameters, _ name: String
  ) -> Word? where Word.RawValue == String {
    parameters.string(name).flatMap { Word(rawValue: $0) }
  }

  /// Parses `name=#rrggbb` or `mode/name=#rrggbb`.
  private static func colour(_ entry: String) throws(StageFailure) -> SceneColour {
    let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
    let words = (parts.first ?? "").split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, let name = words.last else {
      throw StageFailure("colours: \"\(entry)\" is not name=#rrggbb")
    }
    var mode: TravelMode?
    if words.count == 2 {
      mode = TravelMode(word: words[0])
      guard mode != nil else {
        let known = TravelMode.allCases.map(\.word).joined(separator: ", ")
        throw StageFailure("colours: \"\(words[0])\" in \"\(entry)\" is not one of \(known)")
      }
    }
    do throws(SceneFault) {
      try SceneColour.check(name: name, field: "colours")
      guard let value = ARGB(parts[1]) else {
        throw SceneFault.noColour(parts[1], field: "colours")
      }
      return SceneColour(name: name, value: value, mode: mode)
    } catch {
      throw StageFailure("\(error.field): \(error.message)")
    }
  }
}

extension RendererStage {
  public static let manifest = Manifest(
    name: "nav-renderer",
    about: "Computes the scene, and serves a page that shows it.",
    parameters: pageParameters + sceneParameters,
    inputs: [
      "location/matched", "route/active", "guidance/progress", "guidance/deviation",
      "guidance/lanes", "guidance/speed",
    ],
    requires: ["location/matched"],
    outputs: ["scene/frame", "scene/settings"],
    serves: ["scene/control", "scene/shield"],
    calls: [
      "navigate/start", "navigate/stop", "navigate/accept_better", "navigate/reject_better",
      "navigate/accept_reroute", "navigate/reject_reroute", "navigate/pause", "navigate/resume",
      "voice/repeat",
    ],
    optionalCalls: [
      "place/find", "route/calculate", "navigate/set_route", "navigate/add_waypoint",
      "navigate/skip_waypoint", "navigate/order_waypoints", "navigate/avoid_ahead",
      "navigate/set_rerouting", "location/control",
    ], demandedBy: ["scene/frame"])

  private static let pageParameters: [ParameterDeclaration] = [
    .init("map", .path, required: true, "The .navmap file from which map tiles are cut."),
    .init(
      "host", .string, default: "127.0.0.1",
      "Address to serve the page on; with 0.0.0.0, other machines can view and use it."),
    .init(
      "port", .int, default: 8123, min: 0, max: 65_535,
      "Port to serve the page on; 0 selects any free port."),
    .init(
      "page_access", .string, default: "token", values: ["token", "open"],
      "Access to the page: token requires the printed address, open admits every user of this machine."
    ),
    .init(
      "page_parts", .path,
      "Folder that Launch/fetch-page-parts filled; if absent, .cache/page is searched in the parent folders."
    ),
    .init(
      "frame_rate_hz", .double, default: 60, unit: "Hz", min: 1, max: 240,
      "Frames per second without a route; also the rate of location/interpolated."),
    .init(
      "guidance_frame_rate_hz", .double, default: 30, unit: "Hz", min: 1, max: 240,
      "Frames per second while a route is followed; also the rate of location/interpolated."),
    .init(
      "eat_up", .bool, default: true,
      "Whether to draw the driven part of the route in another colour."),
    .init(
      "colours", .strings, default: .strings([]),
      "Colours of the map and route to replace, as name=#rrggbb, or bicycle/name=#rrggbb for one mode; #aarrggbb has an opacity. The names are listed in the page's style.json."
    ),
  ]

  private static let sceneParameters: [ParameterDeclaration] = [
    .init(
      "camera", .string, default: "dynamic", values: CameraBehaviour.allCases.map(\.rawValue),
      "dynamic: farther at speed, closer before maneuvers; speed_based; fixed."),
    .init(
      "fixed_zoom", .double, default: 16.5, min: 0, max: 22, "Zoom of the fixed camera."),
    .init(
      "tilt_deg", .double, default: 50, unit: "deg", min: 0, max: 70,
      "Tilt of the camera while the heading is up; 0 looks straight down."),
    .init("north_up", .bool, default: false, "Whether north stays up."),
    .init(
      "anchor_x", .double, default: 0.5, min: 0, max: 1,
      "Position of the indicator on the screen, from the left."),
    .init(
      "anchor_y", .double, default: 0.775, min: 0, max: 1,
      "Position of the indicator on the screen, from the top."),
    .init(
      "theme", .string, default: "auto", values: Theme.allCases.map(\.rawValue),
      "Colours: day, night, or by the position of the sun at the vehicle's location."),
    .init(
      "units", .string, default: "metric", values: DistanceUnits.allCases.map(\.rawValue),
      "Units of distances."),
    .init(
      "mode", .string, default: "car", values: TravelMode.allCases.map(\.word),
      "Travel mode of routes that are requested on the page."),
    .init(
      "language", .string, default: "en-US",
      "Language of names and texts of these routes, as a BCP 47 tag."),
    .init(
      "publish_hz", .double, default: 0, unit: "Hz", min: 0, max: 240,
      "Rate of scene/frame; 0 publishes one frame with each location."),
  ]
}

public import Scene
public import Stage

/// The validated parameters of a renderer.
public struct RendererSettings: Hashable, Sendable {
  public var tuning: SceneTuning
  /// Frames a second to publish between locations; nil for one with each location.
  public var publishHz: Double?

  public init(_ parameters: Parameters) {
    var tuning = SceneTuning()
    tuning.behaviour = Self.word(parameters, "camera") ?? tuning.behaviour
    tuning.theme = Self.word(parameters, "theme") ?? tuning.theme
    tuning.units = Self.word(parameters, "units") ?? tuning.units
    tuning.fixedZoom = parameters.double("fixed_zoom")
    tuning.tiltDeg = parameters.double("tilt_deg")
    tuning.isNorthUp = parameters.bool("north_up")
    tuning.anchorX = parameters.double("anchor_x")
    tuning.anchorY = parameters.double("anchor_y")
    self.tuning = tuning
    let hz = parameters.double("publish_hz")
    publishHz = hz > 0 ? hz : nil
  }

  private static func word<Word: RawRepresentable>(
    _ parameters: Parameters, _ name: String
  ) -> Word? where Word.RawValue == String {
    parameters.string(name).flatMap { Word(rawValue: $0) }
  }
}

extension RendererStage {
  public static let manifest = Manifest(
    name: "nav-renderer",
    about: "Decides what a screen shows, and serves a page that shows it.",
    parameters: pageParameters + sceneParameters,
    inputs: [
      "location/matched", "route/active", "guidance/progress", "guidance/deviation",
      "guidance/lanes", "guidance/speed",
    ],
    requires: ["location/matched"],
    outputs: ["scene/frame"],
    calls: [
      "navigate/start", "navigate/stop", "navigate/accept_better", "navigate/reject_better",
      "navigate/accept_reroute", "navigate/reject_reroute", "navigate/pause", "navigate/resume",
      "voice/repeat",
    ])

  private static let pageParameters: [ParameterDeclaration] = [
    .init("map", .path, required: true, "The .navmap file from which map tiles are cut."),
    .init(
      "host", .string, default: "127.0.0.1",
      "Address to serve the page at; 0.0.0.0 shows it, and lets it be used, from other machines."),
    .init(
      "port", .int, default: 8123, min: 0, max: 65_535,
      "Port to serve the page at; 0 takes any free one."),
    .init(
      "page_parts", .path,
      "Folder that Launch/fetch-page-parts filled; absent looks for .cache/page in the folders upwards."
    ),
    .init(
      "frame_rate_hz", .double, default: 60, unit: "Hz", min: 1, max: 240,
      "Frames a second that the page draws without a route."),
    .init(
      "guidance_frame_rate_hz", .double, default: 30, unit: "Hz", min: 1, max: 240,
      "Frames a second that the page draws while a route is followed."),
    .init("eat_up", .bool, default: true, "Draws what is driven of the route in another colour."),
    .init(
      "colours", .strings, default: .strings([]),
      "Colours of the map and route to replace, as name=#rrggbb; names stand in the page's style.json."
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
    .init("north_up", .bool, default: false, "North stays up."),
    .init(
      "anchor_x", .double, default: 0.5, min: 0, max: 1,
      "Place of the indicator on the screen, from the left."),
    .init(
      "anchor_y", .double, default: 0.775, min: 0, max: 1,
      "Place of the indicator on the screen, from the top."),
    .init(
      "theme", .string, default: "auto", values: Theme.allCases.map(\.rawValue),
      "Colours: day, night, or by the sun where the vehicle is."),
    .init(
      "units", .string, default: "metric", values: DistanceUnits.allCases.map(\.rawValue),
      "The units that distances are printed in."),
    .init(
      "publish_hz", .double, default: 0, unit: "Hz", min: 0, max: 240,
      "Frames of the scene a second to publish; 0 publishes one with each location."),
  ]
}

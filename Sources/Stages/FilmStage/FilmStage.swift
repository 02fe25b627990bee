public import Messages
public import Stage

/// The manifest and the parameters of a node that draws the scene into a film.
///
/// It decides nothing: the node's sink receives the messages as they are, and draws them.
public struct FilmStage: Stage {
  public static let manifest = Manifest(
    name: "nav-film",
    about: "Draws the scene into a film or PNG frames while the stack runs.",
    parameters: [
      .init("map", .path, required: true, "The .navmap file that the map is drawn from."),
      .init(
        "output", .path, required: true,
        "The film: NAME.mp4, .webm, .webp, .png (animated), or a folder of PNG frames; a number is added if it exists."
      ),
      .init(
        "rate_hz", .double, default: 10, unit: "Hz", min: 1, max: 120,
        "Frames per second of the film; set the renderer's publish_hz to as many per second of the drive."
      ),
      .init(
        "speed", .double, default: 1, min: 0.1, max: 100,
        "Seconds of the drive for each second of the film."),
      .init("width_px", .int, default: 1280, unit: "px", min: 64, max: 4096, "Width of the film."),
      .init("height_px", .int, default: 720, unit: "px", min: 64, max: 4096, "Height of the film."),
      .init(
        "scale", .double, default: 1, min: 0.5, max: 4,
        "Enlargement of everything that is drawn; width and height of the film grow with it."),
      .init(
        "units", .string, default: "metric", values: ["metric", "imperial_us", "imperial_uk"],
        "Units of distances and speeds."),
      .init("panel", .bool, default: true, "Whether the cards are drawn."),
    ],
    inputs: topics)

  /// The topics from which pictures are drawn.
  public static let topics = [
    SceneFrame.topic, RouteActive.topic, GuidanceRoad.topic, GuidanceSpeed.topic,
  ]

  public static func load(_ parameters: Parameters) throws(StageFailure) -> FilmSettings {
    FilmSettings(parameters)
  }

  public init(vehicle: String, shared: FilmSettings) {}

  public func interest(in topic: Topics.Name) -> TopicInterest { .nothing }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] { [] }
}

/// The parameters of a film.
public struct FilmSettings: Hashable, Sendable {
  public var map: String
  public var output: String
  public var rateHz: Double
  public var speed: Double
  public var widthPx: Int
  public var heightPx: Int
  public var scale: Double
  public var units: String
  public var showsPanel: Bool

  public init(_ parameters: Parameters) {
    map = parameters.string("map") ?? ""
    output = parameters.string("output") ?? ""
    rateHz = parameters.double("rate_hz")
    speed = parameters.double("speed")
    widthPx = parameters.int("width_px")
    heightPx = parameters.int("height_px")
    scale = parameters.double("scale")
    units = parameters.string("units") ?? "metric"
    showsPanel = parameters.bool("panel")
  }
}

import DynamicRoutingStage
import FilmStage
import FleetStage
import Harness
import LocationStage
import MatcherStage
import NavigatorStage
import RendererStage
import RouterStage
import Stage
import TrafficStage
import VoiceStage

/// The stages that can run inside this process, by the program that runs them on the bus.
struct StageCatalogue {
  struct Entry {
    var manifest: Manifest
    /// Loads the stage with its parameters.
    var node: (_ name: String, [String: ParameterValue], _ handsOverEvery: Int?) throws -> LocalNode
  }

  static let programs = [
    "nav-location-provider", "nav-map-matcher", "nav-router", "nav-navigator",
    "nav-dynamic-routing", "nav-traffic", "nav-voice-guidance", "nav-renderer",
    "nav-fleet-simulator", "nav-film",
  ]

  /// The stage of a program; nil for a program of another project.
  static func entry(of program: String) -> Entry? {
    switch program {
    case "nav-location-provider": entry(LocationStage.self)
    case "nav-map-matcher": entry(MatcherStage.self)
    case "nav-router": entry(RouterStage.self)
    case "nav-navigator": entry(NavigatorStage.self)
    case "nav-dynamic-routing": entry(DynamicRoutingStage.self)
    case "nav-traffic": entry(TrafficStage.self)
    case "nav-voice-guidance": entry(VoiceStage.self)
    case "nav-renderer": entry(RendererStage.self)
    case "nav-fleet-simulator": entry(FleetStage.self)
    // In one process nothing is drawn: a film of its recording is made with `nav film`.
    case "nav-film": entry(FilmStage.self)
    default: nil
    }
  }

  private static func entry<S: Stage>(_ stage: S.Type) -> Entry {
    Entry(manifest: S.manifest) { name, parameters, handsOverEvery in
      let shared = try S.load(try Parameters(parameters, declared: S.manifest.parameters))
      return LocalNode(stage, name: name, shared: shared, handsOverEvery: handsOverEvery)
    }
  }
}

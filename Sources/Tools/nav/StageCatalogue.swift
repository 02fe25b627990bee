import DynamicRoutingStage
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
    var add: (MemoryHarness, _ name: String, [String: ParameterValue]) throws -> Void
  }

  /// The stage of a program; nil for a program that is none of ours.
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
    default: nil
    }
  }

  private static func entry<S: Stage>(_ stage: S.Type) -> Entry {
    Entry(manifest: S.manifest) { harness, name, parameters in
      try harness.add(stage, name: name, parameters: parameters)
    }
  }
}
